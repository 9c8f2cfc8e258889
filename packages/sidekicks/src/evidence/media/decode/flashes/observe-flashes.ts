import type { MediaFormat, VideoFormat } from '../signal/observer.ts';
import { createRanges, createSeries } from '../signal/series.ts';
import { createFlashAnalyser } from './analyser.ts';
import { analysisSizeOf, extendedTransitionsMin, type ObservedFlashes } from './flashes.ts';
import { countBits } from './flashing-pixels.ts';
import type { History } from './history.ts';
import type { Lines } from './tracker.ts';

const countedEverySeconds = 0.2;
const timeTolerance = 0.001;
const meanStepSeconds = 0.1;
const screenShareMin = 0.25;
/** The least duration in which every second has four transitions or more. Each count covers the preceding second. */
const extendedSeconds = 5;
const extendedGapSeconds = 0.4;
/** A sample of this many pixels is enough for a plot and a warning. */
const sampledPixels = 20_000;
const meanPixels = 2000;

export type FlashObserver = {
  /** The buffer for the next frame. */
  next(): Uint8Array;
  /** Analyses the frame in that buffer. */
  processFrame(seconds: number): void;
  end(): ObservedFlashes;
};

/** Can also analyse fields: the format is then that of a field. */
export type PictureObserver = Omit<FlashObserver, 'processFrame'> & {
  processFrame(seconds: number, lines?: Lines): void;
};

/** The format of the analysed frames. Transparent ones are R'G'B' with a fourth plane. */
export function analysedFormatOf({ video }: MediaFormat): VideoFormat | null {
  if (!video) return null;
  return { ...video, ...analysisSizeOf(video.width, video.height), isRgb: video.isRgb || video.hasAlpha };
}

/** Analyses every pixel of every frame, and returns the flashes and an overview of the whole video. */
export function observeFlashes(format: VideoFormat): PictureObserver {
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
    processFrame(seconds, lines) {
      analyser.processFrame(seconds, lines);
      if (seconds - meanAt >= meanStepSeconds - timeTolerance || seconds < meanAt) {
        meanAt = seconds;
        meanLuminance.add(seconds, meanOf(analyser.luminanceOf, width * height));
      }
      latest = seconds;
      if (seconds - countedAt >= countedEverySeconds - timeTolerance || seconds < countedAt) count();
    },
    end() {
      if (analyser.luminance.frame() >= 0) count();
      return {
        runs: analyser.end(),
        extended: extended.end().ranges,
        series: { transitions: transitions.end(), meanLuminance: meanLuminance.end() },
        isByField: false,
        lookedAt: { width, height },
      };
    },
  };
}

/** The mean relative luminance of a sample of the pixels. */
function meanOf(luminanceOf: (pixel: number) => number, pixels: number): number {
  const stride = Math.max(1, Math.floor(pixels / meanPixels));
  let sum = 0;
  let count = 0;
  for (let pixel = 0; pixel < pixels; pixel += stride, count++) sum += luminanceOf(pixel);
  return Math.min(1, sum / count);
}

/** The most transitions within the last second that at least a quarter of the pixels made, measured on a sample. */
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
