import type { FlashRun } from '@assay/sidekicks/evidence/pass/flashes/flashes.ts';
import { type Clip, isLabelledByScreen } from '../test/flash-corpus/corpus.ts';
import type { Dispute } from '../test/flash-corpus/disputes.ts';
import { formatHead } from './report.ts';
import { formatTable } from './table.ts';

export type Verdict = {
  clip: Clip;
  dispute: Dispute | null;
  isSafeByText: boolean;
  isSafeToUs: boolean;
  isSafeToFilter: boolean;
  /** What was measured by the area of the clip's label. */
  seen: FlashRun | null;
};

type Cpu = { millis: number; pictures: number };
type Judge = (verdict: Verdict) => boolean;

/** Analyser → whether a clip is safe to it. */
const analysers: Record<string, Judge> = {
  Assay: ({ isSafeToUs }) => isSafeToUs,
  'EA IRIS d96978a': ({ clip }) => clip.isSafeToIris,
  'ffmpeg photosensitivity': ({ isSafeToFilter }) => isSafeToFilter,
};
const labelled: Judge = ({ clip }) => clip.isSafe;
const byText: Judge = (verdict) => verdict.isSafeByText;

export function formatAccuracy(
  verdicts: Verdict[],
  { command, cpu, versions }: { command: string; cpu: Cpu; versions: Record<string, string> },
): string {
  const head = formatHead({
    title: 'Photosensitivity: who is right on labelled flashes',
    command,
    settings: `${verdicts.length} clips of jbjord/pse-test-media at edf799a, rendered without loss in 1920 × 1080`,
    versions,
  });
  return [
    head,
    'As labelled:',
    formatJudged(verdicts, labelled),
    'With the labels in dispute resolved by the text of the standard:',
    formatJudged(verdicts, byText),
    'The columns of a quarter of the screen are the sets that all three know to judge; IRIS and the filter have no windows.',
    `CPU per picture, rendering not counted: ${(cpu.millis / cpu.pictures).toFixed(1)} ms.`,
    '## Where we differ from the label',
    formatList(verdicts.filter((verdict) => verdict.isSafeToUs !== verdict.clip.isSafe)),
    '## Labels in dispute',
    formatList(verdicts.filter(({ dispute }) => dispute)),
  ].join('\n\n');
}

function formatJudged(verdicts: Verdict[], truth: Judge): string {
  const fair = verdicts.filter(({ clip }) => isLabelledByScreen(clip));
  return formatTable(
    Object.entries(analysers).map(([analyser, judge]) => {
      const right = (among: Verdict[]) => among.filter((verdict) => judge(verdict) === truth(verdict)).length;
      const alarms = verdicts.filter((verdict) => !judge(verdict) && truth(verdict)).length;
      const missed = verdicts.filter((verdict) => judge(verdict) && !truth(verdict)).length;
      return {
        analyser,
        [`right of ${verdicts.length}`]: String(right(verdicts)),
        [`right of ${fair.length} by screen`]: String(right(fair)),
        'false alarms': String(alarms),
        missed: String(missed),
      };
    }),
  );
}

function formatList(verdicts: Verdict[]): string {
  const lines = verdicts.map(({ clip, dispute, isSafeToUs, seen }) => {
    const measured = seen
      ? `${seen.kind}, ${seen.peakTransitions} transitions within a second over ${(100 * seen.peakAreaShare).toFixed(2)} % of ${seen.area}`
      : 'nothing that counts';
    const label = `labelled ${clip.isSafe ? 'pass' : 'fail'}, ours ${isSafeToUs ? 'pass' : 'fail'}`;
    return `- ${clip.set} ${clip.name} (${label}): measured ${measured}. ${dispute ? `In dispute: ${dispute.because}.` : 'Not explained.'}`;
  });
  return lines.length > 0 ? lines.join('\n') : 'None.';
}
