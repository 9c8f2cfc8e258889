import { createRandom } from '@assay/testing/run/random.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { expect, test } from 'vitest';
import { collectEvents, createEventAdder } from './flashing-pixels.ts';
import type { History } from './history.ts';
import { createWindowSum } from './window-sum.ts';

const [width, height] = [53, 21];
const pixels = width * height;
const seed = testSeed(1);

/** Three chunks of random transitions, the newest only partly filled, and a random last direction for each pixel. */
function randomHistory(random: ReturnType<typeof createRandom>): History {
  const frame = 70;
  const words = () => Int32Array.from({ length: pixels }, () => random.fraction() * 2 ** 32);
  const begun = words().map((word) => word & ((1 << (frame - 64 + 1)) - 1));
  const chunks = [
    { firstFrame: 64, words: begun },
    { firstFrame: 32, words: words() },
    { firstFrame: 0, words: words() },
  ];
  const directions = Uint8Array.from({ length: pixels }, () => 1 + Math.floor(random.fraction() * 2));
  return { frame: () => frame, chunks: () => chunks, directions: () => directions } as History;
}

const randomFramePart = (random: ReturnType<typeof createRandom>) => {
  const [left, top] = [Math.floor(random.fraction() * width), Math.floor(random.fraction() * height)];
  const right = left + Math.floor(random.fraction() * (width - left));
  return { left, top, right, bottom: top + Math.floor(random.fraction() * (height - top)) };
};

test('collectEvents counts the same transitions as a pixel-by-pixel count', () => {
  const random = createRandom(seed);
  for (let round = 0; round < 60; round++) {
    const history = randomHistory(random);
    const mask = Uint8Array.from({ length: pixels }, () => (random.fraction() < 0.5 ? 1 + (round % 3) : 0));
    const part = randomFramePart(random);
    const span = 1 + Math.floor(random.fraction() * 71);
    const stride = round % 2 === 0 ? 1 : 4;

    const expected = [new Float64Array(span), new Float64Array(span)] as const;
    const add = createEventAdder(history, span, expected, { stride: 1, weight: stride * stride });
    for (let y = part.top; y <= part.bottom; y += stride)
      for (let x = part.left; x <= part.right; x += stride) if (mask[y * width + x]) add(y * width + x, 0);

    expect(collectEvents(history, { count: 0, mask, ...part }, width, part, span, stride)).toEqual(expected);
  }
});

test('createWindowSum returns the first window position that contains the most marked pixels', () => {
  const random = createRandom(seed + 1);
  const findFullest = createWindowSum({ width, height });
  for (let round = 0; round < 60; round++) {
    const marks = Uint8Array.from({ length: pixels }, () => Math.floor(random.fraction() * 3));
    const part = randomFramePart(random);
    const window = { width: 1 + Math.floor(random.fraction() * 30), height: 1 + Math.floor(random.fraction() * 12) };
    const mark = round % 3;

    const spanX = Math.min(window.width, part.right - part.left + 1);
    const spanY = Math.min(window.height, part.bottom - part.top + 1);
    let expected = { count: -1, part };
    for (let top = part.top; top + spanY - 1 <= part.bottom; top++)
      for (let left = part.left; left + spanX - 1 <= part.right; left++) {
        const [right, bottom] = [left + spanX - 1, top + spanY - 1];
        let count = 0;
        for (let y = top; y <= bottom; y++)
          for (let x = left; x <= right; x++) {
            const is = marks[y * width + x];
            if (mark === 0 ? is !== 0 : is === mark) count++;
          }
        if (count > expected.count) expected = { count, part: { left, top, right, bottom } };
      }

    expect(findFullest(part, window, marks, mark)).toEqual(expected);
  }
});
