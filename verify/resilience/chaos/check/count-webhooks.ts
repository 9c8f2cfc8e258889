import type { FinalWebhooks } from './history.ts';
import type { RunRecord } from './run-record.ts';

/** Counts of events, deliveries and receipts, for the verdict. */
export function countWebhooks(
  { events, deliveries }: FinalWebhooks,
  { receipts, lastFaultMillis }: RunRecord,
): Record<string, number> {
  const storedIds = new Set(events.map(({ eventId }) => eventId));
  const receivedIds = new Set(receipts.map(({ eventId }) => eventId));
  const pairs = Map.groupBy(receipts, ({ eventId, path }) => eventId + path);
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  return {
    'events in the database at the end': events.length,
    'of these before the last kill': events.filter(({ atMillis }) => atMillis < lastFaultMillis).length,
    'events received and deleted since': [...receivedIds].filter((id) => !storedIds.has(id)).length,
    'deliveries in the database at the end': deliveries.length,
    'of these succeeded': deliveries.filter(({ status }) => status === 'succeeded').length,
    'of these failed, with their schedule exhausted': deliveries.filter(({ status }) => status === 'failed').length,
    'recorded attempts': attempts.length,
    'of these failed': attempts.filter((one) => !/^2\d\d$/.test(one)).length,
    receipts: receipts.length,
    'reads at receipt that were answered': receipts.filter(({ look }) => look).length,
    'of these at the first try': receipts.filter(({ look }) => look?.tries === 1).length,
    'events received more than once at a subscription': [...pairs.values()].filter((own) => own.length > 1).length,
    'of these after they had been accepted': [...pairs.values()].filter(
      (own) => own.filter(({ answered }) => answered === 200).length > 1,
    ).length,
    'slowest from an event to its first receipt, s': slowestSeconds(events, pairs, receipts),
  };
}

function slowestSeconds(
  events: FinalWebhooks['events'],
  pairs: Map<string, RunRecord['receipts']>,
  receipts: RunRecord['receipts'],
): number {
  const paths = [...new Set(receipts.map(({ path }) => path))];
  const waits = events.flatMap(({ eventId, atMillis }) =>
    paths.flatMap((path) => {
      const own = pairs.get(eventId + path) ?? [];
      return own.length > 0 ? Math.min(...own.map((receipt) => receipt.atMillis)) - atMillis : [];
    }),
  );
  return Math.round(waits.reduce((most, wait) => Math.max(most, wait), 0) / 100) / 10;
}
