import type { FlashArea } from '../../../profile.ts';
import type { Range, Series } from '../series.ts';

export type FlashKind = 'luminance' | 'red';

/** In shares of the width and height of the picture. */
export type FlashBox = { x: number; y: number; width: number; height: number };

/** A stretch in which one place flashes more than is allowed, over a share of an area that some house may forbid. */
export type FlashRun = {
  kind: FlashKind;
  area: FlashArea;
  /** From the first transition that counts to the last. */
  startSeconds: number;
  endSeconds: number;
  /** The most transitions of one place in any second; two of them are a flash. */
  peakTransitions: number;
  peakFlashes: number;
  /** The largest share of the area that made more than six transitions within a second, together. */
  peakAreaShare: number;
  peakSeconds: number;
  /** Around all that flashed at the peak. */
  box: FlashBox;
};

/** A long stretch of flashes that are each within what is allowed. */
export type ExtendedFlashes = Range;

export type FlashSeries = {
  /** The most transitions within a second that a quarter of the screen made, together or not. */
  transitions: Series;
  /** The mean of relative luminance, 0 to 1, of which 1 is the reference. */
  meanLuminance: Series;
};

/** What flashes in a film, whatever a house allows: all areas, from the least share that one may forbid. */
export type Flashes = {
  runs: FlashRun[];
  extended: ExtendedFlashes[];
  series: FlashSeries;
  /** Whether all pictures could be decoded. */
  isWhole: boolean;
  /** The size that pictures were looked at in. */
  lookedAt: { width: number; height: number };
};

/** More than six transitions, three flashes, within a second are too many. */
export const transitionsMin = 7;
export const extendedTransitionsMin = 4;

/** The reference screen: windows are so many of its pixels, whatever the picture has, as if it filled the screen. */
const screen = { width: 1920, height: 1080 };
const windows = { '341x256': [341, 256], '416x416': [416, 416] } as const;

export type AreaSize = { area: FlashArea; width: number; height: number };

/** The areas in pixels of a picture of this size. */
export function sizeAreas(width: number, height: number): AreaSize[] {
  const scale = Math.max(width / screen.width, height / screen.height);
  return [
    { area: 'screen', width, height },
    ...Object.entries(windows).map(([area, [wide, high]]) => ({
      area: area as FlashArea,
      width: Math.max(1, Math.round(wide * scale)),
      height: Math.max(1, Math.round(high * scale)),
    })),
  ];
}

/** The size to look at frames in: the video's own, or what it has on the reference screen if that is smaller. */
export function sizeOfLook(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, 1 / Math.max(width / screen.width, height / screen.height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
