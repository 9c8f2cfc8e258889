import type { FlashArea } from '../../../profile.ts';
import { countAlternating } from './alternation.ts';
import { type AreaSize, type FlashBox, transitionsMin } from './flashes.ts';
import { collectEvents, createFlashingPixels, type FlashingPixels, findFlashing } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { coarseStride, createWindowSearch, plentyShare, together } from './window-search.ts';
import type { Part } from './window-sum.ts';

/** Transitions of the latest picture count with those of pictures so shortly before it. */
const togetherSeconds = 0.0205;
/** The share that the standards speak of: with more, transitions are still counted over this much. */
const usualShare = 0.25;

/** At the latest picture, an area of which so large a share flashed too often within the last second. */
export type Moment = {
  area: FlashArea;
  share: number;
  transitions: number;
  startSeconds: number;
  endSeconds: number;
  box: FlashBox;
};

/** Says at each picture which areas have too many transitions behind them, if a share of at least `shareMin` has. */
export function createMomentJudge(picture: { width: number; height: number }, areas: AreaSize[], shareMin: number) {
  const { width, height } = picture;
  const pixelsMin = Math.min(...areas.map((area) => area.width * area.height * shareMin));
  const searchWindow = createWindowSearch(picture);
  let flashing: FlashingPixels | null = null;

  /** `possible` are the areas that may have flashed. */
  return (history: History, possible: readonly AreaSize[]): Moment[] => {
    if (possible.length === 0 || !couldFlash(history, pixelsMin)) return [];
    flashing ??= createFlashingPixels(width * height);
    findFlashing(history, width, height, transitionsMin, flashing);
    if (flashing.count < pixelsMin) return [];
    const span = history.span();
    const moments: Moment[] = [];
    for (const size of possible) {
      const areaPixels = size.width * size.height;
      if (flashing.count < areaPixels * shareMin) continue;
      const scene = { history, flashing, span, transitionsMin };
      const found =
        size.area === 'screen'
          ? { pixels: together(scene, width, flashing, areaPixels * plentyShare), part: flashing }
          : searchWindow(scene, size, areaPixels * shareMin);
      if (!found || found.pixels < areaPixels * shareMin) continue;
      const stride = found.pixels < areaPixels * plentyShare ? 1 : coarseStride;
      const events = collectEvents(history, flashing, width, found.part, span, stride);
      const enough = Math.min(found.pixels, areaPixels * usualShare);
      const { transitions, firstAge } = countAlternating(events, span, history.secondsOf, enough);
      moments.push({
        area: size.area,
        share: found.pixels / areaPixels,
        transitions,
        startSeconds: history.secondsOf(firstAge),
        endSeconds: history.secondsOf(0),
        box: boxOf(found.part),
      });
    }
    return moments;
  };

  function boxOf({ left, top, right, bottom }: Part): FlashBox {
    return {
      x: left / width,
      y: top / height,
      width: (right - left + 1) / width,
      height: (bottom - top + 1) / height,
    };
  }
}

/** Cheap to say: enough pixels made a transition just now, and enough of them in the last second. */
function couldFlash(history: History, pixelsMin: number): boolean {
  let justNow = 0;
  let all = 0;
  const span = history.span();
  for (let age = 0; age < span; age++) {
    const transitions = history.transitionsOf(age);
    all += transitions;
    if (history.secondsOf(0) - history.secondsOf(age) <= togetherSeconds) justNow += transitions;
  }
  return justNow >= pixelsMin && all >= transitionsMin * pixelsMin;
}
