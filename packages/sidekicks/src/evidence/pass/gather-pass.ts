import { demuxerOf } from '../probe.ts';
import type { Probe } from '../probe-report.ts';
import { recognise } from '../recognise.ts';
import type { Source } from '../source.ts';
import { decode } from './decode.ts';
import type { DecoderLog } from './decoder-log.ts';
import type { Decoding } from './decoding.ts';
import { type Reel, reelOf } from './film.ts';
import type { Flashes } from './flashes/flashes.ts';
import type { ObservationName, Seen } from './observations.ts';
import type { PictureRecord } from './picture/observe-picture.ts';

/** What one decoding of a film or sound yields. */
export type PassEvidence = {
  loudness: Seen['loudness'];
  picture: PictureRecord | null;
  sound: Seen['sound'];
  flashes: Flashes | null;
  decoding: Decoding | null;
};
export type PassName = keyof PassEvidence;

/** Name of evidence → who has to watch for it. */
const watchedBy: Readonly<Record<PassName, readonly ObservationName[]>> = {
  loudness: ['loudness'],
  picture: ['picture', 'fields'],
  sound: ['sound'],
  flashes: [],
  decoding: ['picture', 'sound'],
};
export const passNames = Object.keys(watchedBy) as PassName[];

/** Decodes the file once for all that is asked for. */
export async function gatherPass(
  source: Source,
  probe: Probe | null,
  asked: readonly PassName[],
): Promise<PassEvidence | null> {
  const demuxer = demuxerOf(await recognise(source.bytes));
  if (!demuxer || !probe) return null;
  const reel = reelOf(probe);
  const names = [...new Set(asked.flatMap((name) => watchedBy[name]))];
  const onSeconds = (seconds: number) => {
    if (probe.durationSeconds) source.report?.(Math.min(1, seconds / probe.durationSeconds));
  };
  const hasFlashes = asked.includes('flashes');
  const { seen, log } = await decode({ demuxer, reel, names, hasFlashes, onSeconds }, source);
  return {
    loudness: seen.loudness ?? null,
    picture: seen.picture && seen.fields ? { ...seen.picture, fields: seen.fields } : null,
    sound: seen.sound ?? null,
    flashes: seen.flashes ? { ...seen.flashes, isWhole: log.errorCount === 0 } : null,
    decoding: asked.includes('decoding') ? decodingOf(seen, log, reel) : null,
  };
}

/** So much may be missing at the end: containers round, and coders add and cut a few milliseconds. */
const missingSecondsMax = 1;
const missingShareMax = 0.01;

function decodingOf({ picture, sound }: Partial<Seen>, log: DecoderLog, { film }: Reel): Decoding {
  const pictureEndSeconds = picture?.timing.endSeconds ?? null;
  const soundEndSeconds = sound?.durationSeconds ?? null;
  const claimed = film.durationSeconds ?? 0;
  const missing = claimed - Math.max(pictureEndSeconds ?? 0, soundEndSeconds ?? 0);
  return {
    errorCount: log.errorCount,
    messages: log.messages,
    pictureEndSeconds,
    soundEndSeconds,
    isCutShort: missing > Math.max(missingSecondsMax, missingShareMax * claimed),
  };
}
