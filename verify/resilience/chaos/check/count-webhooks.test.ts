import { expect, test } from 'vitest';
import { cleanRun } from './clean-webhooks.ts';
import { countWebhooks } from './count-webhooks.ts';
import { readRun } from './run-record.ts';

test('countWebhooks counts receipts, failures and repetitions, and returns the slowest delivery', () => {
  const { events, webhooks } = cleanRun();
  expect(countWebhooks(webhooks, readRun(events))).toEqual({
    'events in the database at the end': 2,
    'of these before the last kill': 0,
    'events received and deleted since': 1,
    'deliveries in the database at the end': 6,
    'of these succeeded': 5,
    'of these failed, with their schedule exhausted': 1,
    'recorded attempts': 17,
    'of these failed': 12,
    receipts: 18,
    'reads at receipt that were answered': 18,
    'of these at the first try': 18,
    'events received more than once at a subscription': 2,
    'of these after they had been accepted': 0,
    'slowest from an event to its first receipt, s': 0.5,
  });
});
