import { type SeriesName, seriesUnits } from '@assay/contract/schemas/series.ts';
import type { Evidence } from '#evidence/evidence.ts';
import type { Series } from '#evidence/media/decode/signal/series.ts';
import { frameRateOf } from './timecode.ts';

/** Values over time, for plots. */
export type Measured = {
  durationMs: number | null;
  frameRate: number | null;
  series: { name: SeriesName; unit: string; stepMs: number; values: (number | null)[] }[];
};

const plotDecimals = 3;

export function measureOverTime(evidence: Partial<Evidence>): Measured {
  const { probe, loudness, audio, video, flashes } = evidence;
  const measured: Record<SeriesName, Series | undefined> = {
    loudnessMomentary: loudness?.momentary,
    loudnessShortTerm: loudness?.shortTerm,
    soundLevel: audio?.level,
    silence: audio ? silentShares(audio) : undefined,
    luminance: video?.luminance ?? flashes?.series.meanLuminance,
    flashes: flashes?.series.transitions,
  };
  const seconds = probe?.durationSeconds ?? null;
  return {
    durationMs: seconds === null ? null : Math.round(seconds * 1000),
    frameRate: frameRateOf(probe),
    series: (Object.keys(seriesUnits) as SeriesName[]).flatMap((name) => {
      const series = measured[name];
      return series ? [{ name, unit: seriesUnits[name], ...roundSeries(series) }] : [];
    }),
  };
}

/** The silent share of each time step. */
function silentShares({ silence, level: { stepSeconds, values } }: NonNullable<Evidence['audio']>): Series {
  const shares = values.map(() => 0);
  for (const { startSeconds, endSeconds } of silence) {
    const last = Math.min(shares.length - 1, Math.floor(endSeconds / stepSeconds));
    for (let i = Math.floor(startSeconds / stepSeconds); i <= last; i++) {
      const within = Math.min(endSeconds, (i + 1) * stepSeconds) - Math.max(startSeconds, i * stepSeconds);
      shares[i] = Math.min(1, (shares[i] as number) + Math.max(0, within) / stepSeconds);
    }
  }
  return { stepSeconds, values: shares };
}

function roundSeries({ stepSeconds, values }: Series) {
  return {
    stepMs: Math.max(1, Math.round(stepSeconds * 1e6) / 1000),
    values: values.map((value) => (Number.isFinite(value) ? Number(value.toFixed(plotDecimals)) : null)),
  };
}
