import type { PictureFormat } from '../observer.ts';

/** Relative luminance of 0.1, the least step that counts, in the levels that pixels are compared in: 16 bits hold PQ's. */
export const levelsPerTenth = 1500;
const levelsPerReference = 10 * levelsPerTenth;
/** Above 80 % of the reference a step counts by its contrast: 1/17 of Michelson's is a ratio of 18 to 16. */
const brightRatio = 18 / 16;
const brightTop = 0.9;
/** cd/m² of reference white for films under PQ and HLG, and of the nominal display that HLG is judged on. */
const referenceLuminance = 200;
const hlgPeak = 1000;
const hlgGamma = 1.2;
/** Below 1 cd/m² of 200 nobody sees a hue: such a state is neither red nor of another colour. */
export const hueLevelMin = 0.005 * levelsPerReference;

type Row = readonly [number, number, number];
type Matrix = readonly [Row, Row, Row];
type Colour = Pick<PictureFormat, 'transfer' | 'matrix'>;

/** What the numbers of a picture mean in light: tables only, as every pixel of every picture goes through them. */
export type Light = {
  /** R', G', B' → its part of the index into `level`. */
  red: Int32Array;
  green: Int32Array;
  blue: Int32Array;
  /** Luminance, bent so that equal distances are equal steps: a tenth's levels apart is a step, at any brightness. */
  level: Uint16Array;
  /** Up to here, the index is the level. */
  plainMax: number;
  /** R', G', B' → linear light of that primary alone. */
  linear: Float64Array;
  /** Linear R, G, B → X, Y, Z. */
  toXyz: Matrix;
  /** Sum of the parts → luminance as a share of the reference. */
  luminance(sum: number): number;
};

const bt709 = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
] as const;
const bt2020 = [
  [0.637, 0.1446, 0.1689],
  [0.2627, 0.678, 0.0593],
  [0, 0.0281, 1.061],
] as const;

/** Transfer → linear light of a value of 0 to 1, the most it gives, and how finely sums of it are told apart. */
const curves: Record<Colour['transfer'], { toLinear(value: number): number; max: number; fineness: number }> = {
  srgb: { toLinear: fromSrgb, max: 1, fineness: levelsPerReference },
  bt1886: { toLinear: (value) => value ** 2.4, max: 1, fineness: levelsPerReference },
  pq: { toLinear: fromPq, max: 10_000 / referenceLuminance, fineness: levelsPerReference },
  hlg: { toLinear: fromHlg, max: 1, fineness: 60_000 },
};

export function createLight({ transfer, matrix }: Colour): Light {
  const { toLinear, max, fineness } = curves[transfer];
  const toXyz: Matrix = matrix === 'bt2020' ? bt2020 : bt709;
  const linear = Float64Array.from({ length: 256 }, (_, value) => toLinear(value / 255));
  const part = (weight: number) => Int32Array.from(linear, (light) => Math.round(light * weight * fineness));
  // HLG holds light of the scene; its display bends the luminance and leaves hues alone.
  const luminance = (sum: number) => {
    const light = sum / fineness;
    return transfer === 'hlg' ? (hlgPeak / referenceLuminance) * light ** hlgGamma : light;
  };
  return {
    red: part(toXyz[1][0]),
    green: part(toXyz[1][1]),
    blue: part(toXyz[1][2]),
    level: Uint16Array.from({ length: Math.ceil(max * fineness) + 4 }, (_, sum) => toLevel(luminance(sum))),
    plainMax: transfer === 'hlg' ? -1 : brightTop * levelsPerReference,
    linear,
    toXyz,
    luminance,
  };
}

/** Up to 0.9 a level is the luminance; above, each further ratio of 18 to 16 is as far as a tenth is below. */
function toLevel(luminance: number): number {
  let rest = luminance;
  let tenths = 0;
  for (; rest > brightTop; tenths++) rest /= brightRatio;
  return Math.round((rest * 10 + tenths) * levelsPerTenth);
}

function fromSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromPq(value: number): number {
  const power = value ** (1 / 78.84375);
  const light = Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power);
  return (10_000 / referenceLuminance) * light ** (1 / 0.1593017578125);
}

function fromHlg(value: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}
