import { describe, expect, test } from 'vitest';
import { findRuns, placeInBox, type Scene, sceneSize, stripes, stripesAlong } from './samples/scenes.ts';

/** Shows a scene over a share of the screen's width, at full height. */
const overShare = (share: number, scene: Scene) =>
  placeInBox(scene, { width: sceneSize.width * share, height: sceneSize.height });
const findStripes = (scene: Scene) => findRuns(scene, { seconds: 0.8, frameRate: 10 });
const rings = (x: number, y: number) => Math.hypot(x - 160, y - 90);
/** A phase that oscillates twice a second, by this fraction of a period from end to end. */
const oscillation = (part: number) => (seconds: number) => (part / 2) * Math.sin(4 * Math.PI * seconds);

describe('createPatternWatch reports stationary stripes over the whole screen', () => {
  test.each([0, 22.5, 45, 67.5, 90, 112.5, 135, 157.5])('at %d°', (angle) => {
    const [run, ...more] = findStripes(stripes({ angle }));
    expect(more).toEqual([]);
    expect(run).toMatchObject({ motion: 'stationary', startSeconds: 0, endSeconds: expect.closeTo(0.8, 5) });
    expect(run?.peakAreaShare).toBeGreaterThan(0.9);
    expect(run?.lightLuminance).toBeCloseTo(180, -1);
    expect(run?.darkLuminance).toBeCloseTo(10, -1);
  });

  test.each([3.2, 4, 5.5, 8, 12, 24])('with a period of %d pixels on a screen of 320 pixels', (period) => {
    expect(findStripes(stripes({ angle: 20, period }))).toHaveLength(1);
  });

  test.each<[string, Scene]>([
    ['as sine waves', stripes({ isSine: true })],
    ['that are light for a quarter of the period', stripes({ duty: 0.25 })],
    ['as rings', stripesAlong((x, y) => rings(x, y) / 14)],
    ['as waves', stripesAlong((x, y) => (y + 12 * Math.sin(x / 25)) / 14)],
    ['as rays', stripesAlong((x, y) => (28 * Math.atan2(y - 90, x - 160)) / (2 * Math.PI))],
    ['as a spiral', stripesAlong((x, y) => rings(x, y) / 16 + Math.atan2(y - 90, x - 160) / (2 * Math.PI))],
    ['as a chequerboard', (x, y) => ((Math.floor(x / 10) + Math.floor(y / 10)) % 2 ? 180 : 10)],
    ['in perspective, towards a horizon', stripesAlong((x, y) => ((x - 160) / (60 + y)) * 9)],
  ])('%s', (_, scene) => {
    expect(findStripes(scene)).toHaveLength(1);
  });
});

describe('the limits for striped patterns', () => {
  test.each<[string, Scene, number]>([
    ['stripes over 39 % of the screen are not reported', overShare(0.39, stripes({ angle: 90 })), 0],
    ['stripes over 41 % of the screen are reported', overShare(0.41, stripes({ angle: 90 })), 1],
    [
      'slanted stripes over 39 % of the screen are not reported',
      overShare(0.39, stripes({ angle: 70, period: 10 })),
      0,
    ],
    ['slanted stripes over 42 % of the screen are reported', overShare(0.42, stripes({ angle: 70, period: 10 })), 1],
    ['stripes that are 19 cd/m² apart are not reported', stripes({ dark: 40, light: 59 }), 0],
    ['stripes that are 21 cd/m² apart are reported', stripes({ dark: 40, light: 61.5 }), 1],
    ['dark stripes just below 160 cd/m² are reported', stripes({ dark: 158, light: 185 }), 1],
    ['dark stripes at 162 cd/m² are not reported', stripes({ dark: 162, light: 190 }), 0],
    ['5 pairs of light and dark stripes are not reported', stripes({ period: 64 }), 0],
    ['6 pairs of light and dark stripes are reported', stripes({ period: 320 / 6 }), 1],
    [
      '5 pairs of light and dark stripes surrounded by grey are not reported',
      placeInBox(stripes({ period: 40 }), { x: 60, width: 200, height: 180 }, 60),
      0,
    ],
    [
      '6 pairs of light and dark stripes surrounded by grey are reported',
      placeInBox(stripes({ period: 40 }), { x: 40, width: 240, height: 180 }, 60),
      1,
    ],
    ['stripes that are too fine to be resolved are not reported', stripes({ period: 2 }), 0],
  ])('%s', (_, scene, count) => {
    expect(findStripes(scene)).toHaveLength(count);
  });

  test.each([
    [0.32, 0],
    [0.56, 1],
  ])('stripes that are shown for %d s are reported %d times', (seconds, count) => {
    const scene: Scene = (x, y, at) => (at >= 1 && at < 1 + seconds - 0.001 ? stripes()(x, y, at) : 50);
    expect(findRuns(scene, { seconds: 3 })).toHaveLength(count);
  });
});

describe('the motion of striped patterns', () => {
  const moving = (phase: (seconds: number) => number, share = 0.3, angle = 90) =>
    overShare(share, stripes({ angle, phase }));

  test.each<[string, Scene, string[]]>([
    ['stationary stripes over 30 % of the screen are not reported', moving(() => 0), []],
    ['drifting stripes over 30 % of the screen are not reported', moving((seconds) => 2 * seconds), []],
    ['stripes oscillating by half a period over 30 % are reported as changing', moving(oscillation(0.5)), ['changing']],
    ['stripes oscillating by half a period over 24 % are not reported', moving(oscillation(0.5), 0.24), []],
    [
      'reversing stripes over 30 % are reported as changing',
      moving((seconds) => 0.5 * Math.floor(seconds * 6)),
      ['changing'],
    ],
    [
      'stripes reversing with every frame over 30 % are reported as changing',
      moving((seconds) => 0.5 * Math.round(seconds * 20)),
      ['changing'],
    ],
    ['reversing stripes over 24 % are not reported', moving((seconds) => 0.5 * Math.floor(seconds * 6), 0.24), []],
    ['stripes drifting slowly over the whole screen are not reported', moving((seconds) => 0.6 * seconds, 1), []],
    ['stripes drifting fast over the whole screen are not reported', moving((seconds) => 6 * seconds, 1, 30), []],
    ['stripes oscillating by a twentieth of a period over 30 % are not reported', moving(oscillation(0.05)), []],
    ['rings flowing outwards are not reported', stripesAlong((x, y, seconds) => rings(x, y) / 14 - 2 * seconds), []],
    [
      'rings flowing outwards and inwards are reported as changing',
      stripesAlong((x, y, seconds) => rings(x, y) / 14 - oscillation(0.8)(seconds)),
      ['changing'],
    ],
    [
      'stripes flashing on and off over 30 % are reported as changing',
      overShare(0.3, (x, y, seconds) => (Math.floor(seconds * 8) % 2 ? 80 : stripes({ angle: 90 })(x, y, 0))),
      ['changing'],
    ],
    [
      'stripes alternating between horizontal and vertical over 30 % are reported as changing',
      overShare(0.3, (x, y, seconds) => stripes({ angle: Math.floor(seconds * 5) % 2 ? 90 : 0, period: 8 })(x, y, 0)),
      ['changing'],
    ],
  ])('%s', (_, scene, motions) => {
    expect(findRuns(scene, { seconds: 1.5, frameRate: 20 }).map(({ motion }) => motion)).toEqual(motions);
  });
});

describe('createPatternWatch reports no striped pattern', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const noise = Float32Array.from({ length: 400 * 400 }, () => 200 * random());
  const blocks =
    (pixels: number): Scene =>
    (x, y) =>
      noise[Math.floor(y / pixels) * 400 + Math.floor(x / pixels)] ?? 0;
  /** Imitates text: words of different lengths, with descenders, in evenly spaced lines. */
  const text =
    (leading: number): Scene =>
    (x, y) => {
      const line = Math.floor(y / leading);
      const letter = noise[line * 400 + Math.floor(x / (leading * 0.3))] ?? 0;
      const isSpace = (noise[line * 400 + 399 - Math.floor(x / (leading * 0.3))] ?? 0) < 35;
      const height = (y % leading) / leading;
      const isLetter = height > 0.3 && height < 0.3 + 0.4 + (letter > 150 ? 0.2 : 0);
      return isLetter && !isSpace && (noise[Math.floor(y) * 400 + Math.floor(x)] ?? 0) < 130 ? 5 : 180;
    };
  test.each<[string, Scene]>([
    ['a uniform frame', () => 90],
    ['a gradient', (x) => (200 * x) / 320],
    ['noise', blocks(1)],
    ['coarse noise', blocks(5)],
    ['colour bars', (x) => [180, 160, 130, 120, 60, 45, 15][Math.floor((x * 7) / 320)] ?? 0],
    ['a page of text', text(9)],
    ['a page of large text', text(16)],
    ['ruled paper', stripes({ angle: 90, period: 20, duty: 0.95 })],
    ['stripes of irregular width', (x) => ((noise[Math.floor(x / 7)] ?? 0) > 100 ? 180 : 10)],
    [
      'window blinds in a corner of the frame',
      placeInBox(stripes({ angle: 90, period: 8 }), { width: 140, height: 100 }),
    ],
  ])('for %s', (_, scene) => {
    expect(findStripes(scene)).toEqual([]);
  });
});

test('a striped pattern is reported with its bounding box and its number of pairs of light and dark stripes', () => {
  const [run] = findStripes(placeInBox(stripes({ angle: 90, period: 10 }), { x: 80, y: 20, width: 200, height: 150 }));
  expect(run?.box.x).toBeCloseTo(0.25, 1);
  expect(run?.box.width).toBeCloseTo(200 / 320, 1);
  expect(run?.box.y).toBeCloseTo(20 / 180, 1);
  expect(run?.box.height).toBeCloseTo(150 / 180, 1);
  expect(run?.pairs).toBe(15);
});
