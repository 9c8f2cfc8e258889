import type { PictureFormat } from '../observer.ts';
import { type FlashKind, type FlashRun, sizeAreas } from './flashes.ts';
import { createGridBound } from './grid-bound.ts';
import type { History } from './history.ts';
import { createMomentJudge, type Moment } from './moment.ts';
import { createTransitionTracker } from './tracker.ts';

/** The least share of an area that a house is known to forbid; the standards say 0.25. */
export const areaShareMin = 0.2;
const runsMax = 10_000;

export type FlashAnalyser = {
  /** Where the next frame goes, 8 bits, without gaps: planes Y, Cb, Cr of 4:2:0, or of an RGB video G', B', R'. */
  next(): Uint8Array;
  /** Looks at the frame that was put there; times go up. */
  see(seconds: number): void;
  luminance: History;
  /** Relative luminance of one pixel of the latest frame. */
  luminanceOf(pixel: number): number;
  end(): FlashRun[];
};

/** Looks at every pixel of frames that follow each other, and finds the stretches that flash too much. */
export function createFlashAnalyser(
  format: Pick<PictureFormat, 'width' | 'height' | 'transfer' | 'matrix' | 'isFullRange' | 'isRgb'>,
): FlashAnalyser {
  const { width, height } = format;
  const tracker = createTransitionTracker(format);
  const areas = sizeAreas(width, height);
  const judgeMoment = createMomentJudge(format, areas, areaShareMin);
  const possible = {
    luminance: createGridBound(tracker.grid, areas, areaShareMin),
    red: createGridBound(tracker.grid, areas, areaShareMin),
  };
  const runs: FlashRun[] = [];
  const open = new Map<string, FlashRun>();

  function judge(kind: FlashKind, history: History): void {
    for (const moment of judgeMoment(history, possible[kind](history))) note(kind, moment);
  }

  function note(kind: FlashKind, moment: Moment): void {
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
    see(seconds) {
      tracker.see(seconds);
      judge('luminance', tracker.luminance);
      judge('red', tracker.red);
    },
    luminance: tracker.luminance,
    luminanceOf: tracker.luminanceOf,
    end: () => runs,
  };
}

function startRun(kind: FlashKind, { area, startSeconds, endSeconds, transitions, share, box }: Moment): FlashRun {
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
