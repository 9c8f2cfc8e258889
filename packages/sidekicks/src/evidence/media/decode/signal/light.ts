import { fitCurve } from './fit-curve.ts';
import { lumaShares } from './luma.ts';
import type { VideoFormat } from './observer.ts';

/** Above 80 % of the reference a step is defined by contrast: a Michelson contrast of 1/17 is a ratio of 18 to 16. */
const brightRatio = 18 / 16;
const brightTop = 0.9;
/** cd/m² of the reference white for PQ and HLG, and of the peak of the nominal HLG display. */
export const referenceLuminance = 200;
export const hlgPeak = 1000;
export const hlgGamma = 1.2;
/** Below 1 of 200 cd/m² no hue is visible: such a pixel is neither red nor another colour. */
const hueLuminanceMin = 0.005;
/** The distance from which two hues differ in CIE 1976 u'v', and white, the hue of pixels too dark to have one. */
const chromaticityStep = 0.2;
const whiteChromaticity = [0.1978, 0.4683] as const;

/** The least (G + B) / R in linear light of colours that are far from every saturated red. Found by a search. */
const otherShareMin = { 'bt601-525': 0.59, 'bt601-625': 0.49, bt709: 0.48, bt2020: 0.27 };

const curveDegree = 5;
/** The level of the reference white. 15 bits hold fine levels for SDR, and coarser ones for the larger range of PQ. */
const fineLevels = 30_000;
const coarseLevels = 7_000;
/** White in units of R', G' and B'; see `kernel.h`. */
const whiteUnits = 255 * 32;
const fixedPointOne = 2 ** 15;

type Row = readonly [number, number, number];
type Matrix = readonly [Row, Row, Row];
export type Colour = Pick<VideoFormat, 'transfer' | 'matrix' | 'primaries' | 'isFullRange' | 'bits'>;

/** The numbers with which the kernel converts the codes of a frame to light. */
export type Light = {
  /** `light_t` of the kernel. */
  numbers: Int16Array;
  /** `hue_t` of the kernel. */
  hue: Float64Array;
  /** For PQ and HLG, whose range is too large for a 16-bit polynomial. */
  tables: { parts: Int32Array; levels: Int16Array; linear: Float64Array } | null;
  /** The smallest change of level that counts: a tenth of the reference, or an equivalent contrast if it is bright. */
  step: number;
  /** Relative luminance of a level. */
  luminanceOf(level: number): number;
};

/** Linear R, G, B → X, Y, Z, all with white point D65. */
export const toXyzBy: Readonly<Record<Colour['primaries'], Matrix>> = {
  'bt601-525': [
    [0.3936, 0.3652, 0.1916],
    [0.2124, 0.701, 0.0866],
    [0.0187, 0.1119, 0.9582],
  ],
  'bt601-625': [
    [0.4306, 0.3415, 0.1783],
    [0.222, 0.7067, 0.0713],
    [0.0202, 0.1296, 0.9391],
  ],
  bt709: [
    [0.4124, 0.3576, 0.1805],
    [0.2126, 0.7152, 0.0722],
    [0.0193, 0.1192, 0.9505],
  ],
  bt2020: [
    [0.637, 0.1446, 0.1689],
    [0.2627, 0.678, 0.0593],
    [0, 0.0281, 1.061],
  ],
};

/** For each transfer function, the linear light of a value from 0 to 1, relative to the reference. */
export const linearLightBy: Record<Colour['transfer'], (value: number) => number> = {
  srgb: (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4),
  bt1886: (value) => value ** 2.4,
  pq: fromPq,
  hlg: fromHlg,
};

export function createLight(colour: Colour): Light {
  const { transfer, primaries } = colour;
  const toXyz = toXyzBy[primaries];
  const hasTables = transfer === 'pq' || transfer === 'hlg';
  const levels = hasTables ? coarseLevels : fineLevels;
  // In the kernel, 32,640 of 2¹⁵ units represent 1.
  const curve = hasTables
    ? []
    : fitCurve(linearLightBy[transfer], curveDegree).map((part, i) => part * (fixedPointOne / (4 * whiteUnits)) ** i);
  return {
    numbers: Int16Array.from([
      ...conversionOf(colour),
      ...Array.from({ length: curveDegree + 1 }, (_, i) => Math.round((curve[i] ?? 0) * levels)),
      ...toXyz[1].map((weight) => Math.round(weight * fixedPointOne)),
      Math.round(fixedPointOne / brightRatio),
      levels / 10,
      hueLuminanceMin * levels,
      Math.round(otherShareMin[primaries] * fixedPointOne),
    ]),
    hue: Float64Array.from([...toXyz.flat(), ...whiteChromaticity, chromaticityStep ** 2]),
    tables: hasTables ? tablesOf(transfer, toXyz) : null,
    step: levels / 10,
    luminanceOf: (level) => fromTenths((10 * level) / levels),
  };
}

/** The code of black, and the factors of luma (8-bit codes × 128) and chroma (8-bit codes × 256) in R', G' and B'. */
function conversionOf({ matrix, isFullRange, bits }: Colour): number[] {
  const { red: kr, blue: kb } = lumaShares[matrix];
  const kg = 1 - kr - kb;
  const codes = 2 ** bits;
  const [black, lumaCodes, chromaCodes] = isFullRange
    ? [0, codes - 1, codes - 1]
    : ([16, 219, 224].map((code) => (code * codes) / 256) as [number, number, number]);
  const ofChroma = (weight: number) =>
    Math.round(((weight * whiteUnits) / chromaCodes / (65_536 / codes)) * fixedPointOne);
  const [fromRed, fromBlue] = [2 * (1 - kr), 2 * (1 - kb)];
  return [
    black,
    Math.round((whiteUnits / lumaCodes / (32_768 / codes)) * fixedPointOne),
    ...[fromRed, (-fromBlue * kb) / kg, (-fromRed * kr) / kg, fromBlue].map(ofChroma),
  ];
}

/** R', G', B' in units → terms of a sum → level. */
function tablesOf(transfer: 'pq' | 'hlg', toXyz: Matrix) {
  const fineness = transfer === 'pq' ? 15_000 : 60_000;
  const linear = Float64Array.from({ length: whiteUnits + 1 }, (_, units) =>
    linearLightBy[transfer](units / whiteUnits),
  );
  const parts = toXyz[1].map((weight) => Int32Array.from(linear, (light) => Math.round(light * weight * fineness)));
  const sumMax = parts.reduce((sum, ofPrime) => sum + (ofPrime.at(-1) as number), 0);
  // HLG encodes scene light. The display applies its gamma to luminance and does not change hues.
  const luminance = (light: number) =>
    transfer === 'hlg' ? (hlgPeak / referenceLuminance) * light ** hlgGamma : light;
  const levels = new Int16Array(sumMax + 1); // up to 750,000 entries, so filled by a plain loop
  for (let sum = 0; sum <= sumMax; sum++)
    levels[sum] = Math.round((toTenths(luminance(sum / fineness)) * coarseLevels) / 10);
  return { parts: Int32Array.from(parts.flatMap((ofPrime) => [...ofPrime])), levels, linear };
}

/** Up to 0.9, the luminance in tenths. Above, each factor of 18/16 is one unit, just as a tenth is below. */
function toTenths(luminance: number): number {
  let rest = luminance;
  let steps = 0;
  for (; rest > brightTop; steps++) rest /= brightRatio;
  return rest * 10 + steps;
}

function fromTenths(tenths: number): number {
  let rest = tenths;
  let ratio = 1;
  for (; rest > brightTop * 10; rest--) ratio *= brightRatio;
  return (rest / 10) * ratio;
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
