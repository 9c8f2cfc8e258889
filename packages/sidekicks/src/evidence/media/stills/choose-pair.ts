import type { FlashBox, FlashKind } from '#sidekick/flash-still.ts';
import { linearLightBy } from '../decode/signal/light.ts';
import type { Picture } from './picture.ts';

export type TimedPicture = Picture & { seconds: number };
/** The two states of a flash: light and dark, or red and not red. */
export type Pair = { light: TimedPicture; dark: TimedPicture };

const samplesMax = 2000;
/** Of pairs that differ by almost as much as any, the two frames that are nearest to each other are of the same flash. */
const nearlyMost = 0.9;
/** If a smaller share of the pixels changes by this much, the frames do not show the flash. */
const changeMin: Readonly<Record<FlashKind, number>> = { luminance: 0.04, red: 0.1 };
const changedShareMin = 0.02;

const linear = Float32Array.from({ length: 256 }, (_, code) => linearLightBy.srgb(code / 255));

/** Chooses the two frames that differ the most where it flashes; null if none of them do. */
export function choosePair(frames: readonly TimedPicture[], kind: FlashKind, boxes: readonly FlashBox[]): Pair | null {
  const [first] = frames;
  if (!first) return null;
  const places = samplePlaces(first, boxes);
  const samples = frames.map((frame) => Float32Array.from(places, (place) => stateOf(frame, place, kind)));
  const differences = new Map<string, number>();
  let most = 0;
  for (let later = 1; later < samples.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      const difference = differenceOf(samples[earlier] as Float32Array, samples[later] as Float32Array);
      differences.set(`${earlier} ${later}`, difference);
      most = Math.max(most, difference);
    }
  }
  for (let apart = 1; apart < frames.length; apart++) {
    for (let later = frames.length - 1; later >= apart; later--) {
      const earlier = later - apart;
      if ((differences.get(`${earlier} ${later}`) ?? 0) < nearlyMost * most) continue;
      const [one, other] = [samples[earlier], samples[later]] as [Float32Array, Float32Array];
      if (!isVisible(one, other, kind)) return null;
      const [a, b] = [frames[earlier], frames[later]] as [TimedPicture, TimedPicture];
      return sumOf(one) > sumOf(other) ? { light: a, dark: b } : { light: b, dark: a };
    }
  }
  return null;
}

/** How light a pixel is, or how red: 0 to 1. Black and every grey are not red. */
export function stateOf({ rgb }: Picture, pixel: number, kind: FlashKind): number {
  const [red, green, blue] = [rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2]] as [number, number, number];
  if (kind === 'red') return Math.max(0, red - Math.max(green, blue)) / 255;
  const [r, g, b] = [linear[red], linear[green], linear[blue]] as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Pixels at even distances in each box, or in the whole frame if there is none. */
function samplePlaces({ width, height }: Picture, boxes: readonly FlashBox[]): number[] {
  const parts = (boxes.length > 0 ? boxes : [{ x: 0, y: 0, width: 1, height: 1 }]).map((box) => ({
    left: Math.min(width - 1, Math.floor(box.x * width)),
    top: Math.min(height - 1, Math.floor(box.y * height)),
    right: Math.max(1, Math.ceil((box.x + box.width) * width)),
    bottom: Math.max(1, Math.ceil((box.y + box.height) * height)),
  }));
  const pixels = parts.reduce((sum, part) => sum + (part.right - part.left) * (part.bottom - part.top), 0);
  const step = Math.max(1, Math.ceil(Math.sqrt(pixels / samplesMax)));
  const places: number[] = [];
  for (const { left, top, right, bottom } of parts) {
    for (let y = top; y < bottom; y += step) for (let x = left; x < right; x += step) places.push(y * width + x);
  }
  return places;
}

function differenceOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += Math.abs((one[i] as number) - (other[i] as number));
  return sum;
}

function isVisible(one: Float32Array, other: Float32Array, kind: FlashKind): boolean {
  const changed = one.reduce(
    (sum, state, i) => sum + Number(Math.abs(state - (other[i] as number)) >= changeMin[kind]),
    0,
  );
  return changed >= changedShareMin * one.length;
}

function sumOf(samples: Float32Array): number {
  return samples.reduce((sum, state) => sum + state, 0);
}
