import { createRandom } from '@assay/testing/run/random.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { describe, expect, test } from 'vitest';
import type { History } from './history.ts';
import { createPlainTracker } from './samples/plain-tracker.ts';
import { createTransitionTracker, frameBytesOf, type TrackedFormat } from './tracker.ts';

/** Sequences per kind of change; with the default, every format is tested. */
const sequencesOfEach = Number(process.env.SEQUENCES ?? 12);
const framesPerSequence = 45;

type Random = ReturnType<typeof createRandom>;
type Change = (code: number, plane: number, random: Random) => number;

/** How a code of a plane changes from frame to frame, in 8-bit codes. Each kind tests a different difficulty. */
const changes: Record<string, Change> = {
  anything: (code, _, random) => (random.fraction() < 0.5 ? random.fraction() * 256 : code),
  noise: (code, plane, random) => code + (random.fraction() - 0.5) * (plane === 0 ? 60 : 10),
  'steps near the limit': (code, plane, random) =>
    plane === 0
      ? code + (random.fraction() < 0.5 ? -1 : 1) * (5 + random.fraction() * 30)
      : 120 + random.fraction() * 16,
  'reds near the limit': (code, plane, random) => {
    if (random.fraction() > 0.3) return code;
    if (plane === 2) return 128 + random.fraction() * 112;
    return plane === 1 ? 90 + random.fraction() * 50 : 10 + random.fraction() * 140;
  },
  'reds that hardly change': (code, plane, random) => {
    const [low, high] = (
      [
        [30, 130],
        [90, 128],
        [140, 210],
      ] as const
    )[plane] as readonly [number, number];
    return code < low || code > high ? low + random.fraction() * (high - low) : code + (random.fraction() - 0.5) * 24;
  },
  'chroma alone': (code, plane, random) =>
    plane === 0 ? code + random.fraction() * 6 - 3 : random.fraction() < 0.5 ? random.fraction() * 256 : code,
  'a few codes': (code, _, random) => (random.fraction() < 0.2 ? code + Math.round(random.fraction() * 40 - 20) : code),
};

const size = { width: 34, height: 9 };
const colours = [
  { matrix: 'bt601', primaries: 'bt601-525' },
  { matrix: 'bt601', primaries: 'bt601-625' },
  { matrix: 'bt709', primaries: 'bt709' },
  { matrix: 'bt2020', primaries: 'bt2020' },
] as const;
const ranges = [
  { isFullRange: false, isRgb: false },
  { isFullRange: true, isRgb: false },
  { isFullRange: false, isRgb: true },
];
/** With PQ and HLG, frames have 8 or 10 bits. */
const curves = [
  { transfer: 'bt1886', bits: 8 },
  { transfer: 'srgb', bits: 8 },
  ...([8, 10] as const).flatMap((bits) => [{ transfer: 'pq', bits } as const, { transfer: 'hlg', bits } as const]),
] as const;
const formats: TrackedFormat[] = colours.flatMap((colour) =>
  curves.flatMap((curve) => ranges.map((range) => ({ ...size, ...colour, ...curve, ...range }))),
);

/** The frames from `since` on at which each pixel made a transition. */
function transitionsOf(history: History, pixels: number, since: number): number[][] {
  const chunks = history.chunks();
  const framesOf = (pixel: number) =>
    chunks.flatMap(({ words, firstFrame }) =>
      Array.from({ length: 32 }, (_, bit) => (((words[pixel] as number) >>> bit) & 1 ? firstFrame + bit : -1)),
    );
  return Array.from({ length: pixels }, (_, pixel) =>
    framesOf(pixel)
      .filter((frame) => frame >= since)
      .toSorted((a, b) => a - b),
  );
}

/** 10-bit codes take two bytes, little-endian. */
function bytesOf(codes: Uint16Array, { bits }: TrackedFormat): Uint8Array {
  return bits === 8 ? Uint8Array.from(codes) : new Uint8Array(codes.buffer);
}

describe('the kernel finds the same transitions as the reference implementation', () => {
  const seed = testSeed(1);
  const shuffledFormats = createRandom(seed).shuffle(formats);
  test.each(Object.keys(changes).map((name, i) => [name, i] as const))('for changes of the kind: %s', (name, i) => {
    const random = createRandom(seed - 1 + name.length);
    const change = changes[name] as Change;
    let found = 0;
    for (let sequence = 0; sequence < sequencesOfEach; sequence++) {
      const format = shuffledFormats[(i * sequencesOfEach + sequence) % shuffledFormats.length] as TrackedFormat;
      const rate = [24, 25, 30, 50, 60, 120][Math.floor(random.fraction() * 6)] as number;
      const tracker = createTransitionTracker(format);
      const plain = createPlainTracker(format);
      const pixels = format.width * format.height;
      const [fineness, codeMax] = [2 ** (format.bits - 8), 2 ** format.bits - 1];
      const codes = new Uint16Array(frameBytesOf({ ...format, bits: 8 })).map(() => random.fraction() * codeMax);
      const planeOf = (at: number) => (at < pixels ? 0 : at < (pixels + codes.length) / 2 ? 1 : 2);
      for (let frame = 0; frame < framesPerSequence; frame++) {
        for (const [at, code] of codes.entries())
          codes[at] = (fineness * change(code / fineness, planeOf(at), random)) & codeMax;
        const planes = bytesOf(codes, format);
        tracker.next().set(planes);
        tracker.processFrame(frame / rate);
        plain.processFrame(planes, frame / rate);
      }
      const since = framesPerSequence - 20;
      for (const [kind, transitions] of [
        ['luminance', plain.luminance],
        ['red', plain.red],
      ] as const) {
        const expected = transitions.map(({ frames }) => frames.filter((frame) => frame >= since));
        const history = tracker[kind];
        expect(transitionsOf(history, pixels, since), `${kind} ${JSON.stringify(format)} at ${rate}`).toEqual(expected);
        found += expected.flat().length;
      }
    }
    expect(found).toBeGreaterThan(100);
  });
});
