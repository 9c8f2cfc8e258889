import type { StepResult } from './step.ts';

/** Failed and skipped tests, and how many passed; the last line has the documented format. */
export function formatSummary(results: StepResult[], areSkipsAllowed: boolean): string {
  const { passed, failures, unstable, skips, missingCorpora } = addUp(results);
  const failed = failures.length + (areSkipsAllowed ? 0 : skips.length);
  const blocks: [title: string, lines: string[]][] = [
    ['Times', results.map(({ time }) => `${time.wallSeconds.toFixed(0).padStart(5)} s  ${time.name}`)],
    ['Not run because a corpus is missing', missingCorpora],
    [areSkipsAllowed ? 'Skipped' : 'Skipped: each counts as failed (ASSAY_ALLOW_SKIPS=1 allows skips)', skips],
    ['Failed once, passed in a second run: find out why', unstable],
    ['Failed', failures],
  ];
  const skipped = skips.length + missingCorpora.length;
  return [
    ...blocks.filter(([, lines]) => lines.length > 0).map(([title, lines]) => `\n== ${title}\n${lines.join('\n')}`),
    `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ].join('\n');
}

export function isGreen(results: StepResult[], areSkipsAllowed: boolean): boolean {
  const { passed, failures, skips } = addUp(results);
  return passed > 0 && failures.length === 0 && (areSkipsAllowed || skips.length === 0);
}

function addUp(results: StepResult[]) {
  const outcomes = results.map(({ outcome }) => outcome);
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    unstable: outcomes.flatMap(({ unstable }) => unstable),
    skips: outcomes.flatMap(({ skips }) => skips),
    missingCorpora: outcomes.flatMap(({ missingCorpora }) => missingCorpora),
  };
}
