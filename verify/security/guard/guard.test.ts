import { type Client, createClient } from '@assay/testing/service/client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapConcurrently, prepareLookups, subscribeAll, withHosts, writeUrl } from './attempt-bypasses.ts';
import { bypasses, publicIpv4, publicIpv6, publicNat64, testZone } from './bypasses.ts';
import {
  type GuardFixture,
  listedAddress,
  listedNat64,
  openGuardFixture,
  publicPlaces,
  unlistedAddress,
} from './fixture.ts';
import { whyNoNamespaces } from './namespaces.ts';

const startMillisMax = 120_000;
const testMillisMax = 120_000;
const eventTypes = ['asset.processing.completed'];

const obstacle = whyNoNamespaces();
if (obstacle) console.log(`SSRF protection is not tested: ${obstacle}`);
const title = 'webhook SSRF protection';

describe.skipIf(obstacle)(obstacle ? `${title} (skipped: ${obstacle})` : title, { timeout: testMillisMax }, () => {
  let fixture: GuardFixture;
  let client: Client;
  beforeAll(async () => {
    fixture = await openGuardFixture();
    client = createClient(fixture.url, (await fixture.makeWorkspace()).sandboxKey);
  }, startMillisMax);
  afterAll(() => fixture?.close());

  const subscribe = (url: string) => client.post('/webhooks/subscriptions', { url, eventTypes });
  const resultOf = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) =>
    body.errors?.[0]?.code ?? status;

  test('is bypassed by every tested URL that can reach an address if the client has no checks', async () => {
    expect(bypasses.length).toBeGreaterThanOrEqual(60);
    const reachedCanary: string[] = [];
    for (const one of withHosts(bypasses, 'naive')) {
      await prepareLookups(fixture, one);
      await fixture.beside.call('connectUnchecked', one.url(one.host)).catch(() => {});
      if ((await fixture.takeHits()).length > 0) reachedCanary.push(one.what);
    }
    expect(reachedCanary).toEqual(bypasses.filter(({ unreachable }) => !unreachable).map(({ what }) => what));
  });

  describe('without allowed networks', () => {
    beforeAll(() => fixture.start(['api', 'worker']), startMillisMax);
    const expected = (before: string[]) => bypasses.map(({ what, end }) => ({ what, attempts: [...before, end] }));

    test('contacts no forbidden address when a subscription with a bypass URL is created', async () => {
      await fixture.world.call('takeNamesAsked');
      const results = await mapConcurrently(withHosts(bypasses, 'create'), async (one) => {
        await prepareLookups(fixture, one);
        const response = await subscribe(one.url(one.host));
        if (response.status === 201) await client.delete(`/webhooks/subscriptions/${response.body.subscriptionId}`);
        return [one.what, resultOf(response)];
      });
      expect
        .soft(results)
        .toEqual(bypasses.map(({ what, isAccepted }) => [what, isAccepted ? 201 : 'url_not_allowed']));
      const asked: string[] = await fixture.world.call('takeNamesAsked');
      expect.soft(asked.filter((name) => /(^|\.)localhost$/.test(name))).toEqual([]);
      expect.soft(await fixture.takeHits()).toEqual([]);
    });

    test('contacts no forbidden address when a subscription is changed to a bypass URL', async () => {
      const url = `https://changed.${testZone}/hook`;
      await fixture.world.call('resolveTo', { name: `changed.${testZone}`, lookups: [{ addresses: [publicIpv4] }] });
      const path = `/webhooks/subscriptions/${(await subscribe(url)).body.subscriptionId}`;
      const results: unknown[] = [];
      for (const one of withHosts(bypasses, 'update')) {
        await prepareLookups(fixture, one);
        const response = await client.patch(path, { url: one.url(one.host) });
        const { body } = await client.get(path);
        results.push([one.what, resultOf(response), body.url]);
        await client.patch(path, { url });
      }
      const wanted = withHosts(bypasses, 'update').map((one) =>
        one.isAccepted ? [one.what, 200, one.url(one.host)] : [one.what, 'url_not_allowed', url],
      );
      expect.soft(results).toEqual(wanted);
      await client.delete(path);
      expect.soft(await fixture.takeHits()).toEqual([]);
    });

    test('contacts no forbidden address when a subscription with a bypass URL is tested or receives its first event', async () => {
      const tried = withHosts(bypasses, 'first');
      const subscriptions = await subscribeAll(fixture, tried);
      const results = await mapConcurrently(tried, async (one) => {
        await subscriptions.activate(one);
        return [one.what, await subscriptions.test(one)];
      });
      expect.soft(results).toEqual(bypasses.map(({ what, end }) => [what, end]));
      expect.soft(await fixture.takeHits()).toEqual([]);

      for (const one of tried) await prepareLookups(fixture, one); // the resolver starts again with the first lookup
      await subscriptions.fire();
      const outcomes = await subscriptions.untilAttempted(1);
      expect.soft(await fixture.takeHits()).toEqual([]);
      expect.soft(outcomes).toEqual(expected([]));
    });

    test('contacts no forbidden address when a delivery is retried whose first attempt reached an allowed receiver', async () => {
      const tried = withHosts(bypasses, 'retry');
      const subscriptions = await subscribeAll(fixture, tried);
      for (const one of tried) fixture.whenHeld(one.host, () => subscriptions.activate(one));
      await subscriptions.fire();
      const outcomes = await subscriptions.untilAttempted(2);
      expect.soft(await fixture.takeHits()).toEqual([]);
      expect.soft(outcomes).toEqual(expected(['http_status']));
    });

    test('delivers webhooks to public addresses, with the host name of the URL as Host and SNI', async () => {
      const hosts = {
        [`four.${testZone}`]: publicIpv4,
        [`six.${testZone}`]: publicIpv6,
        [`nat64.${testZone}`]: publicNat64,
      };
      for (const [name, address] of Object.entries(hosts)) {
        await fixture.world.call('resolveTo', { name, lookups: [{ addresses: [address] }] });
        expect(await sendTo(`https://${name}/hook`)).toEqual([201, null]);
      }
      expect(await sendTo(`https://${publicIpv4}/hook`)).toEqual([201, null]);
      expect(await sendTo(`https://[${publicIpv6}]/hook`)).toEqual([201, null]);
      const received = await fixture.world.call('received');
      const toNames = received.filter(({ host }) => host.endsWith(`.${testZone}`));
      expect(toNames.filter(({ host, serverName }) => host !== serverName)).toEqual([]);
      for (const [name, address] of Object.entries(hosts)) {
        expect(toNames).toContainEqual({ address, host: name, serverName: name, path: '/hook' });
      }
      for (const where of ['first', 'retry']) {
        expect(toNames.filter(({ host }) => host.startsWith(`${where}-`)).length).toBeGreaterThan(0);
      }
      expect.soft(await fixture.takeHits()).toEqual([]);
    });
  });

  /**
   * Returns the response to creating a subscription with this URL, and the result of testing a subscription into which
   * the URL was written directly.
   */
  const sendTo = async (url: string) => {
    const response = await subscribe(url);
    const allowed = response.status === 201 ? response : await subscribe(`https://${publicIpv4}/hook`);
    const id: string = allowed.body.subscriptionId;
    await writeUrl(fixture, id, url);
    const { body } = await client.post(`/webhooks/subscriptions/${id}/test`);
    await client.delete(`/webhooks/subscriptions/${id}`);
    return [resultOf(response), body.errorCode];
  };
  const reached = [201, null];
  const blocked = ['url_not_allowed', 'blocked_address'];
  const atAddress = (address: string) => `https://${address.includes(':') ? `[${address}]` : address}/hook`;

  describe('with one network allowed by the operator', () => {
    beforeAll(async () => {
      await fixture.world.call('receiveAt', [...publicPlaces, `${listedAddress}:443`, `[${listedNat64}]:443`]);
      await fixture.start(['api'], { WEBHOOK_ALLOWED_CIDRS: '10.20.0.0/16' });
    }, startMillisMax);

    test('reaches only that network and public addresses', async () => {
      const name = `listed.${testZone}`;
      await fixture.world.call('resolveTo', { name, lookups: [{ addresses: [listedAddress] }] });
      const nat64Name = `listed-nat64.${testZone}`;
      await fixture.world.call('resolveTo', { name: nat64Name, lookups: [{ addresses: [listedNat64] }] });
      const places = [listedAddress, name, nat64Name, publicIpv4];
      expect(await Promise.all(places.map((place) => sendTo(atAddress(place))))).toEqual(places.map(() => reached));
      const received = await fixture.world.call('received');
      expect(received).toContainEqual({ address: listedAddress, host: name, serverName: name, path: '/hook' });

      const mixed = `mixed.${testZone}`;
      await fixture.world.call('resolveTo', {
        name: mixed,
        lookups: [{ addresses: [listedAddress, unlistedAddress] }],
      });
      const closed = [
        ...[unlistedAddress, mixed, '10.19.255.255', '10.21.0.0', '192.168.20.0', '172.20.0.5', '127.0.0.1', '::1'],
        ...['0.0.0.0', '169.254.169.254', '168.63.129.16', '100.100.100.200', `::ffff:${listedAddress}`],
        ...[`::${listedAddress}`, `64:ff9b::${unlistedAddress}`, '2002:a14:5::1', 'fd12::1', 'fd00:ec2::254'],
      ];
      const results = await mapConcurrently(closed, async (place) => [place, await sendTo(atAddress(place))]);
      expect.soft(results).toEqual(closed.map((place) => [place, blocked]));
      expect.soft(await fixture.takeHits()).toEqual([]);
    });
  });

  describe('with every network allowed by the operator', () => {
    beforeAll(async () => {
      await fixture.world.call('receiveAt', [...publicPlaces, `${unlistedAddress}:443`]);
      await fixture.start(['api'], { WEBHOOK_ALLOWED_CIDRS: '0.0.0.0/0,::/0' });
    }, startMillisMax);

    test('does not reach loopback, link-local, metadata or disguised addresses', async () => {
      expect(await sendTo(atAddress(unlistedAddress))).toEqual(reached);
      const closed = [
        ...['127.0.0.1', '127.255.255.254', '::1', 'localhost', 'api.localhost', '0.0.0.0', '::', '169.254.1.1'],
        ...['fe80::1', '169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
        ...['fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe'],
        ...['::127.0.0.1', '::a9fe:a9fe', '::ffff:0:7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
        ...['2002:a9fe:a9fe::1', '2001:0:4136:e378:8000:63bf:80ff:fffe', '224.0.0.1', 'ff02::1', '255.255.255.255'],
      ];
      const results = await mapConcurrently(closed, async (place) => [place, await sendTo(atAddress(place))]);
      expect.soft(results).toEqual(closed.map((place) => [place, blocked]));
      expect.soft(await fixture.takeHits()).toEqual([]);
    });
  });
});
