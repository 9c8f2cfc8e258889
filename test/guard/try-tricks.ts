import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '@assay/contract/webhook.ts';
import { type Client, createClient } from '../support/client.ts';
import { submit, uploadText } from '../support/submissions.ts';
import type { GuardScene } from './scene.ts';
import { publicIpv4, publicIpv6, type Trick, zone } from './tricks.ts';

const eventTypes = ['asset.processing.completed'];
const subscriptionsMax = 20;
const atOnceMax = 8;
const attemptsSecondsMax = 60;

/** A trick, with a name for it that nobody else has. */
export type HostedTrick = Trick & { host: string };
export type Outcome = { what: string; attempts: (string | null)[]; disabledReason: string | null };

export function withHosts(tricks: Trick[], where: string): HostedTrick[] {
  return tricks.map((trick, i) => ({ ...trick, host: `${where}-${i}.${zone}` }));
}

/** Of each of these, so many at once. */
export async function forEachOf<Item, Result>(items: Item[], act: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const actOnNext = async () => {
    for (const [i, item] of waiting) results[i] = await act(item);
  };
  await Promise.all(Array.from({ length: atOnceMax }, actOnNext));
  return results;
}

/** From now on the resolver does what the trick wants it to. */
export async function lay({ world }: GuardScene, { host, url, lookups }: HostedTrick): Promise<void> {
  await beHonest({ world }, host);
  const hostname = URL.parse(url(host))?.hostname.replace(/\.$/, '');
  if (hostname && lookups) await world.ask('resolveTo', { name: hostname, lookups });
}

function beHonest({ world }: Pick<GuardScene, 'world'>, host: string): Promise<void> {
  return world.ask('resolveTo', { name: host, lookups: [{ addresses: [publicIpv4, publicIpv6] }] });
}

/** Honest subscriptions, one for each trick, in as many workspaces as that takes. `fire` sends each of them an event. */
export async function subscribeAll(scene: GuardScene, tried: HostedTrick[]) {
  const workspaceCount = Math.ceil(tried.length / subscriptionsMax);
  const groups = Array.from({ length: workspaceCount }, (_, i) =>
    tried.slice(i * subscriptionsMax, (i + 1) * subscriptionsMax),
  );
  const subscribed = new Map<HostedTrick, { id: string; client: Client }>();
  const fires = await forEachOf(groups, async (group) => {
    const client = createClient(scene.url, (await scene.makeWorkspace()).sandboxKey);
    for (const one of group) {
      await beHonest(scene, one.host);
      const { status, body } = await client.post('/webhooks/subscriptions', { url: honestUrl(one), eventTypes });
      if (status !== 201) throw new Error(`${honestUrl(one)} was answered ${status} ${JSON.stringify(body)}`);
      subscribed.set(one, { id: body.subscriptionId, client });
    }
    const { submissionId } = await submit(client, [await uploadText(client)]);
    return () => client.post('/sandbox/events/fire', { eventType: eventTypes[0], submissionId });
  });
  const subscriptionOf = (one: HostedTrick) => subscribed.get(one) as { id: string; client: Client };

  return {
    /** As if the trick had been subscribed when nobody looked: what holds then is the check of the connection alone. */
    async turn(one: HostedTrick): Promise<void> {
      await lay(scene, one);
      await plant(scene, subscriptionOf(one).id, one.url(one.host));
    },
    async test(one: HostedTrick): Promise<string | null> {
      const { id, client } = subscriptionOf(one);
      const { status, body } = await client.post(`/webhooks/subscriptions/${id}/test`);
      if (status !== 200) throw new Error(`the test was answered ${status}`);
      return body.errorCode;
    },
    fire: () => Promise.all(fires.map((fire) => fire())),
    /** What became of the events, once there were so many attempts at each. */
    async untilAttempted(attemptCount: number): Promise<Outcome[]> {
      const ids = tried.map((one) => subscriptionOf(one).id);
      const rows = await untilAttempted(scene, ids, attemptCount);
      return tried.map(({ what }, i) => {
        const { attempts = [], disabled_reason = null } = rows.get(ids[i] as string) ?? {};
        const codes = attempts.slice(0, attemptCount).map(({ errorCode }) => errorCode);
        return { what, attempts: codes, disabledReason: disabled_reason };
      });
    },
  };
}

/** The receiver holds this one up, and then fails. */
const honestUrl = ({ host }: HostedTrick) => `https://${host}/hold`;

/** Writes a URL past every check of the API. */
export async function plant({ db }: Pick<GuardScene, 'db'>, subscriptionId: string, url: string): Promise<void> {
  await db.query('update subscriptions set url = $1 where subscription_id = $2', [url, subscriptionId]);
}

type Row = { subscription_id: string; disabled_reason: string | null; attempts: Attempt[] };

/** All that is there when there were so many attempts at each, or when they are overdue. */
async function untilAttempted({ db }: GuardScene, ids: string[], attemptCount: number): Promise<Map<string, Row>> {
  for (const deadline = Date.now() + attemptsSecondsMax * 1000; ; await sleep(100)) {
    const { rows } = await db.query<Row>(
      `select s.subscription_id, s.disabled_reason, d.attempts from subscriptions s
       join deliveries d on d.subscription_id = s.subscription_id and d.trigger <> 'test'
       where s.subscription_id = any($1::uuid[])`,
      [ids],
    );
    const isDone = rows.length === ids.length && rows.every(({ attempts }) => attempts.length >= attemptCount);
    if (isDone || Date.now() > deadline) return new Map(rows.map((row) => [row.subscription_id, row]));
  }
}
