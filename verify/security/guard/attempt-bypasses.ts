import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '@assay/contract/schemas/webhook.ts';
import { type Client, createClient } from '@assay/testing/service/client.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { type Bypass, publicIpv4, publicIpv6, testZone } from './bypasses.ts';
import type { GuardFixture } from './fixture.ts';

const eventTypes = ['asset.processing.completed'];
const subscriptionsMax = 20;
const atOnceMax = 8;
const attemptsSecondsMax = 60;

/** A bypass with a unique host name. */
export type HostedBypass = Bypass & { host: string };
export type Outcome = { what: string; attempts: (string | null)[] };

export function withHosts(bypasses: Bypass[], where: string): HostedBypass[] {
  return bypasses.map((bypass, i) => ({ ...bypass, host: `${where}-${i}.${testZone}` }));
}

/** Processes the items, a limited number at a time. */
export async function mapConcurrently<Item, Result>(
  items: Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const actOnNext = async () => {
    for (const [i, item] of waiting) results[i] = await act(item);
  };
  await Promise.all(Array.from({ length: atOnceMax }, actOnNext));
  return results;
}

/** Sets the resolver answers that the bypass needs. */
export async function prepareLookups({ world }: GuardFixture, { host, url, lookups }: HostedBypass): Promise<void> {
  await resolveToReceiver({ world }, host);
  const hostname = URL.parse(url(host))?.hostname.replace(/\.$/, '');
  if (hostname && lookups) await world.call('resolveTo', { name: hostname, lookups });
}

function resolveToReceiver({ world }: Pick<GuardFixture, 'world'>, host: string): Promise<void> {
  return world.call('resolveTo', { name: host, lookups: [{ addresses: [publicIpv4, publicIpv6] }] });
}

/**
 * Creates valid subscriptions, one per bypass, in as many workspaces as necessary. `fire` sends an event to each
 * subscription.
 */
export async function subscribeAll(fixture: GuardFixture, tried: HostedBypass[]) {
  const workspaceCount = Math.ceil(tried.length / subscriptionsMax);
  const groups = Array.from({ length: workspaceCount }, (_, i) =>
    tried.slice(i * subscriptionsMax, (i + 1) * subscriptionsMax),
  );
  const subscribed = new Map<HostedBypass, { id: string; client: Client }>();
  const fires = await mapConcurrently(groups, async (group) => {
    const client = createClient(fixture.url, (await fixture.makeWorkspace()).sandboxKey);
    for (const one of group) {
      await resolveToReceiver(fixture, one.host);
      const { status, body } = await client.post('/webhooks/subscriptions', { url: receiverUrl(one), eventTypes });
      if (status !== 201) throw new Error(`${receiverUrl(one)} was answered with ${status} ${JSON.stringify(body)}`);
      subscribed.set(one, { id: body.subscriptionId, client });
    }
    const { submissionId } = await submit(client, [await uploadText(client)]);
    return () => client.post('/sandbox/events/fire', { eventType: eventTypes[0], submissionId });
  });
  const subscriptionOf = (one: HostedBypass) => subscribed.get(one) as { id: string; client: Client };

  return {
    /**
     * Writes the bypass URL to the subscription without the checks of the API, so that only the check at the connection
     * remains.
     */
    async activate(one: HostedBypass): Promise<void> {
      await prepareLookups(fixture, one);
      await writeUrl(fixture, subscriptionOf(one).id, one.url(one.host));
    },
    async test(one: HostedBypass): Promise<string | null> {
      const { id, client } = subscriptionOf(one);
      const { status, body } = await client.post(`/webhooks/subscriptions/${id}/test`);
      if (status !== 200) throw new Error(`the test was answered with ${status}`);
      return body.errorCode;
    },
    fire: () => Promise.all(fires.map((fire) => fire())),
    /** Returns the outcome for each bypass after this many delivery attempts. */
    async untilAttempted(attemptCount: number): Promise<Outcome[]> {
      const ids = tried.map((one) => subscriptionOf(one).id);
      const rows = await untilAttempted(fixture, ids, attemptCount);
      return tried.map(({ what }, i) => {
        const { attempts = [] } = rows.get(ids[i] as string) ?? {};
        const codes = attempts.slice(0, attemptCount).map(({ errorCode }) => errorCode);
        return { what, attempts: codes };
      });
    },
  };
}

/** A URL whose request the receiver holds, and then answers with a failure. */
const receiverUrl = ({ host }: HostedBypass) => `https://${host}/hold`;

/** Writes a URL to the database, without the checks of the API. */
export async function writeUrl({ db }: Pick<GuardFixture, 'db'>, subscriptionId: string, url: string): Promise<void> {
  await db.query('update subscriptions set url = $1 where subscription_id = $2', [url, subscriptionId]);
}

type SubscriptionRow = { subscription_id: string; attempts: Attempt[] };

/** Returns the rows once each has this many attempts, or at the deadline. */
async function untilAttempted(
  { db }: GuardFixture,
  ids: string[],
  attemptCount: number,
): Promise<Map<string, SubscriptionRow>> {
  for (const deadline = Date.now() + attemptsSecondsMax * 1000; ; await sleep(100)) {
    const { rows } = await db.query<SubscriptionRow>(
      `select s.subscription_id, d.attempts from subscriptions s
       join deliveries d on d.subscription_id = s.subscription_id and d.trigger <> 'test'
       where s.subscription_id = any($1::uuid[])`,
      [ids],
    );
    const isDone = rows.length === ids.length && rows.every(({ attempts }) => attempts.length >= attemptCount);
    if (isDone || Date.now() > deadline) return new Map(rows.map((row) => [row.subscription_id, row]));
  }
}
