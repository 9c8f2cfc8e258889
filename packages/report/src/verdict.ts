import { countFiles, formatFileCounts } from './file-counts.ts';
import { formatCount, formatList } from './format/format.ts';
import type { Report } from './report.ts';
import { countBySeverity, isUnresolved, type SeverityCounts, severities, severityRows } from './severity.ts';

export type Tone = 'critical' | 'major' | 'minor' | 'info' | 'clear' | 'unknown';
export type Verdict = { tone: Tone; headline: string; sentences: string[]; counts: SeverityCounts };

/** The headline of the report and the sentences below it. An unchecked file never counts as one without issues. */
export function judgeReport(report: Report): Verdict {
  const { submission, assets, rejected } = report;
  const unresolved = assets.flatMap(({ issues }) => issues.filter(isUnresolved));
  const counts = countBySeverity(unresolved);
  const files = countFiles(report);
  const verdict = (tone: Tone, headline: string, sentences: (string | false)[]): Verdict => ({
    tone,
    headline,
    sentences: sentences.filter((sentence) => sentence !== false),
    counts,
  });
  const fileSentence = files.checked < files.total && files.total > 1 && `${formatFileCounts(files)}.`;
  if (submission === null) {
    const only = (rejected.length === 1 && rejected[0]?.reason) || false;
    return verdict('unknown', rejected.length === 1 ? 'Rejected' : 'All files were rejected', [only, fileSentence]);
  }
  if (submission.mode === 'sandbox') {
    return verdict('unknown', 'Simulated run, not analysed', [
      'This submission was created with a sandbox key. Its files were not analysed.',
    ]);
  }
  if (submission.status !== 'complete' && submission.status !== 'failed') {
    return verdict('unknown', 'Not finished', [`The analysis is ${submission.progressPercent} % complete.`]);
  }
  const settled = assets.reduce((sum, { issues }) => sum + issues.length, 0) - unresolved.length;
  const more = [
    fileSentence,
    awaitingSentence(unresolved.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length),
    settledSentence(settled),
  ];
  const worst = severities.find((severity) => counts[severity] > 0);
  const found = `${formatSeverityCounts(counts)} in ${affectedFiles(report)}.`;
  if (worst === 'CRITICAL' || worst === 'MAJOR') {
    return verdict(worst === 'CRITICAL' ? 'critical' : 'major', headlineOf(worst, counts[worst]), [found, ...more]);
  }
  if (files.failed === files.total) {
    const reasons = new Set(assets.map(({ result }) => result.errorMessage ?? 'No reason given.'));
    return verdict('unknown', 'Could not be analysed', [...(reasons.size === 1 ? reasons : []), ...more]);
  }
  if (files.unchecked === files.total) return verdict('unknown', 'Not checked', more);
  if (files.checked === 0) return verdict('unknown', 'No file was checked', more);
  // This takes precedence over minor issues, because an unchecked file may have severe ones.
  if (files.checked < files.total) {
    return verdict('unknown', 'Not all files were checked', [
      `${formatSeverityCounts(counts)} in the checked files.`,
      ...more,
    ]);
  }
  if (worst === 'MINOR') return verdict('minor', `${headlineOf(worst, counts.MINOR)} only`, [found, ...more]);
  if (worst === 'INFO') return verdict('info', 'Informational issues only', [found, ...more]);
  if (settled > 0) return verdict('clear', 'No open issues', more);
  return verdict('clear', 'No issues', ['All applicable checks ran and found no issues.', ...more]);
}

function headlineOf(worst: keyof SeverityCounts, count: number): string {
  const { label } = severityRows[worst];
  return `${label} ${count === 1 ? 'issue' : 'issues'}`;
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

function awaitingSentence(count: number): string | false {
  return count > 0 && `${formatCount(count, 'issue needs', 'issues need')} review.`;
}

function settledSentence(count: number): string | false {
  return (
    count > 0 &&
    `${formatCount(count, 'issue was', 'issues were')} resolved or dismissed and ${count === 1 ? 'is' : 'are'} not counted.`
  );
}
