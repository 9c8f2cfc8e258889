import type { FlashBox } from '#sidekick/flash-still.ts';
import type { FlashArea } from '#sidekick/profile.ts';
import { countAlternating, togetherSeconds } from './alternation.ts';
import { type AreaSize, transitionsMin } from './flashes.ts';
import { collectEvents, createFlashingPixels, type FlashingPixels, findFlashing } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { boxesOfMarks } from './marked-boxes.ts';
import { coarseStride, countTogether, createWindowSearch, sufficientShare } from './window-search.ts';

/** The share in the standards. If more of an area flashes, transitions are still counted over this share. */
const standardShare = 0.25;

/** An area of which a large enough share flashed too often in the second up to the latest frame. */
export type FlashingArea = {
  area: FlashArea;
  share: number;
  transitions: number;
  startSeconds: number;
  endSeconds: number;
  /** The boxes around all that flashes too often, also beyond a window. To be called before the next frame. */
  boxes(): FlashBox[];
};

/** Finds for each frame the areas of which at least `shareMin` had too many transitions within the last second. */
export function createFlashingAreaFinder(
  frameSize: { width: number; height: number },
  areas: AreaSize[],
  shareMin: number,
) {
  const { width, height } = frameSize;
  const pixelsMin = Math.min(...areas.map((area) => area.width * area.height * shareMin));
  const searchWindow = createWindowSearch(frameSize);
  let flashing: FlashingPixels | null = null;

  /** Only the areas in `possible` are examined. */
  return (history: History, possible: readonly AreaSize[]): FlashingArea[] => {
    if (possible.length === 0 || !hasEnoughTransitions(history, pixelsMin)) return [];
    flashing ??= createFlashingPixels(width * height);
    findFlashing(history, width, height, transitionsMin, flashing);
    if (flashing.count < pixelsMin) return [];
    const marked = flashing;
    const span = history.span();
    const flashingAreas: FlashingArea[] = [];
    for (const size of possible) {
      const areaPixels = size.width * size.height;
      if (flashing.count < areaPixels * shareMin) continue;
      const state = { history, flashing, span, transitionsMin };
      const found =
        size.area === 'screen'
          ? { pixels: countTogether(state, width, flashing, areaPixels * sufficientShare), part: flashing }
          : searchWindow(state, size, areaPixels * shareMin);
      if (!found || found.pixels < areaPixels * shareMin) continue;
      const stride = found.pixels < areaPixels * sufficientShare ? 1 : coarseStride;
      const events = collectEvents(history, flashing, width, found.part, span, stride);
      const enough = Math.min(found.pixels, areaPixels * standardShare);
      const { transitions, firstAge } = countAlternating(events, span, history.secondsOf, enough);
      flashingAreas.push({
        area: size.area,
        share: Math.min(1, found.pixels / areaPixels), // an estimate from a sample can exceed the area
        transitions,
        startSeconds: history.secondsOf(firstAge),
        endSeconds: history.secondsOf(0),
        boxes: () => boxesOfMarks(marked.mask, frameSize, marked),
      });
    }
    return flashingAreas;
  };
}

/** A cheap precondition: there were enough transitions just now, and enough in the last second. */
function hasEnoughTransitions(history: History, pixelsMin: number): boolean {
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
