import { loadKernel } from '../flashes/kernel.ts';
import { createLight } from '../flashes/light.ts';
import { levelSampleSize, type PictureFormat } from '../observer.ts';

export type FrameViews = {
  /** R', G', B' of the small frame. */
  rgb: Uint8Array;
  /** Y, Cb, Cr of single pixels. */
  yuv: Uint8Array;
  /** Fills both. */
  take(planes: Uint8Array): void;
};

/** What is looked at besides flashes, made of a whole frame of 4:2:0: it in a smaller size, and single pixels of it. */
export function createFrameViews(format: PictureFormat): FrameViews {
  const { width, height, small } = format;
  const pixels = small.width * small.height;
  const { shrink } = loadKernel();
  const size = Int32Array.of(width, height, small.width, small.height);
  const { numbers } = createLight(format);
  const room = new Uint16Array(width + Math.ceil(1.5 * pixels)); // a row of sums, and three small planes
  const rgb = new Uint8Array(3 * pixels);
  const places = placesOf(format);
  const yuv = new Uint8Array(places.length);
  return {
    rgb,
    yuv,
    take(planes) {
      shrink([size, numbers, planes, room, rgb]);
      for (let i = 0; i < places.length; i++) yuv[i] = planes[places[i] as number] as number;
    },
  };
}

/** Where the pixels lie that stand for the frame: all of Y, then of Cb, then of Cr. */
function placesOf({ width, height }: PictureFormat): Int32Array {
  const chromaWidth = Math.ceil(width / 2);
  const chromaSize = chromaWidth * Math.ceil(height / 2);
  const across = Array.from({ length: levelSampleSize.width }, (_, i) => middle(i, levelSampleSize.width, width));
  const down = Array.from({ length: levelSampleSize.height }, (_, i) => middle(i, levelSampleSize.height, height));
  const lumas = down.flatMap((y) => across.map((x) => y * width + x));
  const chromas = down.flatMap((y) => across.map((x) => width * height + (y >> 1) * chromaWidth + (x >> 1)));
  return Int32Array.from([...lumas, ...chromas, ...chromas.map((place) => place + chromaSize)]);
}

function middle(index: number, count: number, size: number): number {
  return Math.min(size - 1, Math.floor(((index + 0.5) * size) / count));
}
