import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from './checker.ts';
import { cleanRun, delivery, event, type Run, receipt } from './clean-webhooks.ts';
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

const oneEvent = 'one event per settled live attempt, and no other';
const delivered = 'every event is accepted by every subscription, or its schedule is exhausted';
const stateFirst = 'a receiver that reads at once sees the settled state';
const sameBytes = 'an event always has the same bytes and a valid signature';
const origins = 'every received event is recorded, and none is left of a deleted submission';
const sandbox = { mode: 'sandbox' } as const;
const invariantNames = [oneEvent, delivered, stateFirst, sameBytes, origins];

/** The names of the webhook invariants that the change violates. */
function violatedBy(tamper: (run: Run) => void): string[] {
  const run = cleanRun();
  tamper(run);
  return check(run.events).flatMap(({ name, violations }) =>
    invariantNames.includes(name) && violations.length > 0 ? name : [],
  );
}

const receiptOf = ({ receipts }: Run, eventId: string, path = '/first') =>
  receipts.find((one) => one.eventId === eventId && one.path === path) as Receipt;
/** Changes what the receiver read when the event arrived. */
const changeAssetRead = (run: Run, look: AssetRead) => Object.assign(receiptOf(run, 'event-2-2'), { look });
const deliveryOf = ({ webhooks }: Run, eventId: string, path: string) =>
  webhooks.deliveries.find((one) => one.eventId === eventId && one.path === path) as FinalDelivery;
const remove = <One>(list: One[], isIt: (one: One) => boolean) => list.splice(list.findIndex(isIt), 1);
const receive = ({ events }: Run, one: Receipt) => events.splice(-1, 0, one);

test('the recorded webhook chaos run has 1,000 events to 3 subscriptions, 5 kills of each target and no violations', () => {
  const history = readHistory(join(import.meta.dirname, '..', 'results', 'webhooks', 'history.jsonl.gz'));
  const { webhooks } = readRun(history).end;
  expect(webhooks?.paths).toHaveLength(3);
  expect(webhooks?.events.length).toBeGreaterThanOrEqual(1000);
  const killed = history.flatMap((one) => (one.op === 'kill' ? one.target.replace(/-\d$/, '') : []));
  for (const target of ['worker', 'api', 'postgres', 'redis', 'temporal'])
    expect(killed.filter((one) => one === target).length, target).toBeGreaterThanOrEqual(5);
  expect(check(history).filter(({ violations }) => violations.length > 0)).toEqual([]);
});

describe('the chaos checker, for webhook events,', () => {
  test('finds no violation in a clean run, and has something to check for every invariant', () => {
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
    const later = (run: Run) => {
      receiptOf(run, 'event-2-1').look = { status: 200, tries: 1, asset: { status: 'processing', attempt: 2 } };
      delete receiptOf(run, 'event-2-2').look;
    };
    expect(violatedBy(later)).toEqual([]);
  });

  test('accepts a running asset without an event', () => {
    const running = { asset: '2/1', status: 'processing', attempt: 1, hasBlob: true };
    expect(violatedBy(({ end }) => end.submissions[1]?.assets.push(running))).toEqual([]);
  });

  test('accepts an event that is sent again after it was accepted', () => {
    expect(violatedBy((run) => receive(run, receipt('event-2-1', '/first', 200)))).toEqual([]);
  });

  test('accepts a pending delivery until its schedule ends', () => {
    const waiting = (run: Run, atMillis: number) => {
      Object.assign(deliveryOf(run, 'event-2-1', '/flaky'), {
        status: 'pending',
        attempts: ['500'],
        endedAtMillis: null,
      });
      (run.events.at(-1) as { atMillis: number }).atMillis = atMillis;
    };
    expect(violatedBy((run) => waiting(run, 91_000))).toEqual([]);
    expect(violatedBy((run) => waiting(run, 92_000))).toEqual([delivered]);
  });

  type Case = [what: string, names: string[], tamper: (run: Run) => void];
  const cases: Case[] = [
    [
      'a settled attempt has no event',
      [oneEvent],
      ({ webhooks, receipts, events }) => {
        const isIt = ({ eventId }: { eventId: string }) => eventId === 'event-2-2';
        webhooks.events = webhooks.events.filter((one) => !isIt(one));
        webhooks.deliveries = webhooks.deliveries.filter((one) => !isIt(one));
        for (const one of receipts.filter(isIt)) events.splice(events.indexOf(one), 1);
      },
    ],
    [
      'an attempt that was followed by another has no event',
      [oneEvent],
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
      [oneEvent, delivered],
      ({ webhooks }) => webhooks.events.push(event('event-2-9', 2, 'complete')),
    ],
    [
      'a second event of a submission that was deleted later is received',
      [oneEvent],
      (run) => receive(run, { ...receipt('event-3-1', '/flaky', 200), eventId: 'event-3-9' }),
    ],
    [
      'two events have the same id',
      [oneEvent],
      ({ webhooks }) => webhooks.events.push(event('event-2-2', 2, 'complete')),
    ],
    [
      'a simulated run has an event',
      [oneEvent, delivered],
      ({ webhooks }) => webhooks.events.push({ ...event('event-1-1', 1, 'complete'), asset: '1/0' }),
    ],
    [
      'an event is about an unfinished attempt',
      [oneEvent, delivered],
      ({ webhooks }) => webhooks.events.push(event('event-2-3', 3, 'complete')),
    ],
    [
      'an event claims not to be live',
      [oneEvent],
      ({ webhooks }) => Object.assign(webhooks.events[0] as FinalEvent, { livemode: false }),
    ],
    [
      'an event reports an outcome that its attempt did not have',
      [oneEvent, origins],
      ({ webhooks }) => Object.assign(webhooks.events[1] as FinalEvent, { status: 'failed' }),
    ],
    ['a subscription has no delivery of an event', [delivered], ({ webhooks }) => webhooks.deliveries.pop()],
    [
      'a subscription has two deliveries of an event',
      [delivered],
      ({ webhooks }) => webhooks.deliveries.push(delivery('event-2-2', '/first', ['200'])),
    ],
    [
      'a delivery belongs to no event',
      [delivered],
      ({ webhooks }) => webhooks.deliveries.push(delivery('event-2-8', '/first', ['200'])),
    ],
    [
      'a delivery succeeded without a receipt',
      [delivered],
      (run) => remove(run.events, (one) => one === receiptOf(run, 'event-2-2')),
    ],
    [
      'a delivery succeeded although it was always refused',
      [delivered],
      (run) => Object.assign(receiptOf(run, 'event-2-2'), { answered: 500 }),
    ],
    [
      'a delivery succeeded although its last attempt failed',
      [delivered],
      (run) => Object.assign(deliveryOf(run, 'event-2-2', '/first'), { attempts: ['500'] }),
    ],
    [
      'a delivery was given up before its last attempt',
      [delivered],
      (run) => deliveryOf(run, 'event-2-1', '/flaky').attempts.pop(),
    ],
    [
      'a delivery failed although it was accepted',
      [delivered],
      (run) => deliveryOf(run, 'event-2-1', '/flaky').attempts.splice(3, 1, '200'),
    ],
    [
      'a delivery was cancelled although nothing was deleted',
      [delivered],
      (run) => Object.assign(deliveryOf(run, 'event-2-1', '/flaky'), { status: 'cancelled' }),
    ],
    [
      'a response is recorded that was never sent',
      [delivered],
      (run) => deliveryOf(run, 'event-2-2', '/second').attempts.unshift('500'),
    ],
    [
      'a delivery is still pending long after its schedule',
      [delivered],
      (run) => Object.assign(deliveryOf(run, 'event-2-1', '/flaky'), { status: 'pending', endedAtMillis: null }),
    ],
    [
      'a delivery ended too late',
      [delivered],
      (run) => Object.assign(deliveryOf(run, 'event-2-2', '/first'), { endedAtMillis: 91_501 }),
    ],
    [
      'the asset was still processing when its end was reported',
      [stateFirst],
      (run) => changeAssetRead(run, { status: 200, tries: 1, asset: { status: 'processing', attempt: 2 } }),
    ],
    [
      'the asset was in the previous attempt when its end was reported',
      [stateFirst],
      (run) => changeAssetRead(run, { status: 200, tries: 1, asset: { status: 'failed', attempt: 1 } }),
    ],
    [
      'the asset had another outcome than the one reported',
      [stateFirst],
      (run) => changeAssetRead(run, { status: 200, tries: 1, asset: { status: 'failed', attempt: 2 } }),
    ],
    [
      'the asset did not exist when its end was reported',
      [stateFirst],
      (run) => changeAssetRead(run, { status: 404, tries: 1 }),
    ],
    [
      'the response for the asset violated the contract',
      [stateFirst],
      (run) => Object.assign(receiptOf(run, 'event-2-2').look as object, { breach: 'undeclared' }),
    ],
    [
      'a signature does not verify',
      [sameBytes],
      (run) => Object.assign(receiptOf(run, 'event-2-2'), { isSigned: false }),
    ],
    [
      'an event is received with other bytes than those recorded',
      [sameBytes],
      (run) => Object.assign(receiptOf(run, 'event-2-2'), { bodySha256: 'another' }),
    ],
    [
      'a deleted event had other bytes at the second subscription than at the first',
      [sameBytes],
      (run) => Object.assign(receiptOf(run, 'event-3-1', '/second'), { bodySha256: 'another' }),
    ],
    [
      'a receipt is not an event',
      [sameBytes],
      (run) => {
        const one = { ...receipt('event-2-2', '/first', 200), breach: 'no id' };
        delete one.told;
        receive(run, one);
      },
    ],
    [
      'an unrecorded event is received',
      [origins, stateFirst],
      (run) => receive(run, { ...receipt('event-4-1', '/first', 200), look: { status: 404, tries: 1 } }),
    ],
    ['an event of a simulated run is received', [origins], (run) => receive(run, receipt('event-1-1', '/first', 200))],
    [
      'an event of a deleted simulated run is received',
      [origins],
      ({ events }) => Object.assign(events.find((one) => one.op === 'create' && one.client === 3) as Create, sandbox),
    ],
    [
      'an event of an attempt that a deleted submission never had is received',
      [origins],
      (run) => receive(run, receipt('event-3-2', '/first', 200)),
    ],
    [
      'an event of a deleted submission is left behind',
      [oneEvent, delivered, origins],
      ({ webhooks }) =>
        webhooks.events.push({ ...event('event-3-1', 1, 'complete'), submissionId: 'submission-3', asset: '3/0' }),
    ],
    [
      'a delivery of a deleted submission is left behind',
      [delivered, origins],
      ({ webhooks }) =>
        webhooks.deliveries.push({ ...delivery('event-3-1', '/first', ['200']), submissionId: 'submission-3' }),
    ],
  ];
  test.each(cases)('detects that %s', (_, names, tamper) => {
    expect(violatedBy(tamper).sort()).toEqual(names.sort());
  });
});
