import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../../../test/chaos/random.ts';
import type { History } from './history.ts';
import { createPlainTracker, type TrackedFormat } from './samples/plain-tracker.ts';
import { createTransitionTracker } from './tracker.ts';

const sequences = Number(process.env.SEQUENCES ?? 60);
const framesPerSequence = 45;

type Random = ReturnType<typeof createRandom>;
type Change = (was: number, plane: number, random: Random) => number;

/** How a value of a plane goes on; each is hard in a way of its own. */
const changes: Record<string, Change> = {
  anything: (was, _, random) => (random.fraction() < 0.5 ? random.fraction() * 256 : was),
  noise: (was, plane, random) => was + (random.fraction() - 0.5) * (plane === 0 ? 60 : 10),
  'steps near the limit': (was, plane, random) =>
    plane === 0
      ? was + (random.fraction() < 0.5 ? -1 : 1) * (5 + random.fraction() * 30)
      : 120 + random.fraction() * 16,
  'reds near the limit': (was, plane, random) => {
    if (random.fraction() > 0.3) return was;
    if (plane === 2) return 128 + random.fraction() * 112;
    return plane === 1 ? 90 + random.fraction() * 50 : 10 + random.fraction() * 140;
  },
  'reds that hardly change': (was, plane, random) => {
    const [low, high] = (
      [
        [30, 130],
        [90, 128],
        [140, 210],
      ] as const
    )[plane] as readonly [number, number];
    return was < low || was > high ? low + random.fraction() * (high - low) : was + (random.fraction() - 0.5) * 24;
  },
  'chroma alone': (was, plane, random) =>
    plane === 0 ? was + random.fraction() * 6 - 3 : random.fraction() < 0.5 ? random.fraction() * 256 : was,
  'a few codes': (was, _, random) => (random.fraction() < 0.2 ? was + Math.round(random.fraction() * 40 - 20) : was),
};

const formats: TrackedFormat[] = (['bt601', 'bt709', 'bt2020'] as const).flatMap((matrix) =>
  (['bt1886', 'srgb', 'pq', 'hlg'] as const).flatMap((transfer) =>
    [
      { isFullRange: false, isRgb: false },
      { isFullRange: true, isRgb: false },
      { isFullRange: false, isRgb: true },
    ].map((range) => ({ width: 34, height: 9, matrix, transfer, ...range })),
  ),
);

/** The pictures of the last second at which each pixel made a transition. */
function turnsOf(history: History, pixels: number, since: number): number[][] {
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

describe('the kernel finds just the pixels that made a transition', () => {
  test.each(Object.keys(changes))('%s', (name) => {
    const random = createRandom(name.length);
    const change = changes[name] as Change;
    let found = 0;
    for (let sequence = 0; sequence < sequences / 6; sequence++) {
      const format = formats[Math.floor(random.fraction() * formats.length)] as TrackedFormat;
      const rate = [24, 25, 30, 50, 60, 120][Math.floor(random.fraction() * 6)] as number;
      const tracker = createTransitionTracker(format);
      const plain = createPlainTracker(format);
      const pixels = format.width * format.height;
      const planes = tracker.next().map(() => random.fraction() * 256);
      const planeOf = (at: number) => (at < pixels ? 0 : at < (pixels + planes.length) / 2 ? 1 : 2);
      for (let frame = 0; frame < framesPerSequence; frame++) {
        for (const [at, was] of planes.entries()) planes[at] = change(was, planeOf(at), random);
        tracker.next().set(planes);
        tracker.see(frame / rate);
        plain.see(planes, frame / rate);
      }
      const since = framesPerSequence - 20;
      for (const [kind, turns] of [
        ['luminance', plain.luminance],
        ['red', plain.red],
      ] as const) {
        const expected = turns.map(({ frames }) => frames.filter((frame) => frame >= since));
        const history = tracker[kind];
        expect(turnsOf(history, pixels, since), `${kind} ${JSON.stringify(format)} at ${rate}`).toEqual(expected);
        found += expected.flat().length;
      }
    }
    expect(found).toBeGreaterThan(100);
  });
});
