import { describe, expect, test } from 'vitest';
import {
  analysePatches,
  type Colour,
  changesEvery,
  darkGrey,
  frameSize,
  grey,
  lightGrey,
  midGrey,
  switchColours,
  wholeFrame,
} from './samples/flicker.ts';

const onScreen = (runs: ReturnType<typeof analysePatches>) => runs.filter(({ area }) => area === 'screen');
const pixels = frameSize.width * frameSize.height;

describe('the flash frequency', () => {
  test('is too high with seven transitions within a second, but not with six', () => {
    expect(onScreen(analysePatches([wholeFrame(switchColours(40, changesEvery(4, 6)))]))).toEqual([]);
    expect(onScreen(analysePatches([wholeFrame(switchColours(40, changesEvery(4, 7)))]))).toMatchObject([
      { kind: 'luminance', peakTransitions: 7, peakFlashes: 3, startSeconds: 1 / 30, endSeconds: 25 / 30 },
    ]);
  });

  test('is not too high if seven transitions span a full second', () => {
    expect(onScreen(analysePatches([wholeFrame(switchColours(40, [1, 2, 11, 12, 21, 22, 31]))]))).toEqual([]);
    expect(onScreen(analysePatches([wholeFrame(switchColours(40, [1, 2, 11, 12, 21, 22, 30]))]))).toHaveLength(1);
  });

  test.each([24, 25, 30, 50, 60, 120])(
    'at %i fps is too high with four flashes per second, but not with three',
    (rate) => {
      const square = (hertz: number) =>
        Array.from({ length: 3 * rate }, (_, i) => (Math.floor((2 * hertz * i) / rate) % 2 ? lightGrey : darkGrey));
      expect(onScreen(analysePatches([wholeFrame(square(3))], rate))).toEqual([]);
      expect(onScreen(analysePatches([wholeFrame(square(4))], rate))).toHaveLength(1);
    },
  );

  test('is measured by counting flashes within 15 ms of each other as one', () => {
    const flicker = (step: number) => [wholeFrame(switchColours(60, changesEvery(step, Math.floor(50 / step))))];
    expect(analysePatches(flicker(1), 240)).toEqual([]);
    expect(onScreen(analysePatches(flicker(3), 240))).toHaveLength(1);
  });

  test('is measured by timestamps, not by the number of frames', () => {
    const flicker = [wholeFrame(switchColours(40, changesEvery(4, 7)))];
    expect(onScreen(analysePatches(flicker, (frame) => frame / 30 + (frame > 12 ? 0.3 : 0)))).toEqual([]);
    expect(onScreen(analysePatches(flicker, (frame) => frame / 30 + (frame > 12 ? 0.1 : 0)))).toHaveLength(1);
  });

  test('is reported as too high twice for two separate bursts, and once for continuous flashing', () => {
    expect(
      onScreen(
        analysePatches([
          wholeFrame(switchColours(160, [...changesEvery(4, 8), ...changesEvery(4, 8).map((at) => at + 100)])),
        ]),
      ),
    ).toHaveLength(2);
    expect(onScreen(analysePatches([wholeFrame(switchColours(160, changesEvery(4, 36)))]))).toHaveLength(1);
  });
});

describe('the flashing area', () => {
  const quarter = pixels / 4;
  const shareOf = (count: number) =>
    onScreen(analysePatches([{ from: 100, count, colours: switchColours(40, changesEvery(4, 7)) }]))[0]?.peakAreaShare;

  test('is measured to the exact pixel', () => {
    expect(shareOf(quarter)).toBe(0.25);
    expect(shareOf(quarter - 1)).toBeLessThan(0.25);
    expect(shareOf(Math.floor(pixels * 0.19))).toBeUndefined();
  });

  test('is reported if it is too small for the limit on the screen, but not for the limits on smaller windows', () => {
    const colours = switchColours(40, changesEvery(4, 7));
    const patches = Array.from({ length: 8 }, (_, y) => ({ from: (10 + y) * frameSize.width + 20, count: 8, colours }));
    const runs = analysePatches(patches);
    expect(runs.map(({ area }) => area).toSorted()).toEqual(['341x256', '416x416']);
    const small = runs.find(({ area }) => area === '341x256');
    expect(small?.peakAreaShare).toBeCloseTo(64 / (11 * 9), 5);
    expect(small?.boxes).toEqual([{ x: 20 / 64, y: 10 / 36, width: 8 / 64, height: 8 / 36 }]);
  });

  test('is not combined from regions that flash at different times or in opposite directions', () => {
    const area = Math.ceil(pixels * 0.15);
    const two = (changes: number[], a: Colour = darkGrey, b: Colour = lightGrey) => [
      { from: 0, count: area, colours: switchColours(50, changesEvery(4, 8)) },
      { from: pixels - area, count: area, colours: switchColours(50, changes, a, b) },
    ];
    expect(onScreen(analysePatches(two(changesEvery(4, 8))))).toHaveLength(1);
    expect(onScreen(analysePatches(two(changesEvery(4, 8).map((at) => at + 2))))).toEqual([]);
    expect(onScreen(analysePatches(two(changesEvery(4, 8), lightGrey, darkGrey)))).toEqual([]);
  });

  test('is not combined from two large regions with three flashes each, as if one area had six flashes', () => {
    const area = Math.ceil(pixels * 0.3);
    const patches = [
      { from: 0, count: area, colours: switchColours(50, changesEvery(4, 6)) },
      {
        from: pixels - area,
        count: area,
        colours: switchColours(
          50,
          changesEvery(4, 6).map((at) => at + 2),
        ),
      },
    ];
    expect(analysePatches(patches)).toEqual([]);
  });

  test('is combined from regions that flash up to 20 ms apart: one frame at 60 fps, but not at 40 fps', () => {
    const area = Math.ceil(pixels * 0.15);
    const patches = [
      { from: 0, count: area, colours: switchColours(60, changesEvery(5, 8)) },
      {
        from: pixels - area,
        count: area,
        colours: switchColours(
          60,
          changesEvery(5, 8).map((at) => at + 1),
        ),
      },
    ];
    expect(onScreen(analysePatches(patches, 60))).toHaveLength(1);
    expect(onScreen(analysePatches(patches, 40))).toEqual([]);
  });
});

describe('transitions between light and dark', () => {
  const colours = (...steps: Colour[][]) => steps.flat();
  const inTwoSteps = Array.from({ length: 10 }, () =>
    colours([darkGrey, darkGrey, midGrey, lightGrey, lightGrey, midGrey]),
  ).flat();

  test('over two frames count if they last no longer than 66 ms', () => {
    const small = inTwoSteps;
    expect(analysePatches([wholeFrame(small)], 30)).toEqual([]);
    expect(onScreen(analysePatches([wholeFrame(small)], 60))).toHaveLength(1);
  });

  test('between adjacent frames count whatever the frame duration is', () => {
    expect(onScreen(analysePatches([wholeFrame(switchColours(30, changesEvery(1, 28)))], 10))).toHaveLength(1);
  });

  test('of less than a tenth of the luminance of white do not count', () => {
    expect(analysePatches([wholeFrame(switchColours(40, changesEvery(4, 9), grey(64), grey(108)))])).toEqual([]);
    expect(
      onScreen(analysePatches([wholeFrame(switchColours(40, changesEvery(4, 9), grey(64), grey(109)))])),
    ).toHaveLength(1);
  });

  test('that rise fast but fall slowly do not count as alternating', () => {
    const saw = Array.from({ length: 12 }, () => [64, 64, 112, 107, 102, 97, 92, 87, 82, 77, 72, 68].map(grey)).flat();
    expect(analysePatches([wholeFrame(saw)], 60)).toEqual([]);
  });

  test('after a slow return are counted without the transition before that return', () => {
    const fade = Array.from({ length: 25 }, (_, i) => grey(112 - i * 2));
    const start = [darkGrey, lightGrey, ...fade];
    const changes = switchColours(40, changesEvery(4, 7));
    expect(onScreen(analysePatches([wholeFrame([...start, ...changes])]))).toMatchObject([{ peakTransitions: 7 }]);
  });

  test('that continue in a second step count as one, at the time of the first step', () => {
    const high = grey(144);
    const flash = (gap: number): Colour[] => [lightGrey, high, ...Array.from({ length: gap }, () => darkGrey)];
    expect(analysePatches([wholeFrame([darkGrey, ...flash(8), ...flash(8), ...flash(8), ...flash(8)])])).toEqual([]);
    expect(
      onScreen(analysePatches([wholeFrame([darkGrey, ...flash(8), ...flash(8), ...flash(7), ...flash(8)])])),
    ).toHaveLength(1);
  });
});

describe('red flashes', () => {
  const red: Colour = [205, 78, 78];
  const other: Colour = [31, 134, 134];
  const kinds = (a: Colour, b: Colour) => [
    ...new Set(analysePatches([wholeFrame(switchColours(40, changesEvery(4, 9), a, b))]).map(({ kind }) => kind)),
  ];

  test('are transitions between saturated red and another hue of equal luminance', () => {
    expect(kinds(red, other)).toEqual(['red']);
  });

  test('need a saturated red and a sufficiently different hue', () => {
    expect(kinds([200, 82, 82], other)).toEqual([]);
    expect(kinds(red, [176, 96, 96])).toEqual([]);
  });

  test('do not include noise that is too dark to have a hue', () => {
    expect(kinds([12, 0, 0], [0, 3, 3])).toEqual([]);
  });

  test('are counted separately from luminance flashes', () => {
    expect(kinds([255, 0, 0], [0, 0, 0])).toEqual(['luminance', 'red']);
  });
});
