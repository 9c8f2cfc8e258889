import type { RuleCode } from '@assay/sidekicks/checks/photosensitivity/rules.ts';
import type { FlashArea } from '@assay/sidekicks/sidekick/profile.ts';
import { createRandom, type Random } from '@assay/testing/run/random.ts';
import {
  type ClipFormat,
  type Colour,
  codeRange,
  type FrameSizes,
  formatsOf,
  greyOf,
  lightOf,
  toEightBits,
} from './clip-format.ts';
import { areaSizeOf } from './plain-judge.ts';

/** A part of the frame and its colour in each frame; the rest is grey noise. */
type Region = { mask: Uint8Array; colours: Colour[] };

/**
 * A clip that is clearly over all limits but one. It is either just over that one, so that it fails, or just under it.
 */
export type NearClip = {
  name: string;
  kind: Kind;
  isOver: boolean;
  /** The rule that the clip violates if it is over the limit. */
  ruleCode: RuleCode;
  format: ClipFormat;
  rate: number;
  area: FlashArea;
  frameCount: number;
  regions: Region[];
};

type Scene = Pick<NearClip, 'rate' | 'regions'> & { area?: FlashArea };
type Maker = (format: ClipFormat, random: Random, isOver: boolean) => Scene;

const frameRates = [24, 25, 30, 50, 60];
const clipSeconds = 2.5;
/** The least distance of a level, share or hue from its limit; the error of the kernel's curves is smaller. */
const limitMargin = { luminance: { 8: 0.0012, 10: 0.0025 }, red: 0.004, hue: 0.003 };
/** The number of candidates when a pair of greys near a limit is chosen. */
const nearPairs = 6;
/** A luminance change of more than a tenth in total, but of less than a tenth without one of its steps. */
const slowChange = 0.107;

const kinds = {
  'number of flashes': (format, random, isOver) => {
    const rate = random.pick(frameRates);
    const step = Math.floor((0.9 * rate) / 6);
    const period = rate + random.between(0, 4);
    const first = random.between(1, 8);
    const burst = (start: number, count: number) => Array.from({ length: count }, (_, i) => start + i * step);
    const changes = [...burst(first, 6), ...burst(first + period, isOver ? 7 : 6)];
    return { rate, regions: [flashingRegion(wholeFrameMask(format), rate, changes, clearPair(format, random))] };
  },

  'length of a second': (format, random, isOver) => {
    const rate = random.pick(frameRates);
    // Seven consecutive transitions span a second; if over the limit, one gap is a frame shorter.
    const gaps = random.shuffle(partsOf(rate, 6, random));
    const shorter = random.between(6, 11);
    const changes = [random.between(1, 8)];
    for (let i = 0; i < 13; i++) {
      changes.push((changes.at(-1) as number) + (gaps[i % 6] as number) - (isOver && i === shorter ? 1 : 0));
    }
    return { rate, regions: [flashingRegion(wholeFrameMask(format), rate, changes, clearPair(format, random))] };
  },

  'luminance by a tenth': (format, random, isOver) => {
    const pair = nearestPair(format, random, isOver, { from: 0, to: 0.7 }, (dark) => dark + 0.1);
    return regularScene(format, random, pair);
  },

  'luminance under PQ and HLG': (format, random, isOver) => {
    const coarse = (code: number) => {
      const eightBits = { ...format, bits: 8 } as const;
      return lightOf(eightBits, greyOf(eightBits, toEightBits(format, code))).luminance;
    };
    const isMisjudged = (one: number, other: number) => {
      const above = coarse(other) - coarse(one) - 0.1;
      return (isOver ? -above : above) > limitMargin.luminance[10];
    };
    const pair = nearestPair(format, random, isOver, { from: 0, to: 0.7 }, (dark) => dark + 0.1, isMisjudged);
    return regularScene(format, random, pair);
  },

  'contrast of bright frames': (format, random, isOver) => {
    const pair = nearestPair(format, random, isOver, { from: 0.8, to: 0.87 }, (dark) => dark * (18 / 16));
    return regularScene(format, random, pair);
  },

  'time of a transition': (format, random, isOver) => {
    const rate = random.pick(frameRates);
    const within = Math.max(1, Math.floor(0.0645 * rate));
    const steps = isOver ? within : within + 1;
    const luminance = (code: number) => lightOf(format, greyOf(format, code)).luminance;
    const codes = codesOf(format);
    const dark = luminance(random.pick(codes.filter((code) => luminance(code) > 0.1 && luminance(code) < 0.6)));
    const codeAt = (share: number) =>
      codes.reduce((a, b) =>
        Math.abs(luminance(b) - dark - slowChange * share) < Math.abs(luminance(a) - dark - slowChange * share) ? b : a,
      );
    const step = Math.max(steps + 1, Math.floor((0.9 * rate) / 7));
    const colours = Array.from({ length: Math.ceil(clipSeconds * rate) }, (_, frame) => {
      const transition = Math.floor(frame / step);
      const share = Math.min(1, ((frame % step) + 1) / steps);
      return greyOf(format, codeAt(transition % 2 ? 1 - share : share));
    });
    return { rate, regions: [{ mask: wholeFrameMask(format), colours }] };
  },

  'transitions together': (format, random, isOver) => {
    const isFast = isOver || random.fraction() < 0.5;
    const rate = random.pick(isFast ? [50, 60] : [24, 25, 30]);
    const delay = isFast && !isOver ? 2 : 1;
    const [step, pair] = [Math.floor((0.9 * rate) / 7), clearPair(format, random)];
    const changes = Array.from({ length: 9 }, (_, i) => 2 + i * step);
    const count = Math.ceil(format.width * format.height * 0.15);
    const late = changes.map((frame) => frame + delay);
    return {
      rate,
      regions: [
        flashingRegion(rowsMask(format, 0, count), rate, changes, pair),
        flashingRegion(rowsMask(format, format.width * format.height - count, count), rate, late, pair),
      ],
    };
  },

  'area of the screen': (format, random, isOver) => {
    const pixels = format.width * format.height;
    const count = Math.ceil(pixels / 4) - (isOver ? 0 : 1);
    const mask = random.pick([
      () => rowsMask(format, random.between(0, pixels - count), count),
      () => scatteredMask(format, { left: 0, top: 0, ...sizeOf(format) }, count, random),
    ])();
    return regularScene(format, random, clearPair(format, random), mask);
  },

  'area of 341 × 256': (format, random, isOver) => windowScene('341x256', format, random, isOver),
  'area of 416 × 416': (format, random, isOver) => windowScene('416x416', format, random, isOver),

  'saturation of red': (format, random, isOver) => {
    const red = searchColour(format, random, ({ redShare, luminance }) => {
      const above = (redShare - 0.8) * (isOver ? 1 : -1);
      return above > limitMargin.red && above < 0.015 && isTypicalLuminance(luminance);
    });
    const other = searchColour(
      format,
      random,
      (light) => light.redShare < 0.5 && isSimilarLuminance(light, red) && hueDistance(light, red) > 0.23,
    );
    return regularScene(format, random, [red.colour, other.colour], leftPart(format));
  },

  'distance of hues': (format, random, isOver) => {
    const red = searchColour(
      format,
      random,
      ({ redShare, luminance }) => redShare > 0.83 && isTypicalLuminance(luminance),
    );
    const other = searchColour(format, random, (light) => {
      const above = (hueDistance(light, red) - 0.2) * (isOver ? 1 : -1);
      return above > limitMargin.hue && above < 0.012 && light.redShare < 0.75 && isSimilarLuminance(light, red);
    });
    return regularScene(format, random, [red.colour, other.colour], leftPart(format));
  },
} as const satisfies Record<string, Maker>;

type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as Kind[];
/** The kind of 10-bit clips that an analysis in 8 bits would misjudge. */
export const fineKind = 'luminance under PQ and HLG' satisfies Kind;

/** Creates the same clips for the same seed: of each kind in turn, first one over its limit, then one under it. */
export function createNearClips(count: number, seed: number, sizes: FrameSizes): NearClip[] {
  return Array.from({ length: count }, (_, i) => {
    const random = createRandom(seed + i);
    const kind = kindNames[i % kindNames.length] as Kind;
    const isOver = Math.floor(i / kindNames.length) % 2 === 0;
    const all = formatsOf(random, sizes);
    const fine = all.filter(({ bits }) => bits === 10);
    const round = Math.floor(i / kindNames.length);
    // Formats alternate and shift by one in each round, so that each is once over the limit and once under it.
    const fineIndex = round + Math.floor(round / fine.length);
    const format = (kind === fineKind ? fine[fineIndex % fine.length] : all[i % all.length]) as ClipFormat;
    const { rate, regions, area = 'screen' } = (kinds[kind] as Maker)(format, random, isOver);
    const name = `${i}: ${kind}, ${isOver ? 'over' : 'under'}, ${format.transfer} ${format.pixelFormat}${format.isFullRange ? ' full range' : ''} ${format.width} × ${format.height}, ${rate} fps`;
    const ruleCode = kind === 'saturation of red' || kind === 'distance of hues' ? 'PSE-RED' : 'PSE-LUMINANCE';
    const frameCount = Math.ceil(clipSeconds * rate);
    return { name, kind, isOver, ruleCode, format, rate, area, frameCount, regions };
  });
}

const sizeOf = ({ width, height }: ClipFormat) => ({ width, height });
const wholeFrameMask = ({ width, height }: ClipFormat) => new Uint8Array(width * height).fill(1);

function codesOf(format: ClipFormat): number[] {
  const { black, white } = codeRange(format);
  return Array.from({ length: white - black + 1 }, (_, i) => black + i);
}

/** A grey in this luminance range, and one just over or under the limit that `limitOf` returns for it. */
function nearestPair(
  format: ClipFormat,
  random: Random,
  isOver: boolean,
  dark: { from: number; to: number },
  limitOf: (luminance: number) => number,
  fits: (oneCode: number, otherCode: number) => boolean = () => true,
): [Colour, Colour] {
  const greys = codesOf(format).map((code) => ({ code, luminance: lightOf(format, greyOf(format, code)).luminance }));
  const pairs = greys
    .filter(({ luminance }) => luminance >= dark.from && luminance < dark.to)
    .flatMap((one) => greys.map((other) => ({ one, other, above: other.luminance - limitOf(one.luminance) })))
    .map(({ one, other, above }) => ({ one, other, beyond: isOver ? above : -above }))
    .filter(({ one, other, beyond }) => beyond > limitMargin.luminance[format.bits] && other.luminance > one.luminance)
    .toSorted((a, b) => a.beyond - b.beyond);
  const nearest = pairs.values().filter(({ one, other }) => fits(one.code, other.code));
  const { one, other } = random.pick([...nearest.take(nearPairs)]);
  return [greyOf(format, one.code), greyOf(format, other.code)];
}

/** Two greys that differ by clearly more than a tenth. */
function clearPair(format: ClipFormat, random: Random): [Colour, Colour] {
  const luminance = (code: number) => lightOf(format, greyOf(format, code)).luminance;
  const codes = codesOf(format);
  const dark = random.pick(codes.filter((code) => luminance(code) < 0.5));
  const bright = random.pick(codes.filter((code) => luminance(code) - luminance(dark) > 0.15));
  return random.shuffle([greyOf(format, dark), greyOf(format, bright)]) as [Colour, Colour];
}

/** Random positive integers that add up to a sum. */
function partsOf(sum: number, count: number, random: Random): number[] {
  const parts = new Array<number>(count).fill(1);
  for (let rest = sum - count; rest > 0; rest--) {
    const at = random.between(0, count - 1);
    parts[at] = (parts[at] as number) + 1;
  }
  return parts;
}

/** Switches between two colours at these frames. */
function flashingRegion(
  mask: Uint8Array,
  rate: number,
  changes: readonly number[],
  pair: readonly [Colour, Colour],
): Region {
  const length = Math.ceil(clipSeconds * rate);
  const colourIndexAt = (frame: number) => changes.filter((change) => change <= frame).length % 2;
  return { mask, colours: Array.from({ length }, (_, frame) => pair[colourIndexAt(frame)] as Colour) };
}

/** Frames of nine transitions, any seven consecutive ones of which are within a second. */
function regularScene(
  format: ClipFormat,
  random: Random,
  pair: readonly [Colour, Colour],
  mask: Uint8Array = wholeFrameMask(format),
): Scene {
  const rate = random.pick(frameRates);
  const step = Math.floor((0.9 * rate) / 7);
  const first = random.between(1, 8);
  const changes = Array.from({ length: 9 }, (_, i) => first + i * step);
  return { rate, regions: [flashingRegion(mask, rate, changes, pair)] };
}

function rowsMask({ width, height }: ClipFormat, from: number, count: number): Uint8Array {
  return new Uint8Array(width * height).fill(1, from, from + count);
}

/**
 * A box of more than a quarter of the frame. The number of columns is even, so that every chroma sample has a single
 * colour.
 */
function leftPart(format: ClipFormat): Uint8Array {
  const right = 2 * Math.floor(format.width / 5);
  return wholeFrameMask(format).map((_, pixel) => (pixel % format.width < right ? 1 : 0));
}

type Box = { left: number; top: number; width: number; height: number };

/** A mask of random pixels in a box. */
function scatteredMask(format: ClipFormat, box: Box, count: number, random: Random): Uint8Array {
  const positions = Array.from(
    { length: box.width * box.height },
    (_, i) => (box.top + Math.floor(i / box.width)) * format.width + box.left + (i % box.width),
  );
  const mask = new Uint8Array(format.width * format.height);
  for (const position of random.shuffle(positions).slice(0, count)) mask[position] = 1;
  return mask;
}

/** A region of a quarter of a window, or a pixel less, and far from it 19 % of a window that flashes at other times. */
function windowScene(area: FlashArea, format: ClipFormat, random: Random, isOver: boolean): Scene {
  const window = areaSizeOf(area, format);
  const areaPixels = window.width * window.height;
  const left = random.between(0, Math.floor(format.width / 2) - window.width);
  const top = random.between(0, format.height - window.height);
  const count = Math.ceil(areaPixels / 4) - (isOver ? 0 : 1);
  const pair = clearPair(format, random);
  const scene = regularScene(format, random, pair, scatteredMask(format, { left, top, ...window }, count, random));
  const colours = scene.regions[0]?.colours ?? [];
  const apart = { left: left + Math.floor(format.width / 2), top, ...window };
  const other = scatteredMask(format, apart, Math.floor(areaPixels * 0.19), random);
  const later = [colours[0] as Colour, colours[0] as Colour, ...colours.slice(0, -2)];
  return { ...scene, area, regions: [...scene.regions, { mask: other, colours: later }] };
}

type Light = ReturnType<typeof lightOf>;

/** Tries random codes until a colour fits. */
function searchColour(format: ClipFormat, random: Random, fits: (light: Light) => boolean): Light & { colour: Colour } {
  for (;;) {
    const colour = [0, 0, 0].map(() => random.between(0, 2 ** format.bits - 1)) as unknown as Colour;
    const light = lightOf(format, colour);
    if (fits(light)) return { ...light, colour };
  }
}

/** Whether a colour is in this range, which no red of SDR video exceeds. */
const isTypicalLuminance = (luminance: number) => luminance > 0.03 && luminance < 0.5;
const hueDistance = (a: Light, b: Light) => Math.hypot(a.u - b.u, a.v - b.v);
/** Whether two colours are so similar that there is no luminance flash, and not too dark to have a hue. */
const isSimilarLuminance = (a: Light, b: Light) => Math.abs(a.luminance - b.luminance) < 0.06 && a.luminance > 0.02;
