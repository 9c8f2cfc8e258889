import { formatCount, formatList } from './format.ts';
import type { Report } from './report.ts';
import { countBySeverity, isStanding, type SeverityCounts, severities, severityRows } from './severity.ts';

export type Tone = 'critical' | 'major' | 'minor' | 'info' | 'clear' | 'unknown';
export type Verdict = { tone: Tone; headline: string; sentences: string[]; counts: SeverityCounts };

/** The whole report in one line. It never says that all is well where nobody has looked. */
export function judgeReport({ submission, assets }: Report): Verdict {
  const standing = assets.flatMap(({ issues }) => issues.filter(isStanding));
  const counts = countBySeverity(standing);
  const failed = assets.filter(({ result }) => result.status === 'failed');
  const unchecked = assets.filter(({ result }) => result.status !== 'failed' && !wasChecked(result));
  const say = (tone: Tone, headline: string, sentences: (string | false)[]): Verdict => ({
    tone,
    headline,
    sentences: sentences.filter((sentence) => sentence !== false),
    counts,
  });
  if (submission.mode === 'sandbox') {
    return say('unknown', 'Rehearsed, not analysed', [
      'This submission was made with a sandbox key. Nobody has looked at its files.',
    ]);
  }
  if (submission.status !== 'complete' && submission.status !== 'failed') {
    return say('unknown', 'Not finished yet', [`${submission.progressPercent} % of the analysis is done.`]);
  }
  const settled = assets.reduce((sum, { issues }) => sum + issues.length, 0) - standing.length;
  const more = [
    failed.length > 0 && `${formatCount(failed.length, 'file')} of ${assets.length} could not be analysed.`,
    unchecked.length > 0 && `${formatCount(unchecked.length, 'file was', 'files were')} looked at by nobody.`,
    awaitingSentence(standing.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length),
    settledSentence(settled),
  ];
  const worst = severities.find((severity) => counts[severity] > 0);
  const found = `${tally(counts)} in ${whereIn(assets)}.`;
  if (worst === 'CRITICAL' || worst === 'MAJOR') {
    return say(worst === 'CRITICAL' ? 'critical' : 'major', headlineOf(worst, counts[worst]), [found, ...more]);
  }
  if (failed.length === assets.length) {
    const reasons = new Set(failed.map(({ result }) => result.errorMessage ?? 'No reason was given.'));
    return say('unknown', 'Could not be analysed', reasons.size === 1 ? [...reasons] : more);
  }
  if (unchecked.length === assets.length) return say('unknown', 'Nothing was checked', more);
  // With a file that nobody has seen, little found does not mean that there is little to find.
  if (failed.length + unchecked.length > 0) {
    return say('unknown', 'Not everything was checked', [`${tally(counts)} in what was.`, ...more]);
  }
  if (worst === 'MINOR') return say('minor', `${headlineOf(worst, counts.MINOR)} only`, [found, ...more]);
  if (worst === 'INFO') return say('info', 'Remarks only', [found, ...more]);
  if (settled > 0) return say('clear', 'No open findings', more);
  return say('clear', 'No findings', ['Every check that applies has run and found nothing.', ...more]);
}

/** A sidekick has looked at it; to be complete alone does not say so. */
export function wasChecked({ status, checks }: { status: string; checks: { outcome: string }[] }): boolean {
  return status === 'complete' && checks.some(({ outcome }) => outcome === 'ran');
}

function headlineOf(worst: keyof SeverityCounts, count: number): string {
  const { label } = severityRows[worst];
  return `${label} ${count === 1 ? 'finding' : 'findings'}`;
}

/** `1 critical, 2 major and 1 minor finding` */
function tally(counts: SeverityCounts): string {
  const parts = severities.filter((severity) => counts[severity] > 0);
  const total = parts.reduce((sum, severity) => sum + counts[severity], 0);
  if (total === 0) return 'No findings';
  return `${formatList(parts.map((severity) => `${counts[severity]} ${severityRows[severity].word}`))} ${total === 1 ? 'finding' : 'findings'}`;
}

function whereIn(assets: Report['assets']): string {
  const touched = assets.filter(({ issues }) => issues.some(isStanding)).length;
  if (assets.length === 1) return 'this file';
  return `${touched} of ${assets.length} files`;
}

function awaitingSentence(count: number): string | false {
  return count > 0 && `${formatCount(count, 'finding needs', 'findings need')} a person to decide.`;
}

function settledSentence(count: number): string | false {
  return (
    count > 0 &&
    `${formatCount(count, 'finding was', 'findings were')} resolved or dismissed and ${count === 1 ? 'is' : 'are'} not counted.`
  );
}
