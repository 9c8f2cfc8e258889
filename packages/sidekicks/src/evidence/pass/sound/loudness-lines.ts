import type { LoudnessReading } from '../observer.ts';

/** ffmpeg's ebur128 speaks once for each stretch of this length; its values hold for the end of it. */
const stepSeconds = 0.1;
/** What it says where there is nothing to measure: the logarithm of next to nothing, and its absolute gate. */
const nothingLufs = -120;
const gateLufs = -70;
/** Times are printed with six digits: above this they are coarser than a millisecond, and the sample count is used. */
const exactSecondsMax = 1000;
const lineCharactersMax = 1000;
const lastName = 'true_peak';

type Draft = { pts: number; seconds: number; values: Map<string, number> };

/**
 * Reads what `ebur128=peak=true:metadata=1,ametadata=mode=print` prints, in whatever pieces it arrives. Of each reading
 * the peak of all channels stands last, so with that line it is whole.
 */
export function createLoudnessReader(onReading: (reading: LoudnessReading) => void): {
  take(text: string): void;
} {
  let rest = '';
  let draft: Draft | null = null;
  let sampleRate = 0;

  function readLine(line: string): void {
    const head = /^frame:\s*\d+\s+pts:\s*(-?\d+)\s+pts_time:\s*(\S+)/.exec(line);
    if (head) {
      const [pts, seconds] = [Number(head[1]), Number.parseFloat(head[2] ?? '')];
      if (seconds > 1 && seconds < exactSecondsMax) sampleRate = Math.round(pts / seconds);
      draft = { pts, seconds, values: new Map() };
      return;
    }
    const value = /^lavfi\.r128\.(\w+)=(\S+)/.exec(line);
    if (!value || !draft) return;
    draft.values.set(value[1] ?? '', Number.parseFloat(value[2] ?? ''));
    if (value[1] === lastName) hand(draft);
  }

  function hand({ pts, seconds, values }: Draft): void {
    draft = null;
    const begun = seconds >= exactSecondsMax && sampleRate > 0 ? pts / sampleRate : seconds;
    onReading({ seconds: (Number.isFinite(begun) ? begun : 0) + stepSeconds, ...measuresOf(values) });
  }

  return {
    take(text) {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, lineCharactersMax);
      for (const line of lines) readLine(line);
    },
  };
}

function measuresOf(values: ReadonlyMap<string, number>): Omit<LoudnessReading, 'seconds'> {
  const above = (name: string, floor: number) => {
    const value = values.get(name) ?? Number.NaN;
    return value > floor ? value : Number.NEGATIVE_INFINITY;
  };
  const truePeaksDb: number[] = [];
  // Peaks are printed as amplitudes, not in decibels.
  for (let channel = 0; values.has(`true_peaks_ch${channel}`); channel++) {
    truePeaksDb.push(20 * Math.log10(Math.max(0, values.get(`true_peaks_ch${channel}`) as number)));
  }
  return {
    momentaryLufs: above('M', nothingLufs),
    shortTermLufs: above('S', nothingLufs),
    integratedLufs: above('I', gateLufs),
    rangeLu: values.get('LRA') ?? 0,
    truePeaksDb,
  };
}
