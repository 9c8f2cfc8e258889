import type { PictureFormat } from '../observer.ts';
import { type FlashKind, type FlashRun, sizeAreas } from './flashes.ts';
import type { History } from './history.ts';
import { createLight, levelsPerTenth } from './light.ts';
import { createMomentJudge, type Moment } from './moment.ts';
import { createTransitionTracker } from './transitions.ts';

/** The least share of an area that a house is known to forbid; the standards say 0.25. */
export const areaShareMin = 0.2;
const strict = { levelStep: levelsPerTenth, redShareMin: 0.8, chromaticityStep: 0.2 };
const runsMax = 10_000;

export type FlashAnalyser = {
  /** R'G'B' of 8 bits each under the film's transfer curve, rows from the top; times go up. */
  see(rgb: Uint8Array, seconds: number): void;
  end(): FlashRun[];
};

/** Looks at every pixel of pictures that follow each other, and finds the stretches that flash too much. */
export function createFlashAnalyser(
  format: Pick<PictureFormat, 'width' | 'height' | 'transfer' | 'matrix'>,
): FlashAnalyser {
  const { width, height } = format;
  const tracker = createTransitionTracker(width * height, createLight(format), strict);
  const judgeMoment = createMomentJudge(format, sizeAreas(width, height), areaShareMin);
  const runs: FlashRun[] = [];
  const open = new Map<string, FlashRun>();

  function judge(kind: FlashKind, history: History | null): void {
    for (const moment of history ? judgeMoment(history) : []) note(kind, moment);
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
    see(rgb, seconds) {
      tracker.see(rgb, seconds);
      judge('luminance', tracker.luminance);
      judge('red', tracker.red());
    },
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
