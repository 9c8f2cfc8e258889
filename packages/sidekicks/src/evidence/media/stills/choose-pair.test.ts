import { expect, test } from 'vitest';
import { choosePair } from './choose-pair.ts';
import { createPicture, fillRectangle, type Rgb } from './picture.ts';

const size = { width: 64, height: 36 };
const whole = [{ x: 0, y: 0, width: 1, height: 1 }];
const grey = (code: number): Rgb => [code, code, code];

/** Frames a hundredth of a second apart, each of one colour, with a moving square that does not flash. */
function framesOf(colours: readonly Rgb[]) {
  return colours.map((colour, i) => {
    const picture = createPicture(size.width, size.height, colour);
    fillRectangle(picture, { left: i, top: 0, right: i + 1, bottom: 1 }, grey(128));
    return { ...picture, seconds: i / 100 };
  });
}

function timesOf(colours: readonly Rgb[], kind: 'luminance' | 'red' = 'luminance') {
  const pair = choosePair(framesOf(colours), kind, whole);
  return pair && [pair.light, pair.dark].map(({ seconds }) => Math.round(seconds * 100));
}

test('the two extremes of a flash are chosen, not the frames between them', () => {
  const ramp = [30, 30, 90, 160, 230, 230, 160, 90, 30].map(grey);
  expect(timesOf(ramp)).toEqual([5, 8]);
  expect(timesOf([220, 220, 30, 30].map(grey))).toEqual([1, 2]);
});

test('the light and the dark frame are of the same flash', () => {
  const flashes = Array.from({ length: 24 }, (_, i) => grey(Math.floor(i / 4) % 2 ? 220 : 30));
  const [light = 0, dark = 0] = timesOf(flashes) ?? [];
  expect(Math.abs(light - dark)).toBe(1);
});

test('of a red flash, the saturated red and its counterpart are chosen, whatever is lighter', () => {
  const [red, teal, white]: Rgb[] = [
    [200, 20, 20],
    [10, 90, 90],
    [255, 255, 255],
  ];
  expect(timesOf([white, white, red, teal] as Rgb[], 'red')).toEqual([2, 3]);
  expect(timesOf([white, red, red] as Rgb[], 'red')).toEqual([1, 0]);
});

test('only what is inside the boxes decides', () => {
  const frames = framesOf([30, 30, 30, 30].map(grey));
  const fill = (frame: number, left: number, code: number) =>
    fillRectangle(frames[frame] as never, { left, top: 0, right: left + 31, bottom: 35 }, grey(code));
  fill(0, 0, 255);
  fill(2, 32, 200);
  const pair = choosePair(frames, 'luminance', [{ x: 0.5, y: 0, width: 0.5, height: 1 }]);
  expect(pair?.light.seconds).toBe(0.02);
});

test('no frames are chosen if none of them shows a flash', () => {
  expect(timesOf([100, 100, 101, 100].map(grey))).toBeNull();
  expect(timesOf([])).toBeNull();
  expect(timesOf([grey(10)])).toBeNull();
});
