import { formatCount } from '@assay/report/format/format.ts';
import {
  countBySeverity,
  isUnresolved,
  type Severity,
  type SeverityCounts,
  severities,
} from '@assay/report/severity.ts';
import { wasChecked } from '@assay/report/verdict/file-counts.ts';
import { type AssetVerdict, formatGate, isIncomplete, judgeAsset } from '@assay/report/verdict/judgement.ts';
import { type Verdict, verdicts } from '@assay/sdk';
import { exitCodeOf, type Outcome, outcomeOf } from '../exit-codes.ts';
import type { FailureDescription } from '../failure.ts';
import type { CheckedFile, RunGate } from './checked.ts';
import { type Output, type Style, stripControls } from './output.ts';
import { wrap } from './text-width.ts';

/** Printed by `--json`: the names are part of the interface. */
export type RunVerdict = {
  /** The worst of all files; null if one has none, as in a simulated run. */
  verdict: Verdict | null;
  outcome: Outcome;
  exitCode: number;
  failOn: Severity | null;
  /** The delivery profile that sets `failOn`; null if it comes from the flag, or if there is no threshold. */
  failOnProfile: string | null;
  /** Short names of the checks that may be incomplete. */
  allowIncomplete: string[];
  /** The number of issues that make the verdict `failed`; 0 if `failOn` is null. */
  failingCount: number;
  blockingCount: number;
  reviewCount: number;
  waivedCount: number;
  /** Names of the checks that did not examine everything in some file. */
  incompleteChecks: string[];
  /** Counts of the issues that are neither resolved nor dismissed. */
  counts: SeverityCounts;
  settledCount: number;
  assetCount: number;
  analysedCount: number;
  failedCount: number;
  refusedCount: number;
  /** Files without a result because the run could not be finished for them. */
  missingCount: number;
  /** Assets of simulated runs (sandbox key), which are not analysed. */
  simulatedCount: number;
  /** Assets to which no check applies. */
  uncheckedCount: number;
  /** `simulatedCount` and `uncheckedCount` under their earlier names, which the next minor version removes. */
  rehearsedCount: number;
  unseenCount: number;
};

const outcomes: Record<Verdict, Outcome> = {
  failed: 'findings',
  not_checked: 'failed',
  needs_review: 'needs_review',
  passed_with_waivers: 'ok',
  passed: 'ok',
};

/**
 * The verdict on all files. What ended the run early decides the exit code, then a rejected file, then the worst verdict.
 * A file that was not checked, or only simulated, is never one that passed.
 */
export function judge(checked: CheckedFile[], gate: RunGate | null, failure: FailureDescription | null): RunVerdict {
  const issues = checked.flatMap((one) => one.issues);
  const unresolved = issues.filter(isUnresolved);
  const countOf = (matches: (one: CheckedFile) => boolean) => checked.filter(matches).length;
  const refusedCount = countOf(({ refusal }) => refusal !== null);
  const missingCount = countOf(({ result, refusal }) => !result && !refusal);
  const failedCount = countOf(({ result }) => result?.status === 'failed');
  const simulatedCount = countOf(isSimulated);
  const uncheckedCount = countOf(
    (one) => one.result?.status === 'complete' && !wasChecked(one.result) && !isSimulated(one),
  );
  const judged = gate
    ? checked.flatMap(({ result, issues }) => (result ? judgeAsset({ result, issues }, gate) : []))
    : [];
  const verdict = worstOf(judged);
  const sumOf = (name: 'blockingCount' | 'reviewCount' | 'waivedCount') =>
    judged.reduce((sum, one) => sum + one[name], 0);
  const byVerdict = gate?.isEnforced ? outcomes[verdict ?? 'not_checked'] : failedCount > 0 ? 'failed' : 'ok';
  const outcome = failure ? outcomeOf(failure.exitCode) : refusedCount > 0 ? 'refused' : byVerdict;
  const isEnforced = gate?.isEnforced === true;
  return {
    verdict,
    outcome,
    exitCode: exitCodeOf(outcome),
    failOn: isEnforced ? gate.failOn : null,
    failOnProfile: isEnforced ? gate.profile : null,
    allowIncomplete: [...(gate?.allowIncomplete ?? [])],
    failingCount: isEnforced ? sumOf('blockingCount') : 0,
    blockingCount: sumOf('blockingCount'),
    reviewCount: sumOf('reviewCount'),
    waivedCount: sumOf('waivedCount'),
    incompleteChecks: incompleteChecksOf(checked),
    counts: countBySeverity(unresolved),
    settledCount: issues.length - unresolved.length,
    assetCount: checked.length,
    analysedCount: checked.length - refusedCount - missingCount - failedCount - simulatedCount - uncheckedCount,
    failedCount,
    refusedCount,
    missingCount,
    simulatedCount,
    uncheckedCount,
    rehearsedCount: simulatedCount,
    unseenCount: uncheckedCount,
  };
}

/** The worst verdict. A simulated file has none, and then the files together have none that is not a fault. */
function worstOf(judged: AssetVerdict[]): Verdict | null {
  const worst = verdicts.find((verdict) => judged.some((one) => one.verdict === verdict)) ?? null;
  const isFault = worst === 'failed' || worst === 'not_checked';
  return judged.some(({ verdict }) => verdict === null) && !isFault ? null : worst;
}

function incompleteChecksOf(checked: CheckedFile[]): string[] {
  const checks = checked.flatMap(({ result }) =>
    result?.status === 'complete' ? result.checks.filter(isIncomplete) : [],
  );
  return [...new Set(checks.map(({ sidekickName }) => sidekickName))];
}

/** Whether the result is that of a simulated run: with a sandbox key, the service reports no issue count. */
export function isSimulated({ result }: Pick<CheckedFile, 'result'>): boolean {
  return result?.status === 'complete' && result.issueCount === null;
}

/** The number of files and issues, then the verdict in words. */
export function formatVerdict(run: RunVerdict, output: Output): string {
  const isComplete = run.outcome === 'ok' && run.analysedCount === run.assetCount;
  const hasIssues = severities.some((severity) => run.counts[severity] > 0);
  const [mark, style]: [string, Style] =
    run.outcome !== 'ok'
      ? run.outcome === 'needs_review'
        ? ['!', 'yellow']
        : ['✗', 'red']
      : isComplete && !hasIssues && run.verdict === 'passed'
        ? ['✓', 'green']
        : ['•', 'yellow'];
  const verdict = verdictSentence(run);
  const text = [
    `${output.paint(mark, style)} ${output.paint(`${formatFiles(run)}.`, 'bold')}`,
    verdict && output.paint(stripControls(verdict[0]), verdict[1]),
  ];
  return wrap(text.filter(Boolean).join(' '), output.width()).join('\n');
}

function formatFiles(run: RunVerdict): string {
  const { counts } = run;
  const total = severities.reduce((sum, severity) => sum + counts[severity], 0);
  const issues = total > 0 ? `${formatCount(total, 'issue')} (${formatCounts(counts)})` : 'no issues';
  const parts = [
    run.analysedCount > 0 ? `${formatCount(run.analysedCount, 'file')} analysed, ${issues}` : '',
    run.settledCount > 0 ? `${run.settledCount} resolved or dismissed` : '',
    run.failedCount > 0 ? `${run.failedCount} failed` : '',
    run.refusedCount > 0 ? `${run.refusedCount} rejected` : '',
    run.missingCount > 0 ? `${run.missingCount} without a result` : '',
    run.simulatedCount > 0 ? `${formatCount(run.simulatedCount, 'file')} not analysed (sandbox key)` : '',
    run.uncheckedCount > 0 ? `${formatCount(run.uncheckedCount, 'file')} not checked (no check applies)` : '',
  ];
  return parts.filter(Boolean).join('; ');
}

/** The verdict in one sentence; none if the gate does not apply. */
function verdictSentence(run: RunVerdict): [text: string, style: Style] | null {
  const { verdict, failOn, failOnProfile, blockingCount, reviewCount, waivedCount, incompleteChecks } = run;
  if (failOn === null) return null;
  const gate = formatGate({ failOn, profile: failOnProfile, allowIncomplete: [] });
  const incomplete = incompleteChecks.length > 0 ? ` Incomplete: ${incompleteChecks.join(', ')}.` : '';
  // A file without a verdict of its own may have issues: then it is not said that there are none.
  const isWhole = run.outcome === 'ok';
  switch (verdict) {
    case 'failed':
      return [`Failed: ${formatCount(blockingCount, 'issue')} ${gate}.`, 'red'];
    case 'not_checked':
    case null:
      return run.simulatedCount > 0
        ? ['Not checked: the run was simulated.', 'red']
        : ['Not checked: not every file was analysed.', 'red'];
    case 'needs_review':
      return [`Needs review: ${formatCount(reviewCount, 'issue')}.${incomplete}`, 'yellow'];
    case 'passed_with_waivers':
      return isWhole
        ? [`Passed with ${formatCount(waivedCount, 'waiver')}: no other issues ${gate}.${incomplete}`, 'green']
        : null;
    case 'passed':
      return isWhole ? [`Passed: no issues ${gate}.${incomplete}`, 'green'] : null;
  }
}

function formatCounts(counts: SeverityCounts): string {
  return severities.flatMap((one) => (counts[one] > 0 ? [`${counts[one]} ${one}`] : [])).join(', ');
}
