import { loadKernel } from '../signal/kernel.ts';
import { createLight } from '../signal/light.ts';
import { levelSampleSize, type VideoFormat } from '../signal/observer.ts';

export type FrameViews = {
  /** R'G'B' of the frame scaled down; see `SmallFrame`. */
  rgb: Uint8Array;
  /** Y, Cb, Cr of single pixels; see `LevelSample`. */
  yuv: Uint8Array;
  /** Updates `rgb` and `yuv`. */
  take(planes: Uint8Array): void;
};

/** Derives the inputs of the other observers from the full 4:2:0 frames that are analysed for flashes. */
export function createFrameViews(format: VideoFormat): FrameViews {
  const { width, height, small } = format;
  const isDeep = format.bits > 8;
  const pixels = small.width * small.height;
  const { shrink } = loadKernel();
  const size = Int32Array.of(width, height, small.width, small.height, isDeep ? 1 : 0);
  const { numbers } = createLight(format);
  const scratch = new Uint16Array(width + 3 * pixels); // a row of sums and three small planes
  const rgb = new Uint8Array(3 * pixels);
  const positions = samplePositionsOf(format);
  const yuv = new Uint8Array(positions.length);
  return {
    rgb,
    yuv,
    take(planes) {
      shrink([size, numbers, planes, scratch, rgb]);
      if (!isDeep) {
        for (let i = 0; i < positions.length; i++) yuv[i] = planes[positions[i] as number] as number;
        return;
      }
      const codes = new Uint16Array(planes.buffer, planes.byteOffset, planes.byteLength / 2);
      for (let i = 0; i < positions.length; i++) yuv[i] = toEightBits(codes[positions[i] as number] as number);
    },
  };
}

/** Rounds away from mid-scale, so that a 10-bit code beyond a limit stays beyond it in 8 bits: 19 → 4 and 20 → 5. */
function toEightBits(code: number): number {
  return Math.min(255, code < 512 ? code >> 2 : (code + 3) >> 2);
}

/** The positions of the sampled codes in the planes: all of Y, then Cb, then Cr. */
function samplePositionsOf({ width, height }: VideoFormat): Int32Array {
  const chromaWidth = Math.ceil(width / 2);
  const chromaSize = chromaWidth * Math.ceil(height / 2);
  const across = Array.from({ length: levelSampleSize.width }, (_, i) => centreOf(i, levelSampleSize.width, width));
  const down = Array.from({ length: levelSampleSize.height }, (_, i) => centreOf(i, levelSampleSize.height, height));
  const lumas = down.flatMap((y) => across.map((x) => y * width + x));
  const chromas = down.flatMap((y) => across.map((x) => width * height + (y >> 1) * chromaWidth + (x >> 1)));
  return Int32Array.from([...lumas, ...chromas, ...chromas.map((position) => position + chromaSize)]);
}

function centreOf(index: number, count: number, size: number): number {
  return Math.min(size - 1, Math.floor(((index + 0.5) * size) / count));
}
