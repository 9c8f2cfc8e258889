import { settleMillisMax } from './check-submissions.ts';
import type { FinalDelivery, FinalEvent, FinalWebhooks, Receipt } from './history.ts';
import { type ClientRecord, type Finding, isFinished, type RunRecord, readsOf } from './run-record.ts';

/** The record of a run with webhook subscriptions. */
export type WebhookRun = RunRecord & { webhooks: FinalWebhooks };

const attemptLabel = (asset: string, attempt: number) => `asset ${asset}, attempt ${attempt}`;

/** Every finished attempt at a live asset has exactly one event; no other attempt has one. */
export function checkEvents({ end, webhooks, clientRecords, receipts }: WebhookRun): Finding {
  const due = new Map<string, string>();
  for (const { mode, assets } of end.submissions) {
    if (mode !== 'live') continue;
    for (const { asset, attempt, status } of assets) {
      if (isFinished(status)) due.set(attemptLabel(asset, attempt), status);
      // Only a failed attempt can be retried, so every earlier attempt failed.
      for (let earlier = 1; earlier < attempt; earlier++) due.set(attemptLabel(asset, earlier), 'failed');
    }
  }
  const stored = Map.groupBy(webhooks.events, ({ asset, attempt }) => attemptLabel(asset, attempt));
  const missing = [...due.keys()]
    .filter((name) => !stored.has(name))
    .map((name) => `${name} finished without an event`);
  const wrong = webhooks.events.flatMap(({ eventId, asset, attempt, status, livemode }) => {
    const name = attemptLabel(asset, attempt);
    if (!due.has(name)) return [`event ${eventId} is about ${name}, which is not live or not finished`];
    if (!livemode) return [`event ${eventId} of ${name} claims not to be live`];
    return due.get(name) === status ? [] : [`event ${eventId}: ${name} is ${status} instead of ${due.get(name)}`];
  });
  return {
    checked: due.size,
    violations: [...missing, ...wrong, ...findDuplicateEvents(webhooks, clientRecords, receipts)],
  };
}

// Includes received events that are no longer stored, because an attempt at an asset that was deleted later also had
// exactly one event.
function findDuplicateEvents({ events }: FinalWebhooks, clientRecords: ClientRecord[], receipts: Receipt[]): string[] {
  const assetNameOf = createAssetNames(clientRecords);
  const ids = new Map<string, Set<string>>();
  const note = (name: string, eventId: string) => ids.set(name, (ids.get(name) ?? new Set()).add(eventId));
  for (const { eventId, asset, attempt } of events) note(attemptLabel(asset, attempt), eventId);
  for (const { eventId, told } of receipts)
    if (told) note(attemptLabel(assetNameOf(told.assetId), told.attempt), eventId);
  const rowsOfId = Map.groupBy(events, ({ eventId }) => eventId);
  return [
    ...[...ids].flatMap(([name, own]) => (own.size > 1 ? [`${name} has the events ${[...own].join(' and ')}`] : [])),
    ...[...rowsOfId].flatMap(([id, rows]) => (rows.length > 1 ? [`${rows.length} events have the id ${id}`] : [])),
  ];
}

/** Every event was accepted by every subscription, or every attempt to deliver it is recorded; both in time. */
export function checkDeliveries(run: WebhookRun): Finding {
  const { webhooks, clientRecords } = run;
  const { events, paths } = webhooks;
  const pairOf = ({ eventId, path }: { eventId: string; path: string }) => `event ${eventId} to ${path}`;
  const deliveries = Map.groupBy(webhooks.deliveries, pairOf);
  const receipts = Map.groupBy(run.receipts, pairOf);
  const deleteAsked = new Set(
    clientRecords.flatMap((record) => (record.wasDeleteAsked && record.created?.submissionId) || []),
  );
  const violations = events.flatMap(({ eventId }) =>
    paths.flatMap((path) => {
      const pair = pairOf({ eventId, path });
      const [delivery, ...others] = deliveries.get(pair) ?? [];
      if (!delivery || others.length > 0) return [`${pair}: ${others.length + (delivery ? 1 : 0)} deliveries`];
      const mayBeCancelled = deleteAsked.has(delivery.submissionId);
      return [
        ...deliveryProblems(delivery, receipts.get(pair) ?? [], mayBeCancelled),
        ...latenessOf(delivery, run),
      ].map((complaint) => `${pair} ${complaint}`);
    }),
  );
  const eventIds = new Set(events.map(({ eventId }) => eventId));
  const strays = webhooks.deliveries.filter((one) => !eventIds.has(one.eventId) || !paths.includes(one.path));
  return {
    checked: events.length * paths.length,
    violations: [
      ...violations,
      ...strays.map((one) => `${pairOf(one)}: a delivery without an event or a subscription`),
    ],
  };
}

const isHttpStatus = (attempt: string) => /^\d+$/.test(attempt);
const isAccepted = (attempt: string) => /^2\d\d$/.test(attempt);

function deliveryProblems(
  { status, attempts, attemptsMax }: FinalDelivery,
  receipts: Receipt[],
  mayBeCancelled: boolean,
): string[] {
  const complaints: string[] = [];
  const wasAccepted = receipts.some(({ answered }) => isAccepted(String(answered)));
  if (status === 'succeeded' && !wasAccepted) complaints.push('succeeded, but was never accepted there');
  if (status === 'succeeded' && !isAccepted(attempts.at(-1) ?? ''))
    complaints.push('succeeded, but its last attempt failed');
  if (status === 'failed' && (attempts.length !== attemptsMax || attempts.some(isAccepted)))
    complaints.push(`failed with the attempts ${attempts.join(', ')} of ${attemptsMax}`);
  if (status === 'cancelled' && !mayBeCancelled) complaints.push('was cancelled, but nothing was deleted');
  const answeredCount = attempts.filter(isHttpStatus).length;
  if (answeredCount > receipts.length)
    complaints.push(`has ${answeredCount} recorded responses, but was received ${receipts.length} times`);
  return complaints;
}

function latenessOf(
  { status, createdAtMillis, endedAtMillis }: FinalDelivery,
  { webhooks, lastFaultMillis, endMillis }: WebhookRun,
): string[] {
  const sinceMillis = Math.max(createdAtMillis, lastFaultMillis);
  const tookMillis = (endedAtMillis ?? endMillis) - sinceMillis;
  if (tookMillis <= settleMillisMax + webhooks.scheduleMillisMax) return [];
  return [`was ${status} only ${(tookMillis / 1000).toFixed(1)} s after it was due and after the last fault`];
}

/** A receiver that reads the asset at once sees the state that the event reports, or a later one. */
export function checkStateAtReceipt({ receipts, clientRecords }: WebhookRun): Finding {
  const recordOf = createRecordLookup(clientRecords);
  let checked = 0;
  const violations = receipts.flatMap(({ told, look, atMillis, eventId, path }) => {
    if (!told || !look) return [];
    checked++;
    const what = `event ${eventId} was received at ${path} at ${atMillis} ms; its asset`;
    if (look.breach) return [`${what} was answered with ${look.status}: ${look.breach}`];
    if (look.status === 404 && recordOf(told.submissionId)?.wasDeleteAsked) return [];
    if (!look.asset) return [`${what} was answered with ${look.status}`];
    const { attempt, status } = look.asset;
    const isTrue = attempt > told.attempt || (attempt === told.attempt && status === told.status);
    return isTrue ? [] : [`${what} was ${status} in attempt ${attempt}, not ${told.status} in ${told.attempt}`];
  });
  return { checked, violations };
}

/** Every receipt is signed with the secret of its subscription and has the recorded bytes. */
export function checkReceipts({ receipts, webhooks }: WebhookRun): Finding {
  const known = new Map(webhooks.events.map(({ eventId, bodySha256 }) => [eventId, bodySha256]));
  const violations = receipts.flatMap(({ eventId, bodySha256, isSigned, breach, atMillis, path }) => {
    const what = `event ${eventId} at ${path}, at ${atMillis} ms`;
    const first = known.get(eventId) ?? bodySha256;
    known.set(eventId, first);
    return [
      ...(isSigned ? [] : [`${what}: its signature does not verify`]),
      ...(first === bodySha256 ? [] : [`${what}: the bytes differ from before`]),
      ...(breach ? [`${what}: ${breach}`] : []),
    ];
  });
  return { checked: receipts.length, violations };
}

/** Every received event is recorded; events and deliveries of deleted submissions are gone. */
export function checkReceivedEvents({ receipts, clientRecords, end, webhooks }: WebhookRun): Finding {
  const recordOf = createRecordLookup(clientRecords);
  const stored = new Map(webhooks.events.map((event) => [event.eventId, event]));
  const assetNameOf = createAssetNames(clientRecords);
  const unrecorded = [...Map.groupBy(receipts, ({ eventId }) => eventId)].flatMap(([eventId, [first]]) => {
    const { told } = first as Receipt;
    if (!told) return []; // reported by checkReceipts
    const isSame = ({ asset, attempt, status }: FinalEvent) =>
      asset === assetNameOf(told.assetId) && attempt === told.attempt && status === told.status;
    const event = stored.get(eventId);
    if (event) return isSame(event) ? [] : [`event ${eventId} differs from its record`];
    const record = recordOf(told.submissionId);
    const isOfDeleted = record?.mode === 'live' && record.wasDeleteAsked && told.attempt <= lastAttemptOf(record);
    return isOfDeleted ? [] : [`event ${eventId} is not recorded`];
  });
  const submissionIds = new Set(end.submissions.map(({ submissionId }) => submissionId));
  const leftOf = (rows: { eventId: string; submissionId: string }[], what: string) =>
    rows.flatMap(({ eventId, submissionId }) =>
      submissionIds.has(submissionId) ? [] : [`${what} ${eventId} of the deleted submission ${submissionId} is left`],
    );
  const left = [...leftOf(webhooks.events, 'event'), ...leftOf(webhooks.deliveries, 'a delivery of')];
  return { checked: receipts.length, violations: [...unrecorded, ...left] };
}

const lastAttemptOf = (record: ClientRecord) =>
  Math.max(0, ...readsOf(record).flatMap(({ seen }) => seen.assets.map(({ attempt }) => attempt)));

function createRecordLookup(clientRecords: ClientRecord[]): (submissionId: string) => ClientRecord | undefined {
  const bySubmission = new Map(clientRecords.map((record) => [record.created?.submissionId, record]));
  return (submissionId) => bySubmission.get(submissionId);
}

function createAssetNames(clientRecords: ClientRecord[]): (assetId: string) => string {
  const names = new Map(
    clientRecords.flatMap(({ client, created }) =>
      (created?.assetIds ?? []).map((assetId, place) => [assetId, `${client}/${place}`] as const),
    ),
  );
  return (assetId) => names.get(assetId) ?? assetId;
}
