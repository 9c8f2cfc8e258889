import { formatCount, formatList } from '../format/format.ts';
import type { Report } from './report.ts';
import { countBySeverity, isUnresolved, type SeverityCounts, severities, severityRows } from './severity.ts';

export type Tone = 'critical' | 'major' | 'minor' | 'info' | 'clear' | 'unknown';
export type Verdict = { tone: Tone; headline: string; sentences: string[]; counts: SeverityCounts };

/** The result of the report in one line. An unchecked file never counts as a file without issues. */
export function judgeReport({ submission, assets }: Report): Verdict {
  const unresolved = assets.flatMap(({ issues }) => issues.filter(isUnresolved));
  const counts = countBySeverity(unresolved);
  const failed = assets.filter(({ result }) => result.status === 'failed');
  const unchecked = assets.filter(({ result }) => result.status !== 'failed' && !wasChecked(result));
  const verdict = (tone: Tone, headline: string, sentences: (string | false)[]): Verdict => ({
    tone,
    headline,
    sentences: sentences.filter((sentence) => sentence !== false),
    counts,
  });
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
    failed.length > 0 && `${failed.length} of ${formatCount(assets.length, 'file')} could not be analysed.`,
    unchecked.length > 0 &&
      `${unchecked.length} of ${formatCount(assets.length, 'file')} ${unchecked.length === 1 ? 'was' : 'were'} not checked.`,
    awaitingSentence(unresolved.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length),
    settledSentence(settled),
  ];
  const worst = severities.find((severity) => counts[severity] > 0);
  const found = `${tally(counts)} in ${affectedFiles(assets)}.`;
  if (worst === 'CRITICAL' || worst === 'MAJOR') {
    return verdict(worst === 'CRITICAL' ? 'critical' : 'major', headlineOf(worst, counts[worst]), [found, ...more]);
  }
  if (failed.length === assets.length) {
    const reasons = new Set(failed.map(({ result }) => result.errorMessage ?? 'No reason given.'));
    return verdict('unknown', 'Could not be analysed', reasons.size === 1 ? [...reasons] : more);
  }
  if (unchecked.length === assets.length) return verdict('unknown', 'Not checked', more);
  // An unchecked file may have severe issues.
  if (failed.length + unchecked.length > 0) {
    return verdict('unknown', 'Not all files were checked', [`${tally(counts)} in the checked files.`, ...more]);
  }
  if (worst === 'MINOR') return verdict('minor', `${headlineOf(worst, counts.MINOR)} only`, [found, ...more]);
  if (worst === 'INFO') return verdict('info', 'Informational issues only', [found, ...more]);
  if (settled > 0) return verdict('clear', 'No open issues', more);
  return verdict('clear', 'No issues', ['All applicable checks ran and found no issues.', ...more]);
}

/** At least one check ran; `complete` alone does not imply that. */
export function wasChecked({ status, checks }: { status: string; checks: { outcome: string }[] }): boolean {
  return status === 'complete' && checks.some(({ outcome }) => outcome === 'ran');
}

function headlineOf(worst: keyof SeverityCounts, count: number): string {
  const { label } = severityRows[worst];
  return `${label} ${count === 1 ? 'issue' : 'issues'}`;
}

/** `1 critical, 2 major and 1 minor issue` */
function tally(counts: SeverityCounts): string {
  const parts = severities.filter((severity) => counts[severity] > 0);
  const total = parts.reduce((sum, severity) => sum + counts[severity], 0);
  if (total === 0) return 'No issues';
  return `${formatList(parts.map((severity) => `${counts[severity]} ${severityRows[severity].word}`))} ${total === 1 ? 'issue' : 'issues'}`;
}

function affectedFiles(assets: Report['assets']): string {
  const affected = assets.filter(({ issues }) => issues.some(isUnresolved)).length;
  if (assets.length === 1) return 'this file';
  return `${affected} of ${assets.length} files`;
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
