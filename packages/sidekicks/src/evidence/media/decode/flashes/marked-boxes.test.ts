import { expect, test } from 'vitest';
import { boxesOfMarks } from './marked-boxes.ts';

const frame = { width: 192, height: 108 };
const whole = { left: 0, top: 0, right: frame.width - 1, bottom: frame.height - 1 };
type Part = [left: number, top: number, width: number, height: number];

function boxesOf(...parts: Part[]) {
  const marks = new Uint8Array(frame.width * frame.height);
  for (const [left, top, width, height] of parts) {
    for (let y = top; y < top + height; y++) marks.fill(1, y * frame.width + left, y * frame.width + left + width);
  }
  return boxesOfMarks(marks, frame, whole).map(({ x, y, width, height }) => {
    return [x * frame.width, y * frame.height, width * frame.width, height * frame.height].map(Math.round);
  });
}

test('the box of an area is exact to the pixel', () => {
  expect(boxesOf([21, 33, 47, 12])).toEqual([[21, 33, 47, 12]]);
  expect(boxesOf([0, 0, 192, 108])).toEqual([[0, 0, 192, 108]]);
  expect(boxesOf([80, 50, 1, 1])).toEqual([[80, 50, 1, 1]]);
});

test('separate areas have a box each, the largest first', () => {
  expect(boxesOf([10, 10, 20, 20], [100, 60, 40, 40])).toEqual([
    [100, 60, 40, 40],
    [10, 10, 20, 20],
  ]);
});

test('dots that are near each other are one area', () => {
  const dots = Array.from({ length: 20 }, (_, i): Part => [40 + 4 * (i % 5), 40 + 4 * Math.floor(i / 5), 2, 2]);
  expect(boxesOf(...dots)).toEqual([[40, 40, 18, 14]]);
});

test('scattered noise neither has a box nor enlarges that of an area beside it', () => {
  const noise = Array.from({ length: 30 }, (_, i): Part => [62 + 3 * i, 40 + (i % 3), 1, 1]);
  expect(boxesOf([21, 30, 39, 30], ...noise, [150, 90, 3, 3])).toEqual([[21, 30, 39, 30]]);
});

test('more areas than can be told apart become one that surrounds them all', () => {
  const many = Array.from({ length: 8 }, (_, i): Part => [24 * i, 12 * i, 9, 9]);
  expect(boxesOf(...many)).toEqual([[0, 0, 177, 93]]);
});
