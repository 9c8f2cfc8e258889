import type { LoudnessReading, ObserverDefinition } from '../signal/observer.ts';
import { createSeries, type Series } from '../signal/series.ts';

/** Measurement windows; the time of a value is the end of its window. */
export const momentarySeconds = 0.4;
export const shortTermSeconds = 3;
export const readingSeconds = 0.1;

/** The absolute gate of ITU-R BS.1770: lower values do not count, and plots start here. */
const floorLufs = -70;

export type LoudestMoment = { lufs: number; seconds: number };

/** A value is `null`, not `-Infinity`, if it could not be measured. */
export type Loudness = {
  integratedLufs: number | null;
  rangeLu: number | null;
  truePeakDb: number | null;
  /** Zero-based. */
  truePeakChannel: number | null;
  /** The end of the reading (0.1 s) that contains the true peak. */
  truePeakAtSeconds: number | null;
  maxShortTerm: LoudestMoment | null;
  maxMomentary: LoudestMoment | null;
  durationSeconds: number;
  momentary: Series;
  shortTerm: Series;
};

/** Loudness according to ITU-R BS.1770 and EBU Tech 3341, measured by ffmpeg. */
export const observeLoudness: ObserverDefinition<Loudness> = {
  taps: ['loudness'],
  open: ({ audio }) => (audio ? createLoudnessObserver() : null),
};

function createLoudnessObserver() {
  const momentary = createSeries({ stepSeconds: readingSeconds, pool: 'max' });
  const shortTerm = createSeries({ stepSeconds: readingSeconds, pool: 'max' });
  let last: LoudnessReading | null = null;
  let peak = { db: Number.NEGATIVE_INFINITY, channel: 0, seconds: 0 };
  let maxMomentary: LoudestMoment | null = null;
  let maxShortTerm: LoudestMoment | null = null;

  return {
    loudness(reading: LoudnessReading): void {
      const { seconds, momentaryLufs, shortTermLufs } = reading;
      last = reading;
      const startSeconds = Math.max(0, seconds - readingSeconds);
      momentary.add(startSeconds, Math.max(floorLufs, momentaryLufs));
      shortTerm.add(startSeconds, Math.max(floorLufs, shortTermLufs));
      maxMomentary = louder(maxMomentary, momentaryLufs, seconds);
      maxShortTerm = louder(maxShortTerm, shortTermLufs, seconds);
      for (const [channel, db] of reading.truePeaksDb.entries()) {
        if (db > peak.db) peak = { db, channel, seconds };
      }
    },

    end(): Loudness {
      const hasPeak = Number.isFinite(peak.db);
      return {
        integratedLufs: last && Number.isFinite(last.integratedLufs) ? last.integratedLufs : null,
        rangeLu: maxShortTerm && last ? last.rangeLu : null,
        truePeakDb: hasPeak ? peak.db : null,
        truePeakChannel: hasPeak ? peak.channel : null,
        truePeakAtSeconds: hasPeak ? peak.seconds : null,
        maxShortTerm,
        maxMomentary,
        durationSeconds: last?.seconds ?? 0,
        momentary: momentary.end(),
        shortTerm: shortTerm.end(),
      };
    },
  };
}

function louder(known: LoudestMoment | null, lufs: number, seconds: number): LoudestMoment | null {
  return Number.isFinite(lufs) && (!known || lufs > known.lufs) ? { lufs, seconds } : known;
}
