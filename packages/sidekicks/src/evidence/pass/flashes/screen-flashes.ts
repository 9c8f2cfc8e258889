import type { Observation, PictureFormat, SmallPicture } from '../observer.ts';
import { createRanges, createSeries } from '../series.ts';
import { createCandidateJudge } from './candidates.ts';
import { extendedTransitionsMin, type FlashScreening, sizeAreas } from './flashes.ts';
import { countBits } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { createLight, type Light, levelsPerTenth } from './light.ts';
import { createTransitionTracker } from './transitions.ts';

/** To look for candidates takes as long as to find the transitions, so it is not done after each picture. */
const lookedAtEverySeconds = 0.2;
const aHair = 0.001;

// Averaging makes thin and scattered shapes fainter and wider. What fails in full size must be found here: each limit is
// far below the one that counts, and what is found too much costs only a closer look.
const loose = {
  levelStep: 0.5 * levelsPerTenth,
  redShareMin: 0.6,
  chromaticityStep: 0.12,
  secondStep: levelsPerTenth,
  lookedAtEverySeconds,
};
const windowShareMin = 0.15;
/** A closer look begins this much before what was seen, as its first transition lies up to a second back. */
const lookBackSeconds = 1 + lookedAtEverySeconds;
const candidateGapSeconds = 1;

const meanStepSeconds = 0.1;
const screenShareMin = 0.25;
/** Every second of this long has four transitions or more; of the pictures that look a second back, that is one less. */
const extendedSeconds = 5;
const extendedGapSeconds = 0.4;
/** Of so many pixels one is looked at for the mean. */
const meanStride = 16;

/** Sees every picture of a film, made small, and says where it may flash too much, and how it goes on the whole. */
export const screenFlashes: Observation<FlashScreening> = {
  taps: ['picture'],
  open: ({ picture }) => (picture ? openScreening(picture) : null),
};

function openScreening({ small, transfer, matrix }: PictureFormat) {
  const light = createLight({ transfer, matrix });
  const tracker = createTransitionTracker(small.width * small.height, light, loose);
  const second = tracker.second as History;
  const isCandidate = createCandidateJudge(small, sizeAreas(small.width, small.height), {
    shareMin: windowShareMin,
    lookedAtEverySeconds,
  });
  const candidates = createRanges({ secondsMin: 0, gapSeconds: candidateGapSeconds });
  const extended = createRanges({ secondsMin: extendedSeconds, gapSeconds: extendedGapSeconds });
  const transitions = createSeries({ stepSeconds: lookedAtEverySeconds, pool: 'max' });
  const meanLuminance = createSeries({ stepSeconds: meanStepSeconds, pool: 'mean' });
  const countShared = createShareCounter(small.width * small.height);

  let lookedAt = Number.NEGATIVE_INFINITY;
  let latest = 0;
  function look(): void {
    lookedAt = latest;
    const red = tracker.red();
    const from = Math.max(0, latest - lookBackSeconds);
    if (isCandidate(tracker.luminance) || (red && isCandidate(red))) candidates.add(from, latest);
    const shared = countShared(second);
    if (shared >= extendedTransitionsMin) extended.add(from, latest);
    transitions.add(latest, shared);
  }

  return {
    picture({ rgb, seconds }: SmallPicture): void {
      tracker.see(rgb, seconds);
      latest = seconds;
      meanLuminance.add(seconds, meanOf(rgb, light));
      if (seconds - lookedAt >= lookedAtEverySeconds - aHair || seconds < lookedAt) look();
    },
    end(): FlashScreening {
      look();
      return {
        candidates: candidates.end().ranges,
        extended: extended.end().ranges,
        series: { transitions: transitions.end(), meanLuminance: meanLuminance.end() },
      };
    },
  };
}

/** The most transitions of the last second that a quarter of the pixels made at least. */
/** For a plot and a warning one pixel of four is enough. */
const stride = 4;

function createShareCounter(pixels: number) {
  const most = 64;
  const counts = new Int32Array(most + 1);
  return (history: History): number => {
    let all = 0;
    for (let age = history.span() - 1; age >= 0; age--) all += history.transitionsOf(age);
    if (all < pixels * screenShareMin) return 0;
    counts.fill(0);
    const live = history.live();
    for (let i = 0; i < pixels; i += stride) {
      let transitions = 0;
      for (const { words, bits } of live) transitions += countBits((words[i] as number) & bits);
      const at = Math.min(most, transitions);
      counts[at] = (counts[at] as number) + 1;
    }
    let above = 0;
    for (let transitions = most; transitions > 0; transitions--) {
      above += stride * (counts[transitions] as number);
      if (above >= pixels * screenShareMin) return transitions;
    }
    return 0;
  };
}

function meanOf(rgb: Uint8Array, { red, green, blue, luminance }: Light): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at + 2 < rgb.length; at += 3 * meanStride) {
    sum += luminance(
      (red[rgb[at] as number] as number) +
        (green[rgb[at + 1] as number] as number) +
        (blue[rgb[at + 2] as number] as number),
    );
    count++;
  }
  return Math.min(1, sum / count);
}
