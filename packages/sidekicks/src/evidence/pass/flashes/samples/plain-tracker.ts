import type { PictureFormat } from '../../observer.ts';
import { createLight } from '../light.ts';

export type TrackedFormat = Pick<PictureFormat, 'width' | 'height' | 'transfer' | 'matrix' | 'isFullRange' | 'isRgb'>;

/** The frames at which a pixel made a transition, and the direction of the last: 1 is up or to red, 2 the other. */
export type Turns = { direction: number; frames: number[] };
type Rgb = readonly [number, number, number];
type Look = { colour: Rgb; level: number; hue: { isRed: boolean; u: number; v: number } };

const slowestSeconds = 0.0645;
const lookBackMax = 8;
/** Of 2¹⁵, rounded. */
const times = (a: number, b: number) => Math.floor((a * b + 2 ** 14) / 2 ** 15);

/** What the kernel finds, found one pixel after the other by the text of the standard: slow, and plain to read. */
export function createPlainTracker(format: TrackedFormat) {
  const { width, height, isRgb } = format;
  const pixels = width * height;
  const chromaWidth = Math.ceil(width / 2);
  const chromaSize = chromaWidth * Math.ceil(height / 2);
  const { numbers, hue, tables, step: tenth } = createLight(format);
  const [black = 0, lumaScale = 0, redOfRed = 0, greenOfBlue = 0, greenOfRed = 0, blueOfBlue = 0, ...rest] = numbers;
  const [curve, weights] = [rest.slice(0, 6), rest.slice(6, 9)];
  const [brightScale = 0, brightLift = 0, hueLevelMin = 0] = rest.slice(9);
  const toXyz = [0, 3, 6].map((row) => hue.slice(row, row + 3) as unknown as Rgb);
  const none = (): Turns[] => Array.from({ length: pixels }, () => ({ direction: 0, frames: [] }));
  const luminance = none();
  const red = none();
  /** Newest first. */
  const seen: { seconds: number; looks: Look[] }[] = [];
  /** By the three codes of a pixel: the same codes always look the same. */
  const known = new Map<number, Look>();
  let frame = -1;

  /** Y, Cb and Cr of a pixel, or G', B' and R'. */
  function codesOf(planes: Uint8Array, pixel: number): Rgb {
    const at = (place: number) => planes[place] as number;
    if (isRgb) return [at(pixel), at(pixels + pixel), at(2 * pixels + pixel)];
    const y = Math.floor(pixel / width);
    const sample = pixels + (y >> 1) * chromaWidth + ((pixel % width) >> 1);
    return [at(pixel), at(sample), at(sample + chromaSize)];
  }

  function lookOf(planes: Uint8Array, pixel: number): Look {
    const codes = codesOf(planes, pixel);
    const key = codes[0] * 65_536 + codes[1] * 256 + codes[2];
    let look = known.get(key);
    if (!look) {
      const colour = colourOf(codes);
      look = { colour, level: levelOf(colour), hue: hueOf(colour) };
      known.set(key, look);
    }
    return look;
  }

  /** R', G' and B', 32 for a code. */
  function colourOf([first, second, third]: Rgb): Rgb {
    if (isRgb) return [32 * third, 32 * first, 32 * second];
    const luma = times(128 * (first - black), lumaScale);
    const [cb, cr] = [256 * (second - 128), 256 * (third - 128)];
    const within = (value: number) => Math.max(0, Math.min(255 * 32, value));
    return [
      within(luma + times(cr, redOfRed)),
      within(luma + times(cb, greenOfBlue) + times(cr, greenOfRed)),
      within(luma + times(cb, blueOfBlue)),
    ];
  }

  function linearOf(colour: Rgb): Rgb {
    const byTable = (value: number) => tables?.linear[Math.floor((value + 16) / 32)] as number;
    const byCurve = (value: number) =>
      Math.max(
        0,
        curve.reduceRight((sum, part) => times(sum, 8 * value - 32_640) + part, 0),
      );
    return colour.map(tables ? byTable : byCurve) as unknown as Rgb;
  }

  function levelOf(colour: Rgb): number {
    if (tables) {
      const parts = colour.map((value, i) => tables.parts[256 * i + Math.floor((value + 16) / 32)] as number);
      return tables.levels[parts.reduce((sum, part) => sum + part)] as number;
    }
    const level = linearOf(colour).reduce((sum, light, i) => sum + times(light, weights[i] as number), 0);
    return Math.min(level, times(level, brightScale) + brightLift);
  }

  function hueOf(colour: Rgb) {
    if (levelOf(colour) < hueLevelMin) return { isRed: false, u: hue[9] as number, v: hue[10] as number };
    const [r, g, b] = linearOf(colour);
    const [x, y, z] = toXyz.map((row) => row[0] * r + row[1] * g + row[2] * b) as unknown as Rgb;
    const sum = x + 15 * y + 3 * z;
    const quarter = tables ? r / 4 : Math.floor(r / 4);
    return { isRed: g + b <= quarter, u: (4 * x) / sum, v: (9 * y) / sum };
  }

  /** The nearest of the frames looked back at, down to the last turn, from which `directionOf` is not 0. */
  function turn(
    turns: Turns,
    directionOf: (age: number) => number,
    goesOn: (last: number, direction: number) => boolean,
  ) {
    const last = frame - (turns.frames.at(-1) ?? Number.NEGATIVE_INFINITY);
    for (let age = 1; age <= Math.min(seen.length - 1, last); age++) {
      const direction = directionOf(age);
      if (direction === 0) continue;
      if (turns.direction === direction) {
        if (last < seen.length && goesOn(last, direction)) return;
        turns.frames.pop();
      }
      turns.direction = direction;
      turns.frames.push(frame);
      return;
    }
  }

  function see(planes: Uint8Array, seconds: number): void {
    frame++;
    while (seen.length > 1 && (seen.length > lookBackMax || seconds - (seen.at(-1)?.seconds ?? 0) > slowestSeconds)) {
      seen.pop();
    }
    seen.unshift({ seconds, looks: Array.from({ length: pixels }, (_, pixel) => lookOf(planes, pixel)) });
    if (seen.length === 1) return;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const at = (age: number) => seen[age]?.looks[pixel] as Look;
      const step = (age: number, than: number) => at(age).level - at(than).level;
      turn(
        luminance[pixel] as Turns,
        (age) => (step(0, age) >= tenth ? 1 : step(0, age) <= -tenth ? 2 : 0),
        // It has only gone on in that direction since.
        (last, direction) =>
          Array.from({ length: last }, (_, age) => step(age, age + 1)).every((one) =>
            direction === 1 ? one >= 0 : one <= 0,
          ),
      );
      if (at(0).colour.every((value, i) => value === at(1).colour[i])) continue;
      const now = at(0).hue;
      turn(
        red[pixel] as Turns,
        (age) => {
          const then = at(age).hue;
          const isFar = (now.u - then.u) ** 2 + (now.v - then.v) ** 2 >= 0.2 ** 2;
          return now.isRed === then.isRed || !isFar ? 0 : now.isRed ? 1 : 2;
        },
        () => true,
      );
    }
  }

  return { see, luminance, red };
}
