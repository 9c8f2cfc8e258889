import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from './checker.ts';
import { cleanRun, finalDelivery, finalEvent, makeReceipt, type WebhookTestRun } from './clean-webhooks.ts';
import {
  type AssetRead,
  type Create,
  type FinalDelivery,
  type FinalEvent,
  type FinalSubmission,
  type FinalWebhooks,
  type Receipt,
  readHistory,
} from './history.ts';
import { readRun } from './run-record.ts';

const oneEventInvariant = 'one event per settled live attempt, and no other';
const deliveredInvariant = 'every event is accepted by every subscription, or its schedule is exhausted';
const stateFirstInvariant = 'a receiver that reads at once sees the settled state';
const sameBytesInvariant = 'an event always has the same bytes and a valid signature';
const originsInvariant = 'every received event is recorded, and none is left of a deleted submission';
const sandboxMode = { mode: 'sandbox' } as const;
const invariantNames = [
  oneEventInvariant,
  deliveredInvariant,
  stateFirstInvariant,
  sameBytesInvariant,
  originsInvariant,
];

/** The names of the webhook invariants that the change violates. */
function violatedBy(tamper: (run: WebhookTestRun) => void): string[] {
  const run = cleanRun();
  tamper(run);
  return check(run.events).flatMap(({ name, violations }) =>
    invariantNames.includes(name) && violations.length > 0 ? name : [],
  );
}

const receiptOf = ({ receipts }: WebhookTestRun, eventId: string, path = '/first') =>
  receipts.find((one) => one.eventId === eventId && one.path === path) as Receipt;
/** Changes what the receiver read when the event arrived. */
const changeAssetRead = (run: WebhookTestRun, look: AssetRead) => Object.assign(receiptOf(run, 'event-2-2'), { look });
const deliveryOf = ({ webhooks }: WebhookTestRun, eventId: string, path: string) =>
  webhooks.deliveries.find((one) => one.eventId === eventId && one.path === path) as FinalDelivery;
const removeFirst = <One>(list: One[], isIt: (one: One) => boolean) => list.splice(list.findIndex(isIt), 1);
const addReceipt = ({ events }: WebhookTestRun, one: Receipt) => events.splice(-1, 0, one);

test('the recorded webhook chaos run has 3 subscriptions, at least 1,000 events and 5 kills of each target, and no violations', () => {
  const history = readHistory(join(import.meta.dirname, '..', 'results', 'webhooks', 'history.jsonl.gz'));
  const { webhooks } = readRun(history).end;
  expect(webhooks?.paths).toHaveLength(3);
  expect(webhooks?.events.length).toBeGreaterThanOrEqual(1000);
  const killed = history.flatMap((one) => (one.op === 'kill' ? one.target.replace(/-\d$/, '') : []));
  for (const target of ['worker', 'api', 'postgres', 'redis', 'temporal'])
    expect(killed.filter((one) => one === target).length, target).toBeGreaterThanOrEqual(5);
  expect(check(history).filter(({ violations }) => violations.length > 0)).toEqual([]);
});

describe('the chaos checker for webhook runs', () => {
  test('checks every invariant of a clean run and finds no violation', () => {
    const found = check(cleanRun().events).filter(({ name }) => invariantNames.includes(name));
    expect(found.map(({ name, violations }) => [name, violations])).toEqual(invariantNames.map((name) => [name, []]));
    expect(found.map(({ checked }) => checked)).toEqual([2, 6, 18, 18, 18]);
  });

  test('reports every invariant as violated if the run is empty', () => {
    const { end } = cleanRun();
    const webhooks = { ...(end.webhooks as FinalWebhooks), events: [], deliveries: [] };
    const state = { ...end, submissions: [], webhooks };
    for (const { name, violations } of check([{ atMillis: 0, op: 'end', state }])) {
      if (invariantNames.includes(name)) expect(violations, name).toEqual(['there was nothing to check']);
    }
  });

  test('accepts an asset that was retried before its receiver read it, or that the receiver could not read', () => {
    const later = (run: WebhookTestRun) => {
      receiptOf(run, 'event-2-1').look = { status: 200, tries: 1, asset: { status: 'processing', attempt: 2 } };
      delete receiptOf(run, 'event-2-2').look;
    };
    expect(violatedBy(later)).toEqual([]);
  });

  test('accepts an unfinished asset without an event', () => {
    const running = { asset: '2/1', status: 'processing', attempt: 1, hasBlob: true };
    expect(violatedBy(({ end }) => end.submissions[1]?.assets.push(running))).toEqual([]);
  });

  test('accepts an event that is sent again after it was accepted', () => {
    expect(violatedBy((run) => addReceipt(run, makeReceipt('event-2-1', '/first', 200)))).toEqual([]);
  });

  test('accepts a pending delivery until its schedule ends', () => {
    const waiting = (run: WebhookTestRun, atMillis: number) => {
      Object.assign(deliveryOf(run, 'event-2-1', '/flaky'), {
        status: 'pending',
        attempts: ['500'],
        endedAtMillis: null,
      });
      (run.events.at(-1) as { atMillis: number }).atMillis = atMillis;
    };
    expect(violatedBy((run) => waiting(run, 91_000))).toEqual([]);
    expect(violatedBy((run) => waiting(run, 92_000))).toEqual([deliveredInvariant]);
  });

  type Case = [what: string, names: string[], tamper: (run: WebhookTestRun) => void];
  const cases: Case[] = [
    [
      'a settled attempt has no event',
      [oneEventInvariant],
      ({ webhooks, receipts, events }) => {
        const isIt = ({ eventId }: { eventId: string }) => eventId === 'event-2-2';
        webhooks.events = webhooks.events.filter((one) => !isIt(one));
        webhooks.deliveries = webhooks.deliveries.filter((one) => !isIt(one));
        for (const one of receipts.filter(isIt)) events.splice(events.indexOf(one), 1);
      },
    ],
    [
      'an attempt that was followed by another has no event',
      [oneEventInvariant],
      (run) => {
        (run.end.submissions[1] as FinalSubmission).assets.push({
          asset: '2/1',
          status: 'processing',
          attempt: 2,
          hasBlob: true,
        });
      },
    ],
    [
      'an attempt has a second event',
      [oneEventInvariant, deliveredInvariant],
      ({ webhooks }) => webhooks.events.push(finalEvent('event-2-9', 2, 'complete')),
    ],
    [
      'a second event of a submission that was deleted later is received',
      [oneEventInvariant],
      (run) => addReceipt(run, { ...makeReceipt('event-3-1', '/flaky', 200), eventId: 'event-3-9' }),
    ],
    [
      'two events have the same id',
      [oneEventInvariant],
      ({ webhooks }) => webhooks.events.push(finalEvent('event-2-2', 2, 'complete')),
    ],
    [
      'a simulated run has an event',
      [oneEventInvariant, deliveredInvariant],
      ({ webhooks }) => webhooks.events.push({ ...finalEvent('event-1-1', 1, 'complete'), asset: '1/0' }),
    ],
    [
      'an event is about an unfinished attempt',
      [oneEventInvariant, deliveredInvariant],
      ({ webhooks }) => webhooks.events.push(finalEvent('event-2-3', 3, 'complete')),
    ],
    [
      'an event claims not to be live',
      [oneEventInvariant],
      ({ webhooks }) => Object.assign(webhooks.events[0] as FinalEvent, { livemode: false }),
    ],
    [
      'an event reports an outcome that its attempt did not have',
      [oneEventInvariant, originsInvariant],
      ({ webhooks }) => Object.assign(webhooks.events[1] as FinalEvent, { status: 'failed' }),
    ],
    ['a subscription has no delivery of an event', [deliveredInvariant], ({ webhooks }) => webhooks.deliveries.pop()],
    [
      'a subscription has two deliveries of an event',
      [deliveredInvariant],
      ({ webhooks }) => webhooks.deliveries.push(finalDelivery('event-2-2', '/first', ['200'])),
    ],
    [
      'a delivery belongs to no event',
      [deliveredInvariant],
      ({ webhooks }) => webhooks.deliveries.push(finalDelivery('event-2-8', '/first', ['200'])),
    ],
    [
      'a delivery succeeded without a receipt',
      [deliveredInvariant],
      (run) => removeFirst(run.events, (one) => one === receiptOf(run, 'event-2-2')),
    ],
    [
      'a delivery succeeded although it was always refused',
      [deliveredInvariant],
      (run) => Object.assign(receiptOf(run, 'event-2-2'), { answered: 500 }),
    ],
    [
      'a delivery succeeded although its last attempt failed',
      [deliveredInvariant],
      (run) => Object.assign(deliveryOf(run, 'event-2-2', '/first'), { attempts: ['500'] }),
    ],
    [
      'a delivery was given up before its last attempt',
      [deliveredInvariant],
      (run) => deliveryOf(run, 'event-2-1', '/flaky').attempts.pop(),
    ],
    [
      'a delivery failed although it was accepted',
      [deliveredInvariant],
      (run) => deliveryOf(run, 'event-2-1', '/flaky').attempts.splice(3, 1, '200'),
    ],
    [
      'a delivery was cancelled although nothing was deleted',
      [deliveredInvariant],
      (run) => Object.assign(deliveryOf(run, 'event-2-1', '/flaky'), { status: 'cancelled' }),
    ],
    [
      'a response is recorded that was never sent',
      [deliveredInvariant],
      (run) => deliveryOf(run, 'event-2-2', '/second').attempts.unshift('500'),
    ],
    [
      'a delivery is still pending long after its schedule',
      [deliveredInvariant],
      (run) => Object.assign(deliveryOf(run, 'event-2-1', '/flaky'), { status: 'pending', endedAtMillis: null }),
    ],
    [
      'a delivery ended too late',
      [deliveredInvariant],
      (run) => Object.assign(deliveryOf(run, 'event-2-2', '/first'), { endedAtMillis: 91_501 }),
    ],
    [
      'the asset was still processing when its outcome was reported',
      [stateFirstInvariant],
      (run) => changeAssetRead(run, { status: 200, tries: 1, asset: { status: 'processing', attempt: 2 } }),
    ],
    [
      'the asset still showed the previous attempt when its outcome was reported',
      [stateFirstInvariant],
      (run) => changeAssetRead(run, { status: 200, tries: 1, asset: { status: 'failed', attempt: 1 } }),
    ],
    [
      'the asset had an outcome other than the one reported',
      [stateFirstInvariant],
      (run) => changeAssetRead(run, { status: 200, tries: 1, asset: { status: 'failed', attempt: 2 } }),
    ],
    [
      'the asset did not exist when its outcome was reported',
      [stateFirstInvariant],
      (run) => changeAssetRead(run, { status: 404, tries: 1 }),
    ],
    [
      'the response for the asset violated the contract',
      [stateFirstInvariant],
      (run) => Object.assign(receiptOf(run, 'event-2-2').look as object, { breach: 'undeclared' }),
    ],
    [
      'a signature does not verify',
      [sameBytesInvariant],
      (run) => Object.assign(receiptOf(run, 'event-2-2'), { isSigned: false }),
    ],
    [
      'an event is received with bytes that differ from those recorded',
      [sameBytesInvariant],
      (run) => Object.assign(receiptOf(run, 'event-2-2'), { bodySha256: 'another' }),
    ],
    [
      'the two subscriptions received different bytes of a deleted event',
      [sameBytesInvariant],
      (run) => Object.assign(receiptOf(run, 'event-3-1', '/second'), { bodySha256: 'another' }),
    ],
    [
      'a receipt is not an event',
      [sameBytesInvariant],
      (run) => {
        const one = { ...makeReceipt('event-2-2', '/first', 200), breach: 'no id' };
        delete one.told;
        addReceipt(run, one);
      },
    ],
    [
      'an unrecorded event is received',
      [originsInvariant, stateFirstInvariant],
      (run) => addReceipt(run, { ...makeReceipt('event-4-1', '/first', 200), look: { status: 404, tries: 1 } }),
    ],
    [
      'an event of a simulated run is received',
      [originsInvariant],
      (run) => addReceipt(run, makeReceipt('event-1-1', '/first', 200)),
    ],
    [
      'an event of a deleted simulated run is received',
      [originsInvariant],
      ({ events }) =>
        Object.assign(events.find((one) => one.op === 'create' && one.client === 3) as Create, sandboxMode),
    ],
    [
      'an event is received about an attempt that a deleted submission never had',
      [originsInvariant],
      (run) => addReceipt(run, makeReceipt('event-3-2', '/first', 200)),
    ],
    [
      'an event of a deleted submission is left behind',
      [oneEventInvariant, deliveredInvariant, originsInvariant],
      ({ webhooks }) =>
        webhooks.events.push({ ...finalEvent('event-3-1', 1, 'complete'), submissionId: 'submission-3', asset: '3/0' }),
    ],
    [
      'a delivery of a deleted submission is left behind',
      [deliveredInvariant, originsInvariant],
      ({ webhooks }) =>
        webhooks.deliveries.push({ ...finalDelivery('event-3-1', '/first', ['200']), submissionId: 'submission-3' }),
    ],
  ];
  test.each(cases)('detects that %s', (_, names, tamper) => {
    expect(violatedBy(tamper).sort()).toEqual(names.sort());
  });
});
