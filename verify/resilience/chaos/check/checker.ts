import {
  checkBlobs,
  checkCredits,
  checkProcesses,
  checkRecovery,
  checkResponses,
  checkScratch,
  checkUnexpectedExits,
} from './check-effects.ts';
import {
  checkDeliveries,
  checkEvents,
  checkReceipts,
  checkReceivedEvents,
  checkStateAtReceipt,
  type WebhookRun,
} from './check-events.ts';
import { checkDeadlyFiles, checkFindings } from './check-findings.ts';
import {
  checkCancellations,
  checkFailures,
  checkOrder,
  checkOutcomes,
  checkProgress,
  checkRetries,
} from './check-reads.ts';
import { checkDeleted, checkKeys, checkReadable, checkSettled } from './check-submissions.ts';
import type { Event } from './history.ts';
import { type Finding, type RunRecord, readRun } from './run-record.ts';

export type Invariant = Finding & { name: string };

const invariants: Record<string, (run: RunRecord) => Finding> = {
  'an acknowledged submission is readable with all its assets': checkReadable,
  'at most one submission per Idempotency-Key': checkKeys,
  'one outcome per attempt': checkOutcomes,
  'nothing is stuck 60 s after the last fault': checkSettled,
  'status never goes backwards': checkOrder,
  'progress never falls within an attempt': checkProgress,
  'an accepted retry is a new attempt': checkRetries,
  'an accepted cancellation takes effect at once': checkCancellations,
  'a deleted submission stays deleted': checkDeleted,
  'credits exactly once': checkCredits,
  'valid files fail only when cancelled': checkFailures,
  'every response follows the contract, and none blames the caller': checkResponses,
  'no process is left': checkProcesses,
  'no scratch file is left': checkScratch,
  'no orphaned blob is left': checkBlobs,
  'every killed process comes back': checkRecovery,
  'API and workers end only when killed': checkUnexpectedExits,
};

/** Checked only in runs with deadly files. */
const deadlyInvariants: typeof invariants = {
  'a file that kills its worker fails after three tries': checkDeadlyFiles,
};

/** Checked only in runs in which clients read issues in full. */
const issueInvariants: typeof invariants = {
  'the same file has the same issues, in full': checkFindings,
};

/** Checked only in runs with webhook subscriptions. */
const webhookInvariants: Record<string, (run: WebhookRun) => Finding> = {
  'one event per settled live attempt, and no other': checkEvents,
  'every event is accepted by every subscription, or its schedule is exhausted': checkDeliveries,
  'a receiver that reads at once sees the settled state': checkStateAtReceipt,
  'an event always has the same bytes and a valid signature': checkReceipts,
  'every received event is recorded, and none is left of a deleted submission': checkReceivedEvents,
};

/**
 * Checks a complete history and its final state against every invariant. An invariant with nothing to check counts as
 * violated.
 */
export function check(events: Event[]): Invariant[] {
  const run = readRun(events);
  const { webhooks } = run.end;
  return [
    ...examineAll(invariants, run),
    ...(run.clientRecords.some(({ isDeadly }) => isDeadly) ? examineAll(deadlyInvariants, run) : []),
    ...(events.some(({ op }) => op === 'issues') ? examineAll(issueInvariants, run) : []),
    ...(webhooks ? examineAll(webhookInvariants, { ...run, webhooks }) : []),
  ];
}

function examineAll<Run>(all: Record<string, (run: Run) => Finding>, run: Run): Invariant[] {
  return Object.entries(all).map(([name, examine]) => {
    const { checked, violations } = examine(run);
    return { name, checked, violations: checked === 0 ? ['there was nothing to check', ...violations] : violations };
  });
}
