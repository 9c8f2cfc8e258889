import { settleMillisMax } from './check-submissions.ts';
import type { FinalDelivery, FinalEvent, FinalWebhooks, Receipt } from './history.ts';
import { type ClientStory, type Finding, isOver, type RunRecord, readsOf } from './run-record.ts';

/** A run in which somebody had subscribed. */
export type WebhookRun = RunRecord & { webhooks: FinalWebhooks };

const attemptOf = (asset: string, attempt: number) => `asset ${asset}, attempt ${attempt}`;

/** Every attempt at a live asset that ended has its one event; nothing else has any. */
export function checkEvents({ end, webhooks, stories, receipts }: WebhookRun): Finding {
  const due = new Map<string, string>();
  for (const { mode, assets } of end.submissions) {
    if (mode !== 'live') continue;
    for (const { asset, attempt, status } of assets) {
      if (isOver(status)) due.set(attemptOf(asset, attempt), status);
      // Only what failed is tried again.
      for (let earlier = 1; earlier < attempt; earlier++) due.set(attemptOf(asset, earlier), 'failed');
    }
  }
  const stored = Map.groupBy(webhooks.events, ({ asset, attempt }) => attemptOf(asset, attempt));
  const missing = [...due.keys()].filter((name) => !stored.has(name)).map((name) => `${name} ended without an event`);
  const wrong = webhooks.events.flatMap(({ eventId, asset, attempt, status, livemode }) => {
    const name = attemptOf(asset, attempt);
    if (!due.has(name)) return [`event ${eventId} tells of ${name}, which is not live or has not ended`];
    if (!livemode) return [`event ${eventId} of ${name} says that it is not live`];
    return due.get(name) === status ? [] : [`event ${eventId}: ${name} is ${status}, and was ${due.get(name)}`];
  });
  return { checked: due.size, violations: [...missing, ...wrong, ...findDoubles(webhooks, stories, receipts)] };
}

// Also those that were only received: what was deleted since had its one event too.
function findDoubles({ events }: FinalWebhooks, stories: ClientStory[], receipts: Receipt[]): string[] {
  const nameOf = createNames(stories);
  const ids = new Map<string, Set<string>>();
  const note = (name: string, eventId: string) => ids.set(name, (ids.get(name) ?? new Set()).add(eventId));
  for (const { eventId, asset, attempt } of events) note(attemptOf(asset, attempt), eventId);
  for (const { eventId, told } of receipts) if (told) note(attemptOf(nameOf(told.assetId), told.attempt), eventId);
  const rowsOfId = Map.groupBy(events, ({ eventId }) => eventId);
  return [
    ...[...ids].flatMap(([name, own]) => (own.size > 1 ? [`${name} has the events ${[...own].join(' and ')}`] : [])),
    ...[...rowsOfId].flatMap(([id, rows]) =>
      rows.length > 1 ? [`the id ${id} stands for ${rows.length} events`] : [],
    ),
  ];
}

/** Every event came to every subscription and was taken, or all its attempts are on record; and that soon. */
export function checkDeliveries(run: WebhookRun): Finding {
  const { webhooks, stories } = run;
  const { events, paths } = webhooks;
  const pairOf = ({ eventId, path }: { eventId: string; path: string }) => `event ${eventId} to ${path}`;
  const deliveries = Map.groupBy(webhooks.deliveries, pairOf);
  const receipts = Map.groupBy(run.receipts, pairOf);
  const deleteAsked = new Set(stories.flatMap((story) => (story.wasDeleteAsked && story.created?.submissionId) || []));
  const violations = events.flatMap(({ eventId }) =>
    paths.flatMap((path) => {
      const pair = pairOf({ eventId, path });
      const [delivery, ...others] = deliveries.get(pair) ?? [];
      if (!delivery || others.length > 0) return [`${pair}: ${others.length + (delivery ? 1 : 0)} deliveries`];
      const mayBeCancelled = deleteAsked.has(delivery.submissionId);
      return [...complaintsAbout(delivery, receipts.get(pair) ?? [], mayBeCancelled), ...latenessOf(delivery, run)].map(
        (complaint) => `${pair} ${complaint}`,
      );
    }),
  );
  const eventIds = new Set(events.map(({ eventId }) => eventId));
  const strays = webhooks.deliveries.filter((one) => !eventIds.has(one.eventId) || !paths.includes(one.path));
  return {
    checked: events.length * paths.length,
    violations: [...violations, ...strays.map((one) => `${pairOf(one)}: a delivery of nothing, or to nobody`)],
  };
}

const isStatus = (attempt: string) => /^\d+$/.test(attempt);
const isTaken = (attempt: string) => /^2\d\d$/.test(attempt);

function complaintsAbout(
  { status, attempts, attemptsMax }: FinalDelivery,
  receipts: Receipt[],
  mayBeCancelled: boolean,
): string[] {
  const complaints: string[] = [];
  const wasTaken = receipts.some(({ answered }) => isTaken(String(answered)));
  if (status === 'succeeded' && !wasTaken) complaints.push('succeeded, and was never taken there');
  if (status === 'succeeded' && !isTaken(attempts.at(-1) ?? ''))
    complaints.push('succeeded without a last good attempt');
  if (status === 'failed' && (attempts.length !== attemptsMax || attempts.some(isTaken)))
    complaints.push(`failed with the attempts ${attempts.join(', ')} of ${attemptsMax}`);
  if (status === 'cancelled' && !mayBeCancelled) complaints.push('was cancelled, although nothing was deleted');
  const answeredCount = attempts.filter(isStatus).length;
  if (answeredCount > receipts.length)
    complaints.push(`has ${answeredCount} answers on record, and came ${receipts.length} times`);
  return complaints;
}

function latenessOf(
  { status, createdAtMillis, endedAtMillis }: FinalDelivery,
  { webhooks, lastFaultMillis, endMillis }: WebhookRun,
): string[] {
  const sinceMillis = Math.max(createdAtMillis, lastFaultMillis);
  const tookMillis = (endedAtMillis ?? endMillis) - sinceMillis;
  if (tookMillis <= settleMillisMax + webhooks.scheduleMillisMax) return [];
  return [`was ${status} only ${(tookMillis / 1000).toFixed(1)} s after it was due and the last fault`];
}

/** Whoever is told of an end reads it at once and finds it, or what was made of it since. */
export function checkStateFirst({ receipts, stories }: WebhookRun): Finding {
  const storyOf = createStories(stories);
  let checked = 0;
  const violations = receipts.flatMap(({ told, look, atMillis, eventId, path }) => {
    if (!told || !look) return [];
    checked++;
    const what = `event ${eventId} came to ${path} at ${atMillis} ms, and its asset`;
    if (look.breach) return [`${what} was answered ${look.status}: ${look.breach}`];
    if (look.status === 404 && storyOf(told.submissionId)?.wasDeleteAsked) return [];
    if (!look.asset) return [`${what} was answered ${look.status}`];
    const { attempt, status } = look.asset;
    const isTrue = attempt > told.attempt || (attempt === told.attempt && status === told.status);
    return isTrue ? [] : [`${what} was ${status} in attempt ${attempt}, not ${told.status} in ${told.attempt}`];
  });
  return { checked, violations };
}

/** Whatever comes is signed by the secret of its subscription, and always the same bytes as on record. */
export function checkReceipts({ receipts, webhooks }: WebhookRun): Finding {
  const known = new Map(webhooks.events.map(({ eventId, bodySha256 }) => [eventId, bodySha256]));
  const violations = receipts.flatMap(({ eventId, bodySha256, isSigned, breach, atMillis, path }) => {
    const what = `event ${eventId} at ${path}, at ${atMillis} ms`;
    const first = known.get(eventId) ?? bodySha256;
    known.set(eventId, first);
    return [
      ...(isSigned ? [] : [`${what}: its signature does not verify`]),
      ...(first === bodySha256 ? [] : [`${what}: other bytes than before`]),
      ...(breach ? [`${what}: ${breach}`] : []),
    ];
  });
  return { checked: receipts.length, violations };
}

/** Nobody is told of what is not on record; and what was deleted took its events and deliveries with it. */
export function checkOrigins({ receipts, stories, end, webhooks }: WebhookRun): Finding {
  const storyOf = createStories(stories);
  const stored = new Map(webhooks.events.map((event) => [event.eventId, event]));
  const nameOf = createNames(stories);
  const fromNowhere = [...Map.groupBy(receipts, ({ eventId }) => eventId)].flatMap(([eventId, [first]]) => {
    const { told } = first as Receipt;
    if (!told) return []; // said elsewhere
    const isSame = ({ asset, attempt, status }: FinalEvent) =>
      asset === nameOf(told.assetId) && attempt === told.attempt && status === told.status;
    const event = stored.get(eventId);
    if (event) return isSame(event) ? [] : [`event ${eventId} came as another than it is on record`];
    const story = storyOf(told.submissionId);
    const isOfDeleted = story?.mode === 'live' && story.wasDeleteAsked && told.attempt <= lastAttemptOf(story);
    return isOfDeleted ? [] : [`event ${eventId} came from nowhere`];
  });
  const submissionIds = new Set(end.submissions.map(({ submissionId }) => submissionId));
  const leftOf = (rows: { eventId: string; submissionId: string }[], what: string) =>
    rows.flatMap(({ eventId, submissionId }) =>
      submissionIds.has(submissionId) ? [] : [`${what} ${eventId} is left of ${submissionId}, which is gone`],
    );
  const left = [...leftOf(webhooks.events, 'event'), ...leftOf(webhooks.deliveries, 'a delivery of')];
  return { checked: receipts.length, violations: [...fromNowhere, ...left] };
}

const lastAttemptOf = (story: ClientStory) =>
  Math.max(0, ...readsOf(story).flatMap(({ seen }) => seen.assets.map(({ attempt }) => attempt)));

function createStories(stories: ClientStory[]): (submissionId: string) => ClientStory | undefined {
  const bySubmission = new Map(stories.map((story) => [story.created?.submissionId, story]));
  return (submissionId) => bySubmission.get(submissionId);
}

function createNames(stories: ClientStory[]): (assetId: string) => string {
  const names = new Map(
    stories.flatMap(({ client, created }) =>
      (created?.assetIds ?? []).map((assetId, place) => [assetId, `${client}/${place}`] as const),
    ),
  );
  return (assetId) => names.get(assetId) ?? assetId;
}
