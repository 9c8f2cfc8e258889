import { describe, expect, test } from 'vitest';
import { check } from './checker.ts';
import { createRequest, finalSubmission, requestFields } from './clean-webhooks.ts';
import type { AssetSeen, Create, Event, FinalState, FinalSubmission, Read, Retry } from './history.ts';

/** A short run without violations: one submission is deleted, one cancelled and retried, one created during a kill. */
function cleanRun(): { events: Event[]; end: FinalState } {
  const end: FinalState = {
    submissions: [finalSubmission(1, 'sandbox', 1), finalSubmission(2, 'live', 2)],
    credits: [
      { asset: '2/0', attempt: 2, credits: 1 },
      { asset: '3/0', attempt: 1, credits: 1 },
    ],
    creditsUsed: 2,
    runsWaiting: 0,
    storedBlobs: 2,
    orphanBlobs: [],
    scratchFiles: [],
    processesEnded: 4,
    orphanProcesses: [],
  };
  const events: Event[] = [
    { atMillis: 0, op: 'up', target: 'api-1', millis: 5 },
    { ...requestFields(3, 201), op: 'upload' },
    { ...requestFields(1, 0, 'ECONNREFUSED'), op: 'create', mode: 'sandbox' },
    createRequest(1, 'sandbox'),
    read(1, seen('submitted', 0)),
    { atMillis: 1000, op: 'kill', target: 'api-1', signal: 'SIGKILL', pid: 7 },
    { atMillis: 1500, op: 'up', target: 'api-1', millis: 400 },
    { ...requestFields(1, 502, 'service_unavailable'), op: 'read' },
    read(1, seen('processing', 40)),
    read(1, seen('complete', 100, { outcome: 'complete, no issues' })),
    createRequest(2, 'live'),
    read(2, seen('processing', 0)),
    { ...requestFields(2, 202), op: 'cancel' },
    read(2, seen('failed', 0, { outcome: 'failed, cancelled' })),
    { ...requestFields(2, 202), op: 'retry', place: 0 },
    read(2, seen('submitted', 0, { attempt: 2 })),
    read(2, seen('complete', 100, { attempt: 2, outcome: 'complete, 1 issues' })),
    createRequest(3, 'live'),
    read(3, seen('complete', 100, { outcome: 'complete, 0 issues' })),
    { ...requestFields(3, 0, 'timeout'), op: 'delete' },
    { ...requestFields(3, 404, 'submission_not_found'), op: 'delete' },
    { ...requestFields(3, 404, 'submission_not_found'), op: 'read' },
    { atMillis: 9000, op: 'end', state: end },
  ];
  return { events, end };
}

const read = (client: number, shown: NonNullable<Read['seen']>): Read => ({
  ...requestFields(client, 200),
  op: 'read',
  seen: shown,
});
const seen = (status: string, progressPercent: number, asset: Partial<AssetSeen> = {}) => ({
  status,
  progressPercent,
  assets: [{ place: 0, status, attempt: 1, progressPercent, ...asset }],
});
/** The names of the invariants that the change violates. */
function violatedBy(tamper: (run: ReturnType<typeof cleanRun>) => void): string[] {
  const run = cleanRun();
  tamper(run);
  return check(run.events).flatMap(({ name, violations }) => (violations.length > 0 ? name : []));
}

const addCredit = (end: FinalState, asset: string, attempt: number) => {
  end.credits.push({ asset, attempt, credits: 1 });
  end.creditsUsed++;
};
const insertAfter = (events: Event[], isIt: (event: Event) => boolean, event: Event) =>
  events.splice(events.findLastIndex(isIt) + 1, 0, event);
const isProcessing = (event: Event) => event.op === 'read' && event.client === 1 && event.seen?.status === 'processing';
const isOf = (client: number) => (event: Event) => 'client' in event && event.client === client;

const readable = 'an acknowledged submission is readable with all its assets';
const oneKey = 'at most one submission per Idempotency-Key';
const oneOutcome = 'one outcome per attempt';
const settled = 'nothing is stuck 60 s after the last fault';
const order = 'status never goes backwards';
const progress = 'progress never falls within an attempt';
const retries = 'an accepted retry is a new attempt';
const cancellations = 'an accepted cancellation takes effect at once';
const deleted = 'a deleted submission stays deleted';
const credits = 'credits exactly once';
const failures = 'valid files fail only when cancelled';
const answers = 'every response follows the contract, and none blames the caller';
const recovery = 'every killed process comes back';

describe('the chaos checker', () => {
  test('checks every invariant of a clean run and finds no violation', () => {
    for (const { name, checked, violations } of check(cleanRun().events)) {
      expect(violations, name).toEqual([]);
      expect(checked, name).toBeGreaterThan(0);
    }
  });

  test('reports every invariant as violated if the run is empty', () => {
    const state: FinalState = {
      ...cleanRun().end,
      submissions: [],
      credits: [],
      creditsUsed: 0,
      storedBlobs: 0,
      processesEnded: 0,
    };
    for (const { name, violations } of check([{ atMillis: 0, op: 'end', state }])) {
      expect(violations, name).toEqual(['there was nothing to check']);
    }
  });

  test('accepts both a deleted and an existing submission after a deletion that got no response', () => {
    const isOfDeletion = (event: Event) => isOf(3)(event) && 'status' in event && event.status === 404;
    const unanswered = (run: ReturnType<typeof cleanRun>) => {
      run.events = run.events.filter((event) => !isOfDeletion(event));
      run.events.push(...cleanRun().events.filter(({ op }) => op === 'end'));
    };
    expect(violatedBy(unanswered)).toEqual([deleted]); // now nothing was deleted
    const gone = (run: ReturnType<typeof cleanRun>) => {
      unanswered(run);
      insertAfter(run.events, isOf(3), { ...requestFields(3, 404, 'submission_not_found'), op: 'read' });
    };
    expect(violatedBy(gone)).toEqual([deleted]);
  });

  type Case = [what: string, names: string[], tamper: (run: ReturnType<typeof cleanRun>) => void];
  const cases: Case[] = [
    [
      'an acknowledged submission is not found at the end',
      [readable, answers],
      ({ events }) => insertAfter(events, isOf(1), { ...requestFields(1, 404, 'submission_not_found'), op: 'read' }),
    ],
    [
      'an acknowledged submission is not in the database',
      [readable],
      ({ end }) => {
        end.submissions = end.submissions.filter(({ client }) => client !== 1);
      },
    ],
    [
      'an asset is missing from a response',
      [readable],
      ({ events }) => insertAfter(events, isOf(1), read(1, { status: 'complete', progressPercent: 100, assets: [] })),
    ],
    [
      'the file of a kept submission is missing',
      [readable],
      ({ end }) => Object.assign(end.submissions[0]?.assets[0] as object, { hasBlob: false }),
    ],
    [
      'responses to one key contain two submissions',
      [oneKey],
      ({ events }) => insertAfter(events, isOf(1), { ...createRequest(1, 'sandbox'), submissionId: 'another' }),
    ],
    [
      'one key created a second, unacknowledged submission',
      [oneKey],
      ({ end }) => end.submissions.push({ ...finalSubmission(1, 'sandbox', 1), submissionId: 'another' }),
    ],
    [
      'an attempt seen as complete is failed in the database',
      [oneOutcome],
      ({ end }) => Object.assign(end.submissions[0]?.assets[0] as object, { status: 'failed', errorType: 'x' }),
    ],
    [
      'an attempt ends twice, with different issues',
      [oneOutcome],
      ({ events }) =>
        insertAfter(events, isOf(2), read(2, seen('complete', 100, { attempt: 2, outcome: 'complete, 2 issues' }))),
    ],
    [
      'a submission that no client knows is stuck',
      [settled],
      ({ end }) =>
        end.submissions.push({
          ...finalSubmission(9, 'sandbox', 1),
          client: null,
          status: 'processing',
          endedAtMillis: null,
        }),
    ],
    [
      'a submission ends more than 60 s after the last fault',
      [settled],
      ({ end }) => Object.assign(end.submissions[0] as FinalSubmission, { endedAtMillis: 61_001 }),
    ],
    ['a run is still not started', [settled], ({ end }) => Object.assign(end, { runsWaiting: 1 })],
    [
      'a client never got a response to its submission',
      [settled],
      ({ events }) => events.unshift({ atMillis: 9, op: 'give up', client: 1, what: 'create' }),
    ],
    [
      'a status goes back from processing to submitted',
      [order],
      ({ events }) => insertAfter(events, isProcessing, read(1, { ...seen('submitted', 40) })),
    ],
    [
      'only the status of the submission goes back',
      [order],
      ({ events }) => insertAfter(events, isProcessing, read(1, { ...seen('processing', 40), status: 'submitted' })),
    ],
    [
      'a settled submission is processing again without a retry',
      [settled, order, progress],
      ({ events }) => insertAfter(events, isOf(1), read(1, seen('processing', 99))),
    ],
    [
      'an attempt starts without a retry',
      [order],
      ({ events }) =>
        insertAfter(events, isOf(1), read(1, seen('complete', 100, { attempt: 2, outcome: 'complete, no issues' }))),
    ],
    [
      'the progress of an attempt decreases',
      [progress],
      ({ events }) => insertAfter(events, isProcessing, read(1, seen('processing', 39))),
    ],
    [
      'only the progress of an asset decreases',
      [progress],
      ({ events }) => insertAfter(events, isProcessing, read(1, seen('processing', 40, { progressPercent: 39 }))),
    ],
    [
      'only the progress of the submission decreases',
      [progress],
      ({ events }) => insertAfter(events, isProcessing, read(1, { ...seen('processing', 40), progressPercent: 39 })),
    ],
    [
      'a retry is accepted and the old attempt is still shown',
      [retries],
      ({ events }) =>
        insertAfter(
          events,
          (event) => (event as Retry).op === 'retry',
          read(2, seen('failed', 0, { outcome: 'failed, cancelled' })),
        ),
    ],
    [
      'a cancelled submission continues',
      [cancellations],
      ({ events }) => insertAfter(events, (event) => event.op === 'cancel', read(2, seen('processing', 0))),
    ],
    [
      'a deleted submission is seen again',
      [deleted],
      ({ events }) => insertAfter(events, isOf(3), read(3, seen('complete', 100, { outcome: 'complete, 0 issues' }))),
    ],
    [
      'a deleted submission is briefly seen again',
      [deleted],
      ({ events }) => {
        insertAfter(events, isOf(3), read(3, seen('complete', 100, { outcome: 'complete, 0 issues' })));
        insertAfter(events, isOf(3), { ...requestFields(3, 404, 'submission_not_found'), op: 'read' });
      },
    ],
    [
      'a deleted submission is in the database',
      [deleted],
      ({ end }) => end.submissions.push(finalSubmission(3, 'live', 1)),
    ],
    ['a completed live asset was not charged', [credits], ({ end }) => end.credits.pop()],
    ['an attempt was charged twice', [credits], ({ end }) => addCredit(end, '2/0', 2)],
    ['a cancelled attempt was charged', [credits], ({ end }) => addCredit(end, '2/0', 1)],
    ['a simulated run was charged', [credits], ({ end }) => addCredit(end, '1/0', 1)],
    [
      'the service reports a sum of credits that differs from its ledger',
      [credits],
      ({ end }) => Object.assign(end, { creditsUsed: 1 }),
    ],
    [
      'an asset fails without a cancellation',
      [failures, oneOutcome],
      ({ events }) => {
        const last = events.findLast((event) => event.op === 'read' && event.client === 1) as Read;
        last.seen = seen('failed', 40, { outcome: 'failed, internal_error' });
      },
    ],
    [
      'a valid request is refused',
      [answers],
      ({ events }) =>
        events.unshift({
          ...requestFields(1, 422, 'blob_not_uploaded'),
          op: 'create',
          mode: 'sandbox',
        } satisfies Create),
    ],
    [
      'a response violates the contract',
      [answers],
      ({ events }) =>
        insertAfter(events, isOf(3), { ...requestFields(3, 500, 'oops'), op: 'upload', breach: 'undeclared' }),
    ],
    ['a decoder is left running', ['no process is left'], ({ end }) => end.orphanProcesses.push('ffprobe (pid 12)')],
    ['a scratch file remains', ['no scratch file is left'], ({ end }) => end.scratchFiles.push('assay-upload-1')],
    ['a blob remains', ['no orphaned blob is left'], ({ end }) => end.orphanBlobs.push('blob-1')],
    [
      'the API stays down',
      [recovery],
      ({ events }) => {
        events.splice(
          events.findLastIndex(({ op }) => op === 'up'),
          1,
        );
      },
    ],
    [
      'the API exits by itself',
      ['API and workers end only when killed'],
      ({ events }) => events.unshift({ atMillis: 9, op: 'ended by itself', target: 'api-1', how: 'code 1' }),
    ],
  ];
  test.each(cases)('detects that %s', (_, names, tamper) => {
    expect(violatedBy(tamper).sort()).toEqual(names.sort());
  });
});
