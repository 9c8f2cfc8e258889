import { type Verdict, worstVerdict } from '@assay/contract/verdict.ts';
import type { Submission } from '@assay/sdk';
import { formatCount, formatList } from '../format/format.ts';
import type { Report, ReportAsset } from '../report.ts';
import { countBySeverity, isUnresolved, type SeverityCounts, severities, severityRows } from '../severity.ts';
import { countFiles, formatFileCounts } from './file-counts.ts';
import {
  type AppliedGate,
  type AssetVerdict,
  effectOf,
  formatGate,
  gateOf,
  isIncomplete,
  judgeAsset,
  labelOfVerdict,
} from './judgement.ts';

export type Tone = 'failed' | 'unchecked' | 'review' | 'waived' | 'passed' | 'unknown';
export type ReportVerdict = { tone: Tone; headline: string; sentences: string[]; counts: SeverityCounts };

export const toneOf: Record<Verdict, Tone> = {
  failed: 'failed',
  not_checked: 'unchecked',
  needs_review: 'review',
  passed_with_waivers: 'waived',
  passed: 'passed',
};

/** The verdict on all files and the sentences below it. A file that was rejected or not checked never counts as passed. */
export function judgeReport(report: Report): ReportVerdict {
  const { submission, assets, rejected } = report;
  const counts = countBySeverity(assets.flatMap(({ issues }) => issues.filter(isUnresolved)));
  const noVerdict = (headline: string, ...sentences: (string | false)[]): ReportVerdict => ({
    tone: 'unknown',
    headline,
    sentences: sentences.filter((sentence) => sentence !== false),
    counts,
  });
  if (submission === null) {
    const only = (rejected.length === 1 && rejected[0]?.reason) || false;
    const isRejection = rejected.every(({ stage }) => stage !== 'unfinished');
    const all = rejected.length === 1 ? 'Rejected' : 'All files were rejected';
    const none = rejected.length === 1 ? 'No result' : 'No file was checked';
    return noVerdict(isRejection ? all : none, only, fileSentence(report));
  }
  if (submission.mode === 'sandbox') {
    return noVerdict(
      'Simulated run, not analysed',
      'This submission was created with a sandbox key. Its files were not analysed.',
    );
  }
  const isSettled = submission.status === 'complete' || submission.status === 'failed';
  const verdicts = assets.map((asset) => judgeAsset(asset, gateOf(submission, report.failOn)));
  const verdict = worstVerdict([...verdicts.map((one) => one.verdict), ...rejected.map(() => 'not_checked' as const)]);
  if (!isSettled || verdict === null) {
    return noVerdict('Not finished', `The analysis is ${submission.progressPercent} % complete.`);
  }
  return {
    tone: toneOf[verdict],
    headline: labelOfVerdict({ verdict, waivedCount: sumOf(verdicts, 'waivedCount') }),
    sentences: [
      reasonSentence(report, submission, verdict, verdicts),
      foundSentence(report, counts),
      fileSentence(report),
      verdict !== 'needs_review' && reviewSentence(report, submission),
      incompleteSentence(report),
      settledSentence(report),
    ].filter((sentence) => sentence !== false),
    counts,
  };
}

/** What the verdict rests on. */
function reasonSentence(report: Report, submission: Submission, verdict: Verdict, verdicts: AssetVerdict[]) {
  const gate = gateOf(submission, report.failOn);
  switch (verdict) {
    case 'failed':
      return `${formatCount(sumOf(verdicts, 'blockingCount'), 'issue')} ${formatGate(gate)}.`;
    case 'not_checked':
      return notCheckedSentence(report);
    case 'needs_review':
      return reviewSentence(report, submission);
    case 'passed_with_waivers':
      return `No other issues ${formatGate(gate)}. Waived: ${waivedSeverities(report, gate)}.`;
    case 'passed':
      return `No issues ${formatGate(gate)}.`;
  }
}

/** `1 critical and 1 major issue` */
function waivedSeverities({ assets }: Report, gate: AppliedGate): string {
  const waived = assets.flatMap(({ issues, result }) =>
    issues.filter((issue) => effectOf(issue, result.checks, gate) === 'waived'),
  );
  return formatSeverityCounts(countBySeverity(waived));
}

function reviewSentence({ assets, failOn }: Report, submission: Submission): string | false {
  const gate = gateOf(submission, failOn);
  const isReview = (asset: ReportAsset) => (issue: ReportAsset['issues'][number]) =>
    effectOf(issue, asset.result.checks, gate) === 'review';
  const count = assets.reduce((sum, asset) => sum + asset.issues.filter(isReview(asset)).length, 0);
  return count > 0 && `${formatCount(count, 'issue needs', 'issues need')} review.`;
}

function notCheckedSentence(report: Report): string | false {
  const { total, failed, unchecked } = countFiles(report);
  if (total > 1) return false; // the sentence on the files says it
  if (failed > 0) return report.assets[0]?.result.errorMessage ?? 'No reason given.';
  return unchecked > 0 && 'No check was run on this file.';
}

function foundSentence(report: Report, counts: SeverityCounts): string | false {
  const { checked } = countFiles(report);
  if (checked === 0) return false;
  const hasIssues = severities.some((severity) => counts[severity] > 0);
  return hasIssues && `${formatSeverityCounts(counts)} in ${affectedFiles(report)}.`;
}

function fileSentence(report: Report): string | false {
  const files = countFiles(report);
  return files.checked < files.total && files.total > 1 && `${formatFileCounts(files)}.`;
}

/** `Not everything was examined: Photosensitivity, Captions.` */
function incompleteSentence({ assets }: Report): string | false {
  const checks = assets.flatMap(({ result }) =>
    result.status === 'complete' ? result.checks.filter(isIncomplete) : [],
  );
  const names = [...new Set(checks.map(({ sidekickName }) => sidekickName))];
  return names.length > 0 && `Not everything was examined: ${formatList(names)}.`;
}

function settledSentence({ assets }: Report): string | false {
  const count = assets.flatMap(({ issues }) => issues).filter((issue) => !isUnresolved(issue)).length;
  return (
    count > 0 &&
    `${formatCount(count, 'issue was', 'issues were')} resolved or dismissed and ${count === 1 ? 'is' : 'are'} not counted.`
  );
}

/** `1 critical, 2 major and 1 minor issue` */
export function formatSeverityCounts(counts: SeverityCounts): string {
  const parts = severities.filter((severity) => counts[severity] > 0);
  const total = parts.reduce((sum, severity) => sum + counts[severity], 0);
  if (total === 0) return 'No issues';
  return `${formatList(parts.map((severity) => `${counts[severity]} ${severityRows[severity].word}`))} ${total === 1 ? 'issue' : 'issues'}`;
}

function affectedFiles(report: Report): string {
  const { total, checked } = countFiles(report);
  const affected = report.assets.filter(({ issues }) => issues.some(isUnresolved)).length;
  if (total === 1) return 'this file';
  return `${affected} of ${formatCount(checked, checked < total ? 'checked file' : 'file')}`;
}

function sumOf(verdicts: AssetVerdict[], name: 'blockingCount' | 'waivedCount'): number {
  return verdicts.reduce((sum, verdict) => sum + verdict[name], 0);
}
