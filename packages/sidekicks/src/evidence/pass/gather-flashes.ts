import type { Source } from '../source.ts';
import { decode, type Interval } from './decode.ts';
import type { Reel } from './film.ts';
import { type Flashes, type FlashRun, type FlashScreening, sizeCloserLook } from './flashes/flashes.ts';

/** A run of flashes is judged with what comes just before and after it. */
const paddingSeconds = 1.2;
/** So much of a film is looked at closely; beyond, the cost would be many times that of decoding it. */
const closerSecondsMax = 300;

/** Looks once more, in full size, at the stretches that may flash too much, and there alone. */
export async function gatherFlashes(
  screening: FlashScreening,
  { demuxer, reel }: { demuxer: string; reel: Reel },
  source: Source,
): Promise<Flashes | null> {
  const { picture } = reel.film;
  if (!picture) return null;
  const lookedAt = sizeCloserLook(picture.width, picture.height);
  const closer: Reel = { ...reel, film: { ...reel.film, picture: { ...picture, small: lookedAt } } };
  const runs: FlashRun[] = [];
  let leftSeconds = closerSecondsMax;
  let unseenSeconds = 0;
  for (const interval of reel.isLoop
    ? wholeOf(screening, reel)
    : pad(screening.candidates, reel.film.durationSeconds)) {
    const lengthSeconds = interval.endSeconds - interval.startSeconds;
    const seenSeconds = Math.min(lengthSeconds, leftSeconds);
    unseenSeconds += lengthSeconds - seenSeconds;
    if (seenSeconds === 0) continue;
    leftSeconds -= seenSeconds;
    const part = { ...interval, endSeconds: interval.startSeconds + seenSeconds };
    const { seen } = await decode({ demuxer, reel: closer, names: ['flashRuns'], interval: part }, source);
    runs.push(...(seen.flashRuns ?? []));
  }
  return { runs, extended: screening.extended, series: screening.series, lookedAt, unseenSeconds };
}

/** In pictures that move nobody can look for a moment: they are short, and looked at from their beginning. */
function wholeOf({ candidates }: FlashScreening, { film }: Reel): Interval[] {
  return candidates.length > 0 ? [{ startSeconds: 0, endSeconds: film.durationSeconds ?? closerSecondsMax }] : [];
}

function pad(candidates: readonly Interval[], durationSeconds: number | null): Interval[] {
  const padded: Interval[] = [];
  for (const { startSeconds, endSeconds } of candidates) {
    const start = Math.max(0, startSeconds - paddingSeconds);
    const end = Math.min(durationSeconds ?? Number.POSITIVE_INFINITY, endSeconds + paddingSeconds);
    const before = padded.at(-1);
    if (before && start <= before.endSeconds) before.endSeconds = Math.max(before.endSeconds, end);
    else padded.push({ startSeconds: start, endSeconds: end });
  }
  return padded;
}
