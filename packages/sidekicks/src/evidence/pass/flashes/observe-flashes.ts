import type { Film, PictureFormat } from '../observer.ts';
import { createRanges, createSeries } from '../series.ts';
import { createFlashAnalyser } from './analyser.ts';
import { extendedTransitionsMin, type Flashes, sizeOfLook } from './flashes.ts';
import { countBits } from './flashing-pixels.ts';
import type { History } from './history.ts';

const countedEverySeconds = 0.2;
const aHair = 0.001;
const meanStepSeconds = 0.1;
const screenShareMin = 0.25;
/** Every second of this long has four transitions or more; of the pictures that look a second back, that is one less. */
const extendedSeconds = 5;
const extendedGapSeconds = 0.4;
/** For a plot and a warning so many pixels are enough. */
const sampledPixels = 20_000;
const meanPixels = 2000;

export type FlashObserver = {
  /** Where the next picture goes. */
  next(): Uint8Array;
  see(seconds: number): void;
  end(): Omit<Flashes, 'isWhole'>;
};

/** The format of the pictures that are looked at. */
export function lookedAtFormat({ picture }: Film): PictureFormat | null {
  return picture && { ...picture, ...sizeOfLook(picture.width, picture.height) };
}

/** Sees every pixel of every picture, and says what flashes too much and how it goes on the whole. */
export function observeFlashes(format: PictureFormat): FlashObserver {
  const { width, height } = format;
  const analyser = createFlashAnalyser(format);
  const countShared = createShareCounter(width * height);
  const extended = createRanges({ secondsMin: extendedSeconds, gapSeconds: extendedGapSeconds });
  const transitions = createSeries({ stepSeconds: countedEverySeconds, pool: 'max' });
  const meanLuminance = createSeries({ stepSeconds: meanStepSeconds, pool: 'mean' });

  let countedAt = Number.NEGATIVE_INFINITY;
  let meanAt = Number.NEGATIVE_INFINITY;
  let latest = 0;
  function count(): void {
    countedAt = latest;
    const shared = countShared(analyser.luminance);
    if (shared >= extendedTransitionsMin) extended.add(Math.max(0, latest - 1 - countedEverySeconds), latest);
    transitions.add(latest, shared);
  }

  return {
    next: analyser.next,
    see(seconds) {
      analyser.see(seconds);
      if (seconds - meanAt >= meanStepSeconds - aHair || seconds < meanAt) {
        meanAt = seconds;
        meanLuminance.add(seconds, meanOf(analyser.luminanceOf, width * height));
      }
      latest = seconds;
      if (seconds - countedAt >= countedEverySeconds - aHair || seconds < countedAt) count();
    },
    end() {
      if (analyser.luminance.frame() >= 0) count();
      return {
        runs: analyser.end(),
        extended: extended.end().ranges,
        series: { transitions: transitions.end(), meanLuminance: meanLuminance.end() },
        lookedAt: { width, height },
      };
    },
  };
}

/** The mean of relative luminance, by a sample of the pixels. */
function meanOf(luminanceOf: (pixel: number) => number, pixels: number): number {
  const stride = Math.max(1, Math.floor(pixels / meanPixels));
  let sum = 0;
  let count = 0;
  for (let pixel = 0; pixel < pixels; pixel += stride, count++) sum += luminanceOf(pixel);
  return Math.min(1, sum / count);
}

/** The most transitions of the last second that a quarter of the pixels made at least, by a sample of them. */
function createShareCounter(pixels: number) {
  const most = 64;
  const counts = new Int32Array(most + 1);
  const stride = Math.max(1, Math.floor(pixels / sampledPixels));
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
