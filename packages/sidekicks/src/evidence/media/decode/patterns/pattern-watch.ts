import type { FlashBox } from '#sidekick/flash-still.ts';
import type { VideoFormat } from '../signal/observer.ts';
import { createPatternFinder, type FoundPattern } from './find-pattern.ts';
import { createLuminance } from './luminance.ts';
import { lateSecondsMax, Motion } from './motion.ts';
import { areaShareMax, type PatternMotion, type PatternRun, type Patterns, patternSecondsMin } from './patterns.ts';

/** The interval at which frames are searched for stripes. */
const searchSeconds = 0.12;
/** Once stripes cover `followedShareMin`, every frame is searched for this long, because they can change quickly. */
const followSeconds = 0.5;
const followedShareMin = 0.15;
const timeTolerance = 0.001;
/** How long a motion of this kind may have lasted before it is recognised. */
const lookBackSeconds: Readonly<Record<PatternMotion, number>> = { changing: 1, stationary: patternSecondsMin };
const gapSeconds = 0.4;
const runsMax = 1000;

type OpenRun = PatternRun & { lastSeconds: number };

/** Finds the periods in which stripes cover too much of the screen. */
export function createPatternWatch(format: VideoFormat) {
  const { width, height } = format.small;
  const pixels = width * height;
  const frameSeconds = 1 / (format.frameRate ?? 25);
  const luminance = new Float32Array(pixels);
  const toLuminance = createLuminance(format);
  const finder = createPatternFinder(luminance, width, height);
  const motion = new Motion(luminance, width, height);
  const runs: PatternRun[] = [];

  let searchedAt = Number.NEGATIVE_INFINITY;
  let foundAt = Number.NEGATIVE_INFINITY;
  /** The time since which stripes, whatever their motion, have covered more than the lower limit. */
  let since = Number.POSITIVE_INFINITY;
  let open: OpenRun | null = null;

  function closeRun(): void {
    if (!open) return;
    const { lastSeconds, ...run } = open;
    run.endSeconds = lastSeconds + frameSeconds;
    open = null;
    const seconds = run.endSeconds - run.startSeconds;
    if (seconds >= patternSecondsMin - lateSecondsMax - timeTolerance && runs.length < runsMax) runs.push(run);
  }

  function note(seconds: number, pattern: FoundPattern): void {
    const { present, changing, still } = motion.areas(seconds);
    if (present <= areaShareMax.changing * pixels) since = Number.POSITIVE_INFINITY;
    else since = Math.min(since, seconds);
    const shares = { changing: changing / pixels, stationary: (changing + still) / pixels };
    const kind = (['changing', 'stationary'] as const).find((name) => shares[name] > areaShareMax[name]);
    if (open && seconds - open.lastSeconds > gapSeconds) closeRun();
    if (!kind) return;
    open ??= openRun(kind, Math.max(since, seconds - lookBackSeconds[kind]));
    if (pattern.pixels > 0) open.lastSeconds = seconds;
    const isWorse = kind === open.motion ? shares[kind] > open.peakAreaShare : kind === 'changing';
    if (!isWorse || pattern.pixels === 0) return;
    Object.assign(open, {
      motion: kind,
      peakAreaShare: shares[kind],
      peakSeconds: seconds,
      pairs: Math.max(open.pairs, pattern.pairs),
      lightLuminance: pattern.lightLuminance,
      darkLuminance: pattern.darkLuminance,
      box: boxOf(pattern.signs, width, height),
    });
  }

  return {
    take(seconds: number, rgb: Uint8Array): void {
      const isFollowing = seconds >= foundAt && seconds - foundAt <= followSeconds;
      const isDue = seconds < searchedAt || seconds - searchedAt >= searchSeconds - timeTolerance;
      if (!isFollowing && !isDue) return;
      searchedAt = seconds;
      toLuminance(rgb, luminance);
      if (!isFollowing && !finder.mayHavePattern()) {
        since = Number.POSITIVE_INFINITY;
        return;
      }
      const pattern = finder.find();
      if (pattern.pixels >= followedShareMin * pixels) foundAt = seconds;
      motion.take(seconds, pattern);
      note(seconds, pattern);
    },

    end(): Patterns {
      closeRun();
      return { runs };
    },
  };
}

function openRun(motion: PatternMotion, startSeconds: number): OpenRun {
  return {
    motion,
    startSeconds,
    endSeconds: startSeconds,
    lastSeconds: startSeconds,
    ...{ peakAreaShare: 0, peakSeconds: startSeconds, pairs: 0, lightLuminance: 0, darkLuminance: 0 },
    box: { x: 0, y: 0, width: 1, height: 1 },
  };
}

function boxOf(signs: Int8Array, width: number, height: number): FlashBox {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!signs[y * width + x]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  return {
    x: left / width,
    y: top / height,
    width: (right + 1 - left) / width,
    height: (bottom + 1 - top) / height,
  };
}
