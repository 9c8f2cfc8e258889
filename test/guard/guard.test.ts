import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { whyNoNamespaces } from './namespaces.ts';
import { type GuardScene, listedAddress, openGuardScene, publicPlaces, unlistedAddress } from './scene.ts';
import { publicIpv4, publicIpv6, tricks, zone } from './tricks.ts';
import { forEachOf, lay, plant, subscribeAll, withHosts } from './try-tricks.ts';

const startMillisMax = 120_000;
const testMillisMax = 120_000;
const eventTypes = ['asset.processing.completed'];

const obstacle = whyNoNamespaces();
if (obstacle) console.log(`the guard is not tried: ${obstacle}`);
const title = 'no webhook goes where none may go';

describe.skipIf(obstacle)(obstacle ? `${title} (skipped: ${obstacle})` : title, { timeout: testMillisMax }, () => {
  let scene: GuardScene;
  let client: Client;
  beforeAll(async () => {
    scene = await openGuardScene();
    client = createClient(scene.url, (await scene.makeWorkspace()).sandboxKey);
  }, startMillisMax);
  afterAll(() => scene?.close());

  const subscribe = (url: string) => client.post('/webhooks/subscriptions', { url, eventTypes });
  const resultOf = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) =>
    body.errors?.[0]?.code ?? status;

  test('every trick works, on whoever checks nothing', async () => {
    expect(tricks.length).toBeGreaterThanOrEqual(60);
    const fooled: string[] = [];
    for (const one of withHosts(tricks, 'naive')) {
      await lay(scene, one);
      await scene.beside.ask('fallFor', one.url(one.host)).catch(() => {});
      if ((await scene.takeHits()).length > 0) fooled.push(one.what);
    }
    expect(fooled).toEqual(tricks.filter(({ outOfReach }) => !outOfReach).map(({ what }) => what));
  });

  describe('by default', () => {
    beforeAll(() => scene.start(['api', 'worker']), startMillisMax);
    const expected = (before: string[]) =>
      tricks.map(({ what, end }) => ({
        what,
        attempts: [...before, end],
        disabledReason: end === 'blocked_address' ? end : null,
      }));

    test('when it is subscribed', async () => {
      await scene.world.ask('takeNamesAsked');
      const results = await forEachOf(withHosts(tricks, 'create'), async (one) => {
        await lay(scene, one);
        const answer = await subscribe(one.url(one.host));
        if (answer.status === 201) await client.delete(`/webhooks/subscriptions/${answer.body.subscriptionId}`);
        return [one.what, resultOf(answer)];
      });
      expect.soft(results).toEqual(tricks.map(({ what, isTaken }) => [what, isTaken ? 201 : 'url_not_allowed']));
      const asked: string[] = await scene.world.ask('takeNamesAsked');
      expect.soft(asked.filter((name) => /(^|\.)localhost$/.test(name))).toEqual([]);
      expect.soft(await scene.takeHits()).toEqual([]);
    });

    test('when a subscription is changed', async () => {
      const url = `https://changed.${zone}/hook`;
      await scene.world.ask('resolveTo', { name: `changed.${zone}`, lookups: [{ addresses: [publicIpv4] }] });
      const path = `/webhooks/subscriptions/${(await subscribe(url)).body.subscriptionId}`;
      const results: unknown[] = [];
      for (const one of withHosts(tricks, 'update')) {
        await lay(scene, one);
        const answer = await client.patch(path, { url: one.url(one.host) });
        const { body } = await client.get(path);
        results.push([one.what, resultOf(answer), body.url]);
        await client.patch(path, { url });
      }
      const wanted = withHosts(tricks, 'update').map((one) =>
        one.isTaken ? [one.what, 200, one.url(one.host)] : [one.what, 'url_not_allowed', url],
      );
      expect.soft(results).toEqual(wanted);
      await client.delete(path);
      expect.soft(await scene.takeHits()).toEqual([]);
    });

    test('at a test, and at the first delivery', async () => {
      const tried = withHosts(tricks, 'first');
      const subscriptions = await subscribeAll(scene, tried);
      const results = await forEachOf(tried, async (one) => {
        await subscriptions.turn(one);
        return [one.what, await subscriptions.test(one)];
      });
      expect.soft(results).toEqual(tricks.map(({ what, end }) => [what, end]));
      expect.soft(await scene.takeHits()).toEqual([]);

      for (const one of tried) await lay(scene, one); // its first lookup anew
      await subscriptions.fire();
      const outcomes = await subscriptions.untilAttempted(1);
      expect.soft(await scene.takeHits()).toEqual([]);
      expect.soft(outcomes).toEqual(expected([]));
    });

    test('at a retry, when the first attempt went to an honest receiver', async () => {
      const tried = withHosts(tricks, 'retry');
      const subscriptions = await subscribeAll(scene, tried);
      for (const one of tried) scene.whenHeldUp(one.host, () => subscriptions.turn(one));
      await subscriptions.fire();
      const outcomes = await subscriptions.untilAttempted(2);
      expect.soft(await scene.takeHits()).toEqual([]);
      expect.soft(outcomes).toEqual(expected(['http_status']));
    });

    test('and what may go does, with Host and SNI the name', async () => {
      const hosts = { [`four.${zone}`]: publicIpv4, [`six.${zone}`]: publicIpv6 };
      for (const [name, address] of Object.entries(hosts)) {
        await scene.world.ask('resolveTo', { name, lookups: [{ addresses: [address] }] });
        expect(await sendTo(`https://${name}/hook`)).toEqual([201, null]);
      }
      expect(await sendTo(`https://${publicIpv4}/hook`)).toEqual([201, null]);
      expect(await sendTo(`https://[${publicIpv6}]/hook`)).toEqual([201, null]);
      const received = await scene.world.ask('received');
      const toNames = received.filter(({ host }) => host.endsWith(`.${zone}`));
      expect(toNames.filter(({ host, serverName }) => host !== serverName)).toEqual([]);
      for (const [name, address] of Object.entries(hosts)) {
        expect(toNames).toContainEqual({ address, host: name, serverName: name, path: '/hook' });
      }
      for (const where of ['first', 'retry']) {
        expect(toNames.filter(({ host }) => host.startsWith(`${where}-`)).length).toBeGreaterThan(0);
      }
      expect.soft(await scene.takeHits()).toEqual([]);
    });
  });

  /** What a subscription is answered, and what a test of one with this URL ends with however it came to be. */
  const sendTo = async (url: string) => {
    const answer = await subscribe(url);
    const honest = answer.status === 201 ? answer : await subscribe(`https://${publicIpv4}/hook`);
    const id: string = honest.body.subscriptionId;
    await plant(scene, id, url);
    const { body } = await client.post(`/webhooks/subscriptions/${id}/test`);
    await client.delete(`/webhooks/subscriptions/${id}`);
    return [resultOf(answer), body.errorCode];
  };
  const reached = [201, null];
  const kept = ['url_not_allowed', 'blocked_address'];
  const atAddress = (address: string) => `https://${address.includes(':') ? `[${address}]` : address}/hook`;

  describe('with a network on the operator’s list', () => {
    beforeAll(async () => {
      await scene.world.ask('beHonestAt', [...publicPlaces, `${listedAddress}:443`]);
      await scene.start(['api'], { WEBHOOK_ALLOWED_CIDRS: '10.20.0.0/16' });
    }, startMillisMax);

    test('exactly that one is reached, beside the public', async () => {
      const name = `listed.${zone}`;
      await scene.world.ask('resolveTo', { name, lookups: [{ addresses: [listedAddress] }] });
      const places = [listedAddress, name, publicIpv4];
      expect(await Promise.all(places.map((place) => sendTo(atAddress(place))))).toEqual(places.map(() => reached));
      const received = await scene.world.ask('received');
      expect(received).toContainEqual({ address: listedAddress, host: name, serverName: name, path: '/hook' });

      const mixed = `mixed.${zone}`;
      await scene.world.ask('resolveTo', { name: mixed, lookups: [{ addresses: [listedAddress, unlistedAddress] }] });
      const closed = [
        ...[unlistedAddress, mixed, '10.19.255.255', '10.21.0.0', '192.168.20.0', '172.20.0.5', '127.0.0.1', '::1'],
        ...['0.0.0.0', '169.254.169.254', '168.63.129.16', '100.100.100.200', `::ffff:${listedAddress}`],
        ...[`::${listedAddress}`, `64:ff9b::${listedAddress}`, '2002:a14:5::1', 'fd12::1', 'fd00:ec2::254'],
      ];
      const results = await forEachOf(closed, async (place) => [place, await sendTo(atAddress(place))]);
      expect.soft(results).toEqual(closed.map((place) => [place, kept]));
      expect.soft(await scene.takeHits()).toEqual([]);
    });
  });

  describe('with every network on the operator’s list', () => {
    beforeAll(async () => {
      await scene.world.ask('beHonestAt', [...publicPlaces, `${unlistedAddress}:443`]);
      await scene.start(['api'], { WEBHOOK_ALLOWED_CIDRS: '0.0.0.0/0,::/0' });
    }, startMillisMax);

    test('loopback, link-local addresses, metadata and what hides an address are not reached', async () => {
      expect(await sendTo(atAddress(unlistedAddress))).toEqual(reached);
      const closed = [
        ...['127.0.0.1', '127.255.255.254', '::1', 'localhost', 'api.localhost', '0.0.0.0', '::', '169.254.1.1'],
        ...['fe80::1', '169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
        ...['fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe'],
        ...['::127.0.0.1', '::a9fe:a9fe', '::ffff:0:7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
        ...['2002:a9fe:a9fe::1', '2001:0:4136:e378:8000:63bf:80ff:fffe', '224.0.0.1', 'ff02::1', '255.255.255.255'],
      ];
      const results = await forEachOf(closed, async (place) => [place, await sendTo(atAddress(place))]);
      expect.soft(results).toEqual(closed.map((place) => [place, kept]));
      expect.soft(await scene.takeHits()).toEqual([]);
    });
  });
});
