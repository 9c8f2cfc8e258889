import { loadKernel } from '../signal/kernel.ts';
import { createLight } from '../signal/light.ts';
import { type LevelSample, levelSampleSize, type VideoFormat } from '../signal/observer.ts';

export type FrameViews = {
  /** R'G'B' of the frame scaled down; see `SmallFrame`. */
  rgb: Uint8Array;
  levels: Pick<LevelSample, 'codes' | 'sums'>;
  /** Updates `rgb` and `levels`. */
  take(planes: Uint8Array): void;
};

/** Derives the inputs of the other observers from the full 4:2:0 frames that are analysed for flashes. */
export function createFrameViews(format: VideoFormat): FrameViews {
  const { width, height, small } = format;
  const isDeep = format.bits > 8;
  const pixels = small.width * small.height;
  const { shrink, sampleLevels } = loadKernel();
  const size = Int32Array.of(width, height, small.width, small.height, isDeep ? 1 : 0);
  const { numbers } = createLight(format);
  const scratch = new Uint16Array(width + 3 * pixels); // a row of sums and three small planes
  const rgb = new Uint8Array(3 * pixels);
  const sampled = Int32Array.of(width, height, levelSampleSize.width, levelSampleSize.height, isDeep ? 1 : 0);
  const sampleCodes = 3 * levelSampleSize.width * levelSampleSize.height;
  const levels = { codes: new Uint8Array(sampleCodes), sums: new Uint16Array(sampleCodes) };
  return {
    rgb,
    levels,
    take(planes) {
      shrink([size, numbers, planes, scratch, rgb]);
      sampleLevels([sampled, planes, levels.codes, levels.sums]);
    },
  };
}
