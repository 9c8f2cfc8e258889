import type { PictureFormat } from '../observer.ts';
import { lumaShares } from '../picture/luma.ts';
import { fitCurve } from './fit-curve.ts';

/** Above 80 % of the reference a step counts by its contrast: 1/17 of Michelson's is a ratio of 18 to 16. */
const brightRatio = 18 / 16;
const brightTop = 0.9;
/** cd/m² of reference white for videos under PQ and HLG, and of the nominal display that HLG is judged on. */
const referenceLuminance = 200;
const hlgPeak = 1000;
const hlgGamma = 1.2;
/** Below 1 cd/m² of 200 nobody sees a hue: such a state is neither red nor of another colour. */
const hueLuminanceMin = 0.005;
/** How far two hues are apart in CIE 1976 u'v', and the hue of what is too dark to have one: white. */
const chromaticityStep = 0.2;
const white = [0.1978, 0.4683] as const;

/** Linear G and B together as a share of R: at least so much has what is far from any saturated red. Found by a search. */
const otherShareMin = { bt601: 0.48, bt709: 0.48, bt2020: 0.27 };

const curveDegree = 5;
/** Levels of the reference: 15 bits hold those of a standard video finely, and those of PQ more coarsely. */
const fineLevels = 30_000;
const coarseLevels = 7_000;
/** Units of R', G' and B', as the kernel has them. */
const whiteUnits = 255 * 32;
const one = 2 ** 15;

type Row = readonly [number, number, number];
type Matrix = readonly [Row, Row, Row];
export type Colour = Pick<PictureFormat, 'transfer' | 'matrix' | 'isFullRange'>;

/** What the numbers of a frame mean in light, as the kernel reads it. */
export type Light = {
  /** Int16 of `light_t`. */
  numbers: Int16Array;
  /** Float64 of `hue_t`. */
  hue: Float64Array;
  /** For PQ and HLG, whose range no polynomial of 16 bits follows. */
  tables: { parts: Int32Array; levels: Int16Array; linear: Float64Array } | null;
  /** The change of level that counts: a tenth of the reference, or the contrast that stands for it where it is bright. */
  step: number;
  /** Relative luminance of a level. */
  luminanceOf(level: number): number;
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

/** Transfer → linear light of a value of 0 to 1, relative to the reference. */
const curves: Record<Colour['transfer'], (value: number) => number> = {
  srgb: (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4),
  bt1886: (value) => value ** 2.4,
  pq: fromPq,
  hlg: fromHlg,
};

export function createLight(colour: Colour): Light {
  const { transfer, matrix } = colour;
  const toXyz: Matrix = matrix === 'bt2020' ? bt2020 : bt709;
  const hasTables = transfer === 'pq' || transfer === 'hlg';
  const levels = hasTables ? coarseLevels : fineLevels;
  // A value of 1 is 32,640 of 2¹⁵ to the kernel.
  const curve = hasTables
    ? []
    : fitCurve(curves[transfer], curveDegree).map((part, i) => part * (one / (4 * whiteUnits)) ** i);
  return {
    numbers: Int16Array.from([
      ...conversionOf(colour),
      ...Array.from({ length: curveDegree + 1 }, (_, i) => Math.round((curve[i] ?? 0) * levels)),
      ...toXyz[1].map((weight) => Math.round(weight * one)),
      Math.round(one / brightRatio),
      levels / 10,
      hueLuminanceMin * levels,
      Math.round(otherShareMin[matrix] * one),
    ]),
    hue: Float64Array.from([...toXyz.flat(), ...white, chromaticityStep ** 2]),
    tables: hasTables ? tablesOf(transfer, toXyz) : null,
    step: levels / 10,
    luminanceOf: (level) => fromTenths((10 * level) / levels),
  };
}

/** Black, and what codes × 128 of luma and codes × 256 of chroma add to R', G' and B'. */
function conversionOf({ matrix, isFullRange }: Colour): number[] {
  const { red: kr, blue: kb } = lumaShares[matrix];
  const kg = 1 - kr - kb;
  const [black, lumaCodes, chromaCodes] = isFullRange ? [0, 255, 255] : [16, 219, 224];
  const ofChroma = (weight: number) => Math.round(((weight * whiteUnits) / chromaCodes / 256) * one);
  const [fromRed, fromBlue] = [2 * (1 - kr), 2 * (1 - kb)];
  return [
    black,
    Math.round((whiteUnits / lumaCodes / 128) * one),
    ...[fromRed, (-fromBlue * kb) / kg, (-fromRed * kr) / kg, fromBlue].map(ofChroma),
  ];
}

/** Codes of R', G', B' → parts of a sum → level. */
function tablesOf(transfer: 'pq' | 'hlg', toXyz: Matrix) {
  const fineness = transfer === 'pq' ? 15_000 : 60_000;
  const linear = Float64Array.from({ length: 256 }, (_, code) => curves[transfer](code / 255));
  const parts = toXyz[1].flatMap((weight) => Array.from(linear, (light) => Math.round(light * weight * fineness)));
  const sumMax = Math.ceil((linear[255] as number) * fineness) + 4;
  // HLG holds light of the scene; its display bends the luminance and leaves hues alone.
  const luminance = (light: number) =>
    transfer === 'hlg' ? (hlgPeak / referenceLuminance) * light ** hlgGamma : light;
  const levels = Int16Array.from({ length: sumMax }, (_, sum) =>
    Math.round((toTenths(luminance(sum / fineness)) * coarseLevels) / 10),
  );
  return { parts: Int32Array.from(parts), levels, linear };
}

/** Up to 0.9 it is the luminance in tenths; above, each further ratio of 18 to 16 is as far as a tenth is below. */
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
