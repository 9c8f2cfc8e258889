import type { FlashBox, FlashKind } from '#sidekick/flash-still.ts';
import type { FlashArea } from '#sidekick/profile.ts';
import type { Range, Series } from '../signal/series.ts';

/** A period with more flashes than allowed, over a share of an area that some delivery profile may forbid. */
export type FlashRun = {
  kind: FlashKind;
  area: FlashArea;
  /** From the first transition that counts to the last. */
  startSeconds: number;
  endSeconds: number;
  /** The most transitions in one position of the area within a second; two transitions are a flash. */
  peakTransitions: number;
  peakFlashes: number;
  /** The largest share of the area that made more than six transitions together within a second. */
  peakAreaShare: number;
  peakSeconds: number;
  /** The first of the transitions that were counted at the peak. */
  peakStartSeconds: number;
  /** The boxes around what flashes at the peak, one for each separate area, the largest first. */
  boxes: FlashBox[];
};

/** A long period of flashes whose frequency is within the limit. */
export type ExtendedFlashes = Range;

export type FlashSeries = {
  /** The most transitions within a second that a quarter of the screen made, not necessarily together. */
  transitions: Series;
  /** Mean relative luminance, 0 to 1; 1 is the reference. */
  meanLuminance: Series;
};

/** All flashes of a video, whatever the profile: in every area, from the smallest share that any profile forbids. */
export type Flashes = {
  runs: FlashRun[];
  extended: ExtendedFlashes[];
  series: FlashSeries;
  /** Whether all frames could be decoded. */
  isWhole: boolean;
  /** The share of the frames that could not be decoded; null if it is not known. */
  undecodedShare: number | null;
  /** Whether some second has more frames than the search for flashes can take into account. */
  isTooFast: boolean;
  /** The number of frames that were analysed. */
  frameCount: number;
  /** Whether the two fields of each frame were analysed one after the other. */
  isByField: boolean;
  /** The size at which frames were analysed. */
  lookedAt: { width: number; height: number };
};

/** What the frames show, without what is known about frames that were not decoded. */
export type ObservedFlashes = Omit<Flashes, 'isWhole' | 'undecodedShare' | 'isTooFast' | 'frameCount'>;

/** More than six transitions (three flashes) within a second are too many. */
export const transitionsMin = 7;
export const extendedTransitionsMin = 4;

/** The reference screen. Windows are measured in its pixels, as if the frame filled the screen. */
const referenceScreen = { width: 1920, height: 1080 };
const windowSizes = { '341x256': [341, 256], '416x416': [416, 416] } as const;

export type AreaSize = { area: FlashArea; width: number; height: number };

/** The areas in pixels of a frame of this size. `pixelAspect` is the width of a displayed pixel by its height. */
export function areaSizesOf(width: number, height: number, pixelAspect = 1): AreaSize[] {
  const displayedWidth = width * pixelAspect;
  const scale = Math.max(displayedWidth / referenceScreen.width, height / referenceScreen.height);
  return [
    { area: 'screen', width, height },
    ...Object.entries(windowSizes).map(([area, [wide, high]]) => ({
      area: area as FlashArea,
      width: Math.max(1, Math.round((wide * scale) / pixelAspect)),
      height: Math.max(1, Math.round(high * scale)),
    })),
  ];
}

/** The size at which frames are analysed: that of the video, or its size on the reference screen if that is smaller. */
export function analysisSizeOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, 1 / Math.max(width / referenceScreen.width, height / referenceScreen.height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
