import { createLight } from '../../signal/light.ts';
import type { TrackedFormat } from '../tracker.ts';

/** The frames at which a pixel made a transition; the last direction: 1 is up or to red, 2 is down or from red. */
export type PixelTransitions = { direction: number; frames: number[] };
type Triple = readonly [number, number, number];
type PixelState = { colour: Triple; level: number; hue: { isRed: boolean; u: number; v: number } };

const slowestSeconds = 0.0645;
const lookBackMax = 8;
/** A rounded product of fixed-point numbers with 15 fractional bits. */
const multiplyFixed = (a: number, b: number) => Math.floor((a * b + 2 ** 14) / 2 ** 15);

/** Reference implementation of the kernel: follows the text of the standard pixel by pixel, for clarity, not speed. */
export function createPlainTracker(format: TrackedFormat) {
  const pixels = format.width * format.height;
  const tenth = createLight(format).step;
  const stateOf = createPixelStates(format);
  const none = (): PixelTransitions[] => Array.from({ length: pixels }, () => ({ direction: 0, frames: [] }));
  const luminance = none();
  const red = none();
  /** Newest first. */
  const recent: { seconds: number; states: PixelState[] }[] = [];
  let frame = -1;

  /**
   * Records a transition from the nearest previous frame for which `directionOf` is not 0, no further back than the
   * last transition. `continues` returns whether it continues a last transition in the same direction.
   */
  function findTransition(
    transitions: PixelTransitions,
    directionOf: (age: number) => number,
    continues: (last: number, direction: number) => boolean,
  ) {
    const last = frame - (transitions.frames.at(-1) ?? Number.NEGATIVE_INFINITY);
    for (let age = 1; age <= Math.min(recent.length - 1, last); age++) {
      const direction = directionOf(age);
      if (direction === 0) continue;
      if (transitions.direction === direction) {
        if (last < recent.length && continues(last, direction)) return;
        transitions.frames.pop();
      }
      transitions.direction = direction;
      transitions.frames.push(frame);
      return;
    }
  }

  function processFrame(planes: Uint8Array, seconds: number): void {
    frame++;
    while (
      recent.length > 1 &&
      (recent.length > lookBackMax || seconds - (recent.at(-1)?.seconds ?? 0) > slowestSeconds)
    ) {
      recent.pop();
    }
    recent.unshift({ seconds, states: Array.from({ length: pixels }, (_, pixel) => stateOf(planes, pixel)) });
    if (recent.length === 1) return;
    for (let pixel = 0; pixel < pixels; pixel++) {
      const at = (age: number) => recent[age]?.states[pixel] as PixelState;
      const step = (age: number, than: number) => at(age).level - at(than).level;
      findTransition(
        luminance[pixel] as PixelTransitions,
        (age) => (step(0, age) >= tenth ? 1 : step(0, age) <= -tenth ? 2 : 0),
        // Since then, the level has changed only in that direction.
        (last, direction) =>
          Array.from({ length: last }, (_, age) => step(age, age + 1)).every((one) =>
            direction === 1 ? one >= 0 : one <= 0,
          ),
      );
      if (at(0).colour.every((value, i) => value === at(1).colour[i])) continue;
      const now = at(0).hue;
      findTransition(
        red[pixel] as PixelTransitions,
        (age) => {
          const then = at(age).hue;
          const isFar = (now.u - then.u) ** 2 + (now.v - then.v) ** 2 >= 0.2 ** 2;
          return now.isRed === then.isRed || !isFar ? 0 : now.isRed ? 1 : 2;
        },
        () => true,
      );
    }
  }

  return { processFrame, luminance, red };
}

/** Returns a function that calculates the colour and light of a pixel from its codes. */
function createPixelStates(format: TrackedFormat) {
  const { width, height, isRgb, bits } = format;
  const pixels = width * height;
  const chromaWidth = Math.ceil(width / 2);
  const chromaSize = chromaWidth * Math.ceil(height / 2);
  const { numbers, hue, tables } = createLight(format);
  const [black = 0, lumaScale = 0, redOfRed = 0, greenOfBlue = 0, greenOfRed = 0, blueOfBlue = 0, ...rest] = numbers;
  const [curve, weights] = [rest.slice(0, 6), rest.slice(6, 9)];
  const [brightScale = 0, brightLift = 0, hueLevelMin = 0] = rest.slice(9);
  const toXyz = [0, 3, 6].map((row) => hue.slice(row, row + 3) as unknown as Triple);
  /** A cache by the three codes of a pixel, which determine everything else. */
  const known = new Map<number, PixelState>();

  /** Y, Cb and Cr of a pixel, or G', B' and R'. */
  function codesOf(planes: Uint8Array, pixel: number): Triple {
    const byte = (position: number) => planes[position] as number;
    const at = (position: number) => (bits === 8 ? byte(position) : byte(2 * position) + 256 * byte(2 * position + 1));
    if (isRgb) return [at(pixel), at(pixels + pixel), at(2 * pixels + pixel)];
    const y = Math.floor(pixel / width);
    const sample = pixels + (y >> 1) * chromaWidth + ((pixel % width) >> 1);
    return [at(pixel), at(sample), at(sample + chromaSize)];
  }

  /** R', G' and B' with 32 units per 8-bit code. */
  function colourOf([first, second, third]: Triple): Triple {
    const within = (value: number) => Math.max(0, Math.min(255 * 32, value));
    const ofPrime = (code: number) => (bits === 8 ? 32 * code : within(Math.round((code * 8160) / 1023)));
    if (isRgb) return [ofPrime(third), ofPrime(first), ofPrime(second)];
    const codes = 2 ** bits;
    const luma = multiplyFixed((2 ** 15 / codes) * (first - black), lumaScale);
    const [cb, cr] = [second, third].map((code) => (2 ** 16 / codes) * (code - codes / 2)) as [number, number];
    return [
      within(luma + multiplyFixed(cr, redOfRed)),
      within(luma + multiplyFixed(cb, greenOfBlue) + multiplyFixed(cr, greenOfRed)),
      within(luma + multiplyFixed(cb, blueOfBlue)),
    ];
  }

  function linearOf(colour: Triple): Triple {
    const byTable = (value: number) => tables?.linear[value] as number;
    const byCurve = (value: number) =>
      Math.max(
        0,
        curve.reduceRight((sum, part) => multiplyFixed(sum, 8 * value - 32_640) + part, 0),
      );
    return colour.map(tables ? byTable : byCurve) as unknown as Triple;
  }

  function levelOf(colour: Triple): number {
    if (tables) {
      const parts = colour.map((value, i) => tables.parts[tables.linear.length * i + value] as number);
      return tables.levels[parts.reduce((sum, part) => sum + part)] as number;
    }
    const level = linearOf(colour).reduce((sum, light, i) => sum + multiplyFixed(light, weights[i] as number), 0);
    return Math.min(level, multiplyFixed(level, brightScale) + brightLift);
  }

  function hueOf(colour: Triple) {
    if (levelOf(colour) < hueLevelMin) return { isRed: false, u: hue[9] as number, v: hue[10] as number };
    const [r, g, b] = linearOf(colour);
    const [x, y, z] = toXyz.map((row) => row[0] * r + row[1] * g + row[2] * b) as unknown as Triple;
    const sum = x + 15 * y + 3 * z;
    const quarter = tables ? r / 4 : Math.floor(r / 4);
    return { isRed: g + b <= quarter, u: (4 * x) / sum, v: (9 * y) / sum };
  }

  return (planes: Uint8Array, pixel: number): PixelState => {
    const codes = codesOf(planes, pixel);
    const key = codes[0] * 2 ** 20 + codes[1] * 2 ** 10 + codes[2];
    let state = known.get(key);
    if (!state) {
      const colour = colourOf(codes);
      state = { colour, level: levelOf(colour), hue: hueOf(colour) };
      known.set(key, state);
    }
    return state;
  };
}
