import { exitCodeOf, type Outcome } from './exit-codes.ts';
import type { Output } from './output.ts';
import { formatCount } from './report/format.ts';
import { countBySeverity, isStanding, type Severity, type SeverityCounts, severities } from './report/severity.ts';
import { wasChecked } from './report/verdict.ts';
import type { Checked } from './results.ts';

export type Verdict = {
  outcome: Outcome;
  exitCode: number;
  failOn: Severity | null;
  /** Findings that count against it; 0 without `failOn`. */
  failingCount: number;
  /** Of findings that nobody has resolved or dismissed. */
  counts: SeverityCounts;
  settledCount: number;
  assetCount: number;
  analysedCount: number;
  failedCount: number;
  refusedCount: number;
  /** Assets of a sandbox key: nobody looked at them. */
  rehearsedCount: number;
  /** Assets that no sidekick looked at, as none applies. */
  unseenCount: number;
};

/**
 * What is not known weighs more than what is: a file that nobody could look at is no clean one. So a gate does not pass
 * for it; without a gate it is no failure.
 */
export function judge(checked: Checked[], failOn: Severity | undefined): Verdict {
  const issues = checked.flatMap((one) => one.issues);
  const standing = issues.filter(isStanding);
  const of = (isMeant: (one: Checked) => boolean) => checked.filter(isMeant).length;
  const refusedCount = of(({ refusal }) => refusal !== null);
  const failedCount = of(({ result }) => result?.status === 'failed');
  const rehearsedCount = of(isRehearsed);
  const unseenCount = of((one) => one.result?.status === 'complete' && !wasChecked(one.result) && !isRehearsed(one));
  const isUnknown = failedCount > 0 || (failOn !== undefined && rehearsedCount + unseenCount > 0);
  const failingCount = failOn ? standing.filter((issue) => isAtLeast(issue.severity, failOn)).length : 0;
  const outcome = refusedCount > 0 ? 'refused' : isUnknown ? 'failed' : failingCount > 0 ? 'findings' : ('ok' as const);
  return {
    outcome,
    exitCode: exitCodeOf(outcome),
    failOn: failOn ?? null,
    failingCount,
    counts: countBySeverity(standing),
    settledCount: issues.length - standing.length,
    assetCount: checked.length,
    analysedCount: checked.length - refusedCount - failedCount - rehearsedCount - unseenCount,
    failedCount,
    refusedCount,
    rehearsedCount,
    unseenCount,
  };
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

export function isRehearsed({ result }: Pick<Checked, 'result'>): boolean {
  return result?.status === 'complete' && result.issueCount === null;
}

/** One line or two for the eye that reads nothing else. */
export function formatVerdict(verdict: Verdict, output: Output): string {
  const { counts, failOn, failingCount, settledCount, analysedCount, assetCount } = verdict;
  const found = severities.filter((severity) => counts[severity] > 0);
  const total = found.reduce((sum, severity) => sum + counts[severity], 0);
  const findings = total > 0 ? `${formatCount(total, 'finding')} (${formatCounts(counts)})` : 'no findings';
  const parts = [
    analysedCount > 0 ? `${formatCount(analysedCount, 'file')} analysed, ${findings}` : '',
    settledCount > 0 ? `${settledCount} resolved or dismissed before` : '',
    verdict.failedCount > 0 ? `${verdict.failedCount} failed` : '',
    verdict.refusedCount > 0 ? `${verdict.refusedCount} refused` : '',
    verdict.rehearsedCount > 0 ? `${formatCount(verdict.rehearsedCount, 'file')} not analysed (sandbox key)` : '',
    verdict.unseenCount > 0 ? `${formatCount(verdict.unseenCount, 'file')} that no sidekick looked at` : '',
  ].filter(Boolean);
  const isGood = verdict.outcome === 'ok' && analysedCount === assetCount;
  const mark = isGood
    ? total > 0
      ? output.paint('•', 'yellow')
      : output.paint('✓', 'green')
    : output.paint(verdict.outcome === 'ok' ? '•' : '✗', verdict.outcome === 'ok' ? 'yellow' : 'red');
  const gate = failOn
    ? failingCount > 0
      ? output.paint(`Fails: ${formatCount(failingCount, 'finding')} at ${failOn} or above.`, 'red')
      : verdict.outcome === 'ok' && analysedCount > 0
        ? output.paint(`Passes: nothing at ${failOn} or above.`, 'green')
        : ''
    : '';
  return [`${mark} ${output.paint(`${parts.join('; ')}.`, 'bold')}`, gate].filter(Boolean).join(' ');
}

function formatCounts(counts: SeverityCounts): string {
  return severities.flatMap((one) => (counts[one] > 0 ? [`${counts[one]} ${one}`] : [])).join(', ');
}
