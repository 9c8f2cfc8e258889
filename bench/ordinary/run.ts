import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examine } from './examine.ts';
import type { OrdinaryFile } from './files.ts';
import { type JudgedFile, judgeFile } from './judge.ts';

const stoppedReason = 'the run was stopped';

export type OrdinaryRun = {
  judged: (JudgedFile & { origin: string; seconds: number })[];
  /** Maps each skipped file to the reason. */
  skipped: Map<string, string>;
  /** Maps each file whose checks did not finish to the reason. */
  failed: Map<string, string>;
};

/**
 * Prepares each file, checks it and compares the outcome with its verdict, one after another. When it is aborted, the
 * remaining files are skipped and the others still count.
 */
export async function runOrdinary(
  files: readonly OrdinaryFile[],
  signal: AbortSignal,
  report: (line: string) => void = () => {},
): Promise<OrdinaryRun> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-ordinary-'));
  const run: OrdinaryRun = { judged: [], skipped: new Map(), failed: new Map() };
  try {
    for (const [i, { verdict, origin, prepare }] of files.entries()) {
      const note = (text: string) => report(`${i + 1} of ${files.length}  ${verdict.file}  ${text}`);
      const skip = (because: string) => {
        run.skipped.set(verdict.file, because);
        note(`not checked: ${because}`);
      };
      if (signal.aborted) {
        skip(stoppedReason);
        continue;
      }
      const beganAt = performance.now();
      try {
        const path = await prepare(folder);
        if (typeof path !== 'string') {
          skip(path.because);
          continue;
        }
        const judged = judgeFile(verdict, await examine(path, signal));
        const seconds = (performance.now() - beganAt) / 1000;
        run.judged.push({ ...judged, origin, seconds });
        note(`${seconds.toFixed(1)} s  ${describeJudged(judged)}`);
      } catch (failure) {
        if (signal.aborted) skip(stoppedReason);
        else {
          run.failed.set(verdict.file, String(failure));
          note(String(failure));
        }
      }
    }
    return run;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function describeJudged({ right, noise, missed }: JudgedFile): string {
  const parts = [
    ...right.map(({ ruleCode }) => `right ${ruleCode}`),
    ...noise.map(({ ruleCode, severity }) => `NOISE ${ruleCode} ${severity}`),
    ...missed.map(({ rules }) => `MISSED ${rules.join(' or ')}`),
  ];
  return parts.join(', ') || 'quiet';
}
