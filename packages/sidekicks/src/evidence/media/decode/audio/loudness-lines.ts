import type { LoudnessReading } from '../signal/observer.ts';

/** ffmpeg's ebur128 prints a reading for each interval of this length; its values apply to the end of the interval. */
const stepSeconds = 0.1;
/** At or below these values nothing could be measured: the logarithm of almost zero, and the absolute gate. */
const silenceLufs = -120;
const gateLufs = -70;
/** Timestamps are printed with six digits. Above this they are coarser than 1 ms, and the sample count is used. */
const exactSecondsMax = 1000;
const lineCharactersMax = 1000;
const lastKey = 'true_peak';

type ReadingDraft = { pts: number; seconds: number; values: Map<string, number> };

/**
 * Parses the output of `ebur128=peak=true:metadata=1,ametadata=mode=print`, which may arrive in chunks of any size. The
 * peak of all channels is the last line of a reading and completes it.
 */
export function createLoudnessReader(onReading: (reading: LoudnessReading) => void): {
  take(text: string): void;
} {
  let rest = '';
  let draft: ReadingDraft | null = null;
  let sampleRate = 0;

  function readLine(line: string): void {
    const header = /^frame:\s*\d+\s+pts:\s*(-?\d+)\s+pts_time:\s*(\S+)/.exec(line);
    if (header) {
      const [pts, seconds] = [Number(header[1]), Number.parseFloat(header[2] ?? '')];
      if (seconds > 1 && seconds < exactSecondsMax) sampleRate = Math.round(pts / seconds);
      draft = { pts, seconds, values: new Map() };
      return;
    }
    const value = /^lavfi\.r128\.(\w+)=(\S+)/.exec(line);
    if (!value || !draft) return;
    draft.values.set(value[1] ?? '', Number.parseFloat(value[2] ?? ''));
    if (value[1] === lastKey) emit(draft);
  }

  function emit({ pts, seconds, values }: ReadingDraft): void {
    draft = null;
    const startSeconds = seconds >= exactSecondsMax && sampleRate > 0 ? pts / sampleRate : seconds;
    onReading({ seconds: (Number.isFinite(startSeconds) ? startSeconds : 0) + stepSeconds, ...measuresOf(values) });
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
    momentaryLufs: above('M', silenceLufs),
    shortTermLufs: above('S', silenceLufs),
    integratedLufs: above('I', gateLufs),
    rangeLu: values.get('LRA') ?? 0,
    truePeaksDb,
  };
}
