import { flashAreaShareMin } from '@assay/contract/schemas/profiles/built-in.ts';
import type { FlashKind } from '#sidekick/flash-still.ts';
import { areaSizesOf, type FlashRun } from './flashes.ts';
import { createGridBound } from './grid-bound.ts';
import type { History } from './history.ts';
import { createFlashingAreaFinder, type FlashingArea } from './moment.ts';
import { createTransitionTracker, type Lines, type TrackedFormat } from './tracker.ts';

const runsMax = 10_000;

export type FlashAnalyser = {
  /** The buffer for the next frame; see `TransitionTracker`. */
  next(): Uint8Array;
  /** Analyses the frame or field in that buffer. Timestamps must increase. */
  processFrame(seconds: number, lines?: Lines): void;
  luminance: History;
  /** Relative luminance of one pixel of the latest frame. */
  luminanceOf(pixel: number): number;
  end(): FlashRun[];
};

/** Analyses every pixel of consecutive frames, and finds the runs with too many flashes. */
export function createFlashAnalyser(format: TrackedFormat & { pixelAspect?: number }): FlashAnalyser {
  const { width, height, pixelAspect } = format;
  const tracker = createTransitionTracker(format);
  const areas = areaSizesOf(width, height, pixelAspect);
  const findFlashingAreas = createFlashingAreaFinder(format, areas, flashAreaShareMin);
  const possible = {
    luminance: createGridBound(tracker.grid, areas, flashAreaShareMin),
    red: createGridBound(tracker.grid, areas, flashAreaShareMin),
  };
  const runs: FlashRun[] = [];
  const open = new Map<string, FlashRun>();

  function addFlashingAreas(kind: FlashKind, history: History): void {
    for (const flashing of findFlashingAreas(history, possible[kind](history))) note(kind, flashing);
  }

  function note(kind: FlashKind, flashing: FlashingArea): void {
    const key = `${kind} ${flashing.area}`;
    let run = open.get(key);
    if (!run || run.endSeconds < flashing.startSeconds) {
      run = startRun(kind, flashing);
      open.set(key, run);
      if (runs.length < runsMax) runs.push(run);
    }
    run.endSeconds = flashing.endSeconds;
    run.peakTransitions = Math.max(run.peakTransitions, flashing.transitions);
    run.peakFlashes = Math.floor(run.peakTransitions / 2);
    if (flashing.share > run.peakAreaShare) {
      const { share: peakAreaShare, startSeconds: peakStartSeconds, endSeconds: peakSeconds } = flashing;
      Object.assign(run, { peakAreaShare, peakStartSeconds, peakSeconds, boxes: flashing.boxes() });
    }
  }

  return {
    next: tracker.next,
    processFrame(seconds, lines) {
      tracker.processFrame(seconds, lines);
      addFlashingAreas('luminance', tracker.luminance);
      addFlashingAreas('red', tracker.red);
    },
    luminance: tracker.luminance,
    luminanceOf: tracker.luminanceOf,
    end: () => runs,
  };
}

function startRun(
  kind: FlashKind,
  { area, startSeconds, endSeconds, transitions, share, boxes }: FlashingArea,
): FlashRun {
  return {
    kind,
    area,
    startSeconds,
    endSeconds,
    peakTransitions: transitions,
    peakFlashes: Math.floor(transitions / 2),
    peakAreaShare: share,
    peakStartSeconds: startSeconds,
    peakSeconds: endSeconds,
    boxes: boxes(),
  };
}
