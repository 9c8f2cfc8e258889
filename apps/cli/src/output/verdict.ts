import { wasChecked } from '@assay/report/file-counts.ts';
import { formatCount } from '@assay/report/format/format.ts';
import {
  countBySeverity,
  isUnresolved,
  type Severity,
  type SeverityCounts,
  severities,
} from '@assay/report/severity.ts';
import { exitCodeOf, type Outcome } from '../exit-codes.ts';
import type { CheckedFile } from './checked.ts';
import { type Output, stripControls } from './output.ts';
import { wrap } from './text-width.ts';

/** The severity from which issues fail a run: given with `--fail-on`, or else set by the delivery profile. */
export type Gate = { failOn: Severity; profile: string | null };

/** Printed by `--json`: the names are part of the interface. */
export type Verdict = {
  outcome: Outcome;
  exitCode: number;
  failOn: Severity | null;
  /** The delivery profile that sets `failOn`; null if it comes from the flag, or if there is no threshold. */
  failOnProfile: string | null;
  /** The number of unresolved issues at or above `failOn`; 0 if it is null. */
  failingCount: number;
  /** Counts of the issues that are neither resolved nor dismissed. */
  counts: SeverityCounts;
  settledCount: number;
  assetCount: number;
  analysedCount: number;
  failedCount: number;
  refusedCount: number;
  /** Assets of simulated runs (sandbox key), which are not analysed. */
  simulatedCount: number;
  /** Assets to which no check applies. */
  uncheckedCount: number;
  /** `simulatedCount` and `uncheckedCount` under their earlier names, which the next minor version removes. */
  rehearsedCount: number;
  unseenCount: number;
};

/**
 * A file that was not checked is not a clean file: with a gate it fails the run. A simulated run fails only if the gate
 * was asked for, because none of its files can pass.
 */
export function judge(checked: CheckedFile[], gate: Gate | undefined): Verdict {
  const failOn = gate?.failOn;
  const issues = checked.flatMap((one) => one.issues);
  const unresolved = issues.filter(isUnresolved);
  const countOf = (matches: (one: CheckedFile) => boolean) => checked.filter(matches).length;
  const refusedCount = countOf(({ refusal }) => refusal !== null);
  const failedCount = countOf(({ result }) => result?.status === 'failed');
  const simulatedCount = countOf(isSimulated);
  const uncheckedCount = countOf(
    (one) => one.result?.status === 'complete' && !wasChecked(one.result) && !isSimulated(one),
  );
  const unprovenCount = uncheckedCount + (gate?.profile === null ? simulatedCount : 0);
  const isIncomplete = failedCount > 0 || (gate !== undefined && unprovenCount > 0);
  const failingCount = failOn ? unresolved.filter((issue) => isAtLeast(issue.severity, failOn)).length : 0;
  const outcome =
    refusedCount > 0 ? 'refused' : isIncomplete ? 'failed' : failingCount > 0 ? 'findings' : ('ok' as const);
  return {
    outcome,
    exitCode: exitCodeOf(outcome),
    failOn: failOn ?? null,
    failOnProfile: gate?.profile ?? null,
    failingCount,
    counts: countBySeverity(unresolved),
    settledCount: issues.length - unresolved.length,
    assetCount: checked.length,
    analysedCount: checked.length - refusedCount - failedCount - simulatedCount - uncheckedCount,
    failedCount,
    refusedCount,
    simulatedCount,
    uncheckedCount,
    rehearsedCount: simulatedCount,
    unseenCount: uncheckedCount,
  };
}

export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(threshold);
}

/** Whether the result is that of a simulated run: with a sandbox key, the service reports no issue count. */
export function isSimulated({ result }: Pick<CheckedFile, 'result'>): boolean {
  return result?.status === 'complete' && result.issueCount === null;
}

/** The outcome of the run in one sentence, with the number of files and issues. */
export function formatVerdict(verdict: Verdict, output: Output): string {
  const { counts, failOn, failingCount, settledCount, analysedCount, assetCount } = verdict;
  const found = severities.filter((severity) => counts[severity] > 0);
  const total = found.reduce((sum, severity) => sum + counts[severity], 0);
  const issues = total > 0 ? `${formatCount(total, 'issue')} (${formatCounts(counts)})` : 'no issues';
  const parts = [
    analysedCount > 0 ? `${formatCount(analysedCount, 'file')} analysed, ${issues}` : '',
    settledCount > 0 ? `${settledCount} resolved or dismissed` : '',
    verdict.failedCount > 0 ? `${verdict.failedCount} failed` : '',
    verdict.refusedCount > 0 ? `${verdict.refusedCount} rejected` : '',
    verdict.simulatedCount > 0 ? `${formatCount(verdict.simulatedCount, 'file')} not analysed (sandbox key)` : '',
    verdict.uncheckedCount > 0 ? `${formatCount(verdict.uncheckedCount, 'file')} not checked (no check applies)` : '',
  ].filter(Boolean);
  const isComplete = verdict.outcome === 'ok' && analysedCount === assetCount;
  const mark = isComplete
    ? total > 0
      ? output.paint('•', 'yellow')
      : output.paint('✓', 'green')
    : output.paint(verdict.outcome === 'ok' ? '•' : '✗', verdict.outcome === 'ok' ? 'yellow' : 'red');
  const by = verdict.failOnProfile ? `, the gate of ${stripControls(verdict.failOnProfile)}` : '';
  const gate = failOn
    ? failingCount > 0
      ? output.paint(`Failed: ${formatCount(failingCount, 'issue')} at ${failOn} or above${by}.`, 'red')
      : verdict.outcome === 'ok' && analysedCount > 0
        ? output.paint(`Passed: no issues at ${failOn} or above${by}.`, 'green')
        : ''
    : '';
  const text = [`${mark} ${output.paint(`${parts.join('; ')}.`, 'bold')}`, gate].filter(Boolean).join(' ');
  return wrap(text, output.width()).join('\n');
}

function formatCounts(counts: SeverityCounts): string {
  return severities.flatMap((one) => (counts[one] > 0 ? [`${counts[one]} ${one}`] : [])).join(', ');
}
