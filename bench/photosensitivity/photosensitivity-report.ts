import type { FlashRun } from '@assay/sidekicks/evidence/media/decode/flashes/flashes.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { type Clip, isLabelledByScreen } from '#verify/media/flash-corpus/corpus.ts';
import type { Dispute } from '#verify/media/flash-corpus/disputes.ts';
import { formatHead } from '../measure/report.ts';

export type Verdict = {
  clip: Clip;
  dispute: Dispute | null;
  isSafeByText: boolean;
  isSafeToUs: boolean;
  isSafeToFilter: boolean;
  /** Measured on the area that the clip's label applies to. */
  seen: FlashRun | null;
};

type Cpu = { millis: number; frames: number };
type Judge = (verdict: Verdict) => boolean;

/** Functions that return whether each analyser judges a clip safe. */
const analysers: Record<string, Judge> = {
  Assay: ({ isSafeToUs }) => isSafeToUs,
  'EA IRIS d96978a': ({ clip }) => clip.isSafeToIris,
  'ffmpeg photosensitivity': ({ isSafeToFilter }) => isSafeToFilter,
};
const byLabel: Judge = ({ clip }) => clip.isSafe;
const byText: Judge = (verdict) => verdict.isSafeByText;

export function formatAccuracy(
  verdicts: Verdict[],
  { command, cpu, versions }: { command: string; cpu: Cpu; versions: Record<string, string> },
): string {
  const head = formatHead({
    title: 'Photosensitivity: accuracy on labelled clips',
    command,
    settings: `${verdicts.length} clips of jbjord/pse-test-media at edf799a, rendered losslessly in 1920 × 1080`,
    versions,
  });
  return [
    head,
    'As labelled:',
    formatJudged(verdicts, byLabel),
    'With disputed labels resolved by the text of the standard:',
    formatJudged(verdicts, byText),
    'The “by screen” column counts the sets that all three can judge; IRIS and the filter have no windows.',
    `CPU per frame, without rendering: ${(cpu.millis / cpu.frames).toFixed(1)} ms.`,
    '## Differences from the labels',
    formatList(verdicts.filter((verdict) => verdict.isSafeToUs !== verdict.clip.isSafe)),
    '## Disputed labels',
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
      : 'no relevant flashes';
    const label = `labelled ${clip.isSafe ? 'pass' : 'fail'}, ours ${isSafeToUs ? 'pass' : 'fail'}`;
    return `- ${clip.set} ${clip.name} (${label}): measured ${measured}. ${dispute ? `Disputed: ${dispute.because}.` : 'Not explained.'}`;
  });
  return lines.length > 0 ? lines.join('\n') : 'None.';
}
