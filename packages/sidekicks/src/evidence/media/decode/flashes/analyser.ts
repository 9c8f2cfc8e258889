import { flashAreaShareMin } from '@assay/contract/schemas/profiles/built-in.ts';
import { type FlashKind, type FlashRun, sizeAreas } from './flashes.ts';
import { createGridBound } from './grid-bound.ts';
import type { History } from './history.ts';
import { createMomentFinder, type FlashingMoment } from './moment.ts';
import { createTransitionTracker, type TrackedFormat } from './tracker.ts';

const runsMax = 10_000;

export type FlashAnalyser = {
  /** The buffer for the next frame; see `TransitionTracker`. */
  next(): Uint8Array;
  /** Analyses the frame in that buffer. Timestamps must increase. */
  processFrame(seconds: number): void;
  luminance: History;
  /** Relative luminance of one pixel of the latest frame. */
  luminanceOf(pixel: number): number;
  end(): FlashRun[];
};

/** Analyses every pixel of consecutive frames, and finds the runs with too many flashes. */
export function createFlashAnalyser(format: TrackedFormat): FlashAnalyser {
  const { width, height } = format;
  const tracker = createTransitionTracker(format);
  const areas = sizeAreas(width, height);
  const findMoments = createMomentFinder(format, areas, flashAreaShareMin);
  const possible = {
    luminance: createGridBound(tracker.grid, areas, flashAreaShareMin),
    red: createGridBound(tracker.grid, areas, flashAreaShareMin),
  };
  const runs: FlashRun[] = [];
  const open = new Map<string, FlashRun>();

  function addMoments(kind: FlashKind, history: History): void {
    for (const moment of findMoments(history, possible[kind](history))) note(kind, moment);
  }

  function note(kind: FlashKind, moment: FlashingMoment): void {
    const key = `${kind} ${moment.area}`;
    let run = open.get(key);
    if (!run || run.endSeconds < moment.startSeconds) {
      run = startRun(kind, moment);
      open.set(key, run);
      if (runs.length < runsMax) runs.push(run);
    }
    run.endSeconds = moment.endSeconds;
    run.peakTransitions = Math.max(run.peakTransitions, moment.transitions);
    run.peakFlashes = Math.floor(run.peakTransitions / 2);
    if (moment.share > run.peakAreaShare) {
      Object.assign(run, { peakAreaShare: moment.share, peakSeconds: moment.endSeconds, box: moment.box });
    }
  }

  return {
    next: tracker.next,
    processFrame(seconds) {
      tracker.processFrame(seconds);
      addMoments('luminance', tracker.luminance);
      addMoments('red', tracker.red);
    },
    luminance: tracker.luminance,
    luminanceOf: tracker.luminanceOf,
    end: () => runs,
  };
}

function startRun(
  kind: FlashKind,
  { area, startSeconds, endSeconds, transitions, share, box }: FlashingMoment,
): FlashRun {
  return {
    kind,
    area,
    startSeconds,
    endSeconds,
    peakTransitions: transitions,
    peakFlashes: Math.floor(transitions / 2),
    peakAreaShare: share,
    peakSeconds: endSeconds,
    box,
  };
}
