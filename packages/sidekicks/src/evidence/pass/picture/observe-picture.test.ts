import { describe, expect, test } from 'vitest';
import { type Film, levelSampleSize, type PictureFormat } from '../observer.ts';
import { observeFields } from './observe-fields.ts';
import { observePicture } from './observe-picture.ts';

const small = { width: 20, height: 10 };
const format: PictureFormat = {
  ...{ width: 1920, height: 1080, frameRate: 25, isFullRange: false, matrix: 'bt709', transfer: 'bt1886' },
  fieldOrder: 'progressive',
  isPlain: true,
  isRgb: false,
  small,
};
const film = (more: Partial<PictureFormat> = {}): Film => ({
  durationSeconds: null,
  picture: { ...format, ...more },
  sound: null,
});
const sizeBytes = small.width * small.height * 3;
const grey = (level: number) => new Uint8Array(sizeBytes).fill(level);
/** Different each time by far more than noise. */
const busy = (index: number) => grey(100 + 10 * (index % 3));

function show(pictures: readonly Uint8Array[], { times = (i: number) => i / 25, more = {} } = {}) {
  const observer = observePicture.open(film(more));
  if (!observer) throw new Error('pictures are observed');
  for (const [index, rgb] of pictures.entries()) observer.picture?.({ index, seconds: times(index), rgb });
  return observer.end();
}
const reel = (length: number, of: (index: number) => Uint8Array) => Array.from({ length }, (_, i) => of(i));

test('a sound has no pictures to observe', () => {
  expect(observePicture.open({ durationSeconds: null, picture: null, sound: null })).toBeNull();
});

describe('black', () => {
  const range = (from: number, to: number) => ({ startSeconds: from / 25, endSeconds: to / 25 });
  test('goes from the first black picture to the first after it', () => {
    const { black } = show(reel(100, (i) => (i >= 30 && i < 60 ? grey(0) : busy(i))));
    expect(black).toEqual([range(30, 60)]);
  });
  test('at the end goes to the end of the last picture', () => {
    const { black } = show(reel(100, (i) => (i >= 30 ? grey(0) : busy(i))));
    expect(black).toEqual([{ startSeconds: 1.2, endSeconds: expect.closeTo(4, 9) }]);
  });
  test.each([
    ['a tenth of the scale', grey(25), true],
    ['a hair more', grey(26), false],
    ['one pixel in a hundred lit', grey(0).fill(255, 0, 6), true],
    ['three in a hundred lit', grey(0).fill(255, 0, 18), false],
  ])('%s', (_, picture, isBlack) => {
    expect(show(reel(50, () => picture)).black).toHaveLength(isBlack ? 1 : 0);
  });
  test('blue is darker than green of the same amount', () => {
    const colour = (r: number, g: number, b: number) =>
      Uint8Array.from({ length: sizeBytes }, (_, i) => [r, g, b][i % 3] ?? 0);
    expect(show(reel(50, () => colour(0, 0, 200))).black).toHaveLength(1);
    expect(show(reel(50, () => colour(0, 200, 0))).black).toHaveLength(0);
  });
});

describe('freeze', () => {
  test('goes from the first of the same pictures to the first other one', () => {
    const { freeze } = show(reel(100, (i) => (i >= 30 && i < 60 ? grey(77) : busy(i))));
    expect(freeze).toEqual([{ startSeconds: 1.2, endSeconds: 2.4 }]);
  });
  test('lets noise of −60 dB pass, and not more', () => {
    const noisy = (off: number) => (i: number) => grey(90).fill(90 + off * (i % 2), 0, sizeBytes / 4);
    expect(show(reel(50, noisy(1))).freeze).toHaveLength(1);
    expect(show(reel(50, noisy(3))).freeze).toHaveLength(0);
  });
  test('is not fooled by what creeps: it goes by the first picture', () => {
    // Each is like the one before, and after a while not like the first.
    const { freeze } = show(reel(200, (i) => grey(60).fill(60 + Math.floor(i / 20), 0, sizeBytes / 4)));
    expect(freeze.length).toBeGreaterThan(1);
  });
  test('frozen black is black alone', () => {
    const seen = show(reel(100, (i) => (i >= 30 && i < 60 ? grey(3) : busy(i))));
    expect([seen.black.length, seen.freeze.length]).toEqual([1, 0]);
  });
  test('black within a standstill parts it', () => {
    const { freeze } = show(reel(100, (i) => (i >= 40 && i < 60 ? grey(0) : grey(90))));
    expect(freeze).toEqual([
      { startSeconds: 0, endSeconds: 1.6 },
      { startSeconds: 2.4, endSeconds: expect.closeTo(4, 9) },
    ]);
  });
});

describe('timing', () => {
  test('an even rate has no irregular picture, though the times are rounded to milliseconds', () => {
    const { timing } = show(reel(300, busy), { times: (i) => Math.round((i * 1001) / 30) / 1000 });
    expect(timing).toMatchObject({ count: 300, irregularCount: 0 });
    expect(timing.usualSeconds).toBeCloseTo(1001 / 30_000, 4);
  });
  test('pictures that stay longer are counted', () => {
    const { timing } = show(reel(100, busy), { times: (i) => (i < 90 ? i : 90 + 2 * (i - 90)) / 25 });
    expect(timing).toMatchObject({ irregularCount: 9, longestSeconds: expect.closeTo(0.08, 9), usualSeconds: 0.04 });
  });
  test('a single picture lasts as long as the file says', () => {
    expect(show([busy(0)]).timing).toMatchObject({ count: 1, endSeconds: 0.04, usualSeconds: null });
  });
});

describe('levels', () => {
  const pixels = levelSampleSize.width * levelSampleSize.height;
  type Colour = [y: number, cb: number, cr: number];
  /** The upper share of the picture in one colour, the rest grey. */
  function sample(colour: Colour, share = 1): Uint8Array {
    const yuv = new Uint8Array(3 * pixels).fill(128);
    for (const plane of [0, 1, 2] as const)
      yuv.fill(colour[plane], plane * pixels, plane * pixels + Math.round(share * pixels));
    return yuv;
  }
  function outsideOf(yuv: Uint8Array, more: Partial<PictureFormat> = {}) {
    const observer = observePicture.open(film(more));
    observer?.levels?.({ index: 0, seconds: 0, yuv });
    return observer?.end().levels.outside.length ?? Number.NaN;
  }

  test.each<[string, Colour, number]>([
    ['the darkest that may be', [5, 128, 128], 0],
    ['darker', [4, 128, 128], 1],
    ['the brightest that may be', [246, 128, 128], 0],
    ['brighter', [247, 128, 128], 1],
    ['red of BT.709', [63, 102, 240], 0],
    ['blue of BT.709', [32, 240, 118], 0],
    ['green of BT.709', [173, 42, 26], 0],
    ['the reddest that may be, as chroma spans 224 codes and luma 219', [73, 128, 240], 0],
    ['luma that is legal, but red far beyond', [180, 128, 230], 1],
    ['luma that is legal, but green far below', [40, 200, 200], 1],
  ])('%s: %j', (_, colour, count) => expect(outsideOf(sample(colour))).toBe(count));

  test('the matrix matters: red of BT.601 is too much for BT.709', () => {
    const red: Colour = [81, 90, 240];
    expect([outsideOf(sample(red), { matrix: 'bt601' }), outsideOf(sample(red), { matrix: 'bt709' })]).toEqual([0, 1]);
  });
  test('in full range the ends of the scale are black and white', () => {
    for (const luma of [0, 255]) expect(outsideOf(sample([luma, 128, 128]), { isFullRange: true })).toBe(0);
  });
  test('a hundredth of the picture is let pass', () => {
    const patch = (columns: number, rows: number) => {
      const yuv = sample([128, 128, 128]);
      for (let row = 20; row < 20 + rows; row++)
        yuv.fill(255, row * levelSampleSize.width + 20, row * levelSampleSize.width + 20 + columns);
      return yuv;
    };
    // What is averaged with its surroundings loses its border.
    expect([outsideOf(patch(40, 5)), outsideOf(patch(60, 6))]).toEqual([0, 1]);
  });
  test('single pixels are not an area', () => {
    const dots = sample([128, 128, 128]);
    for (let at = 0; at < pixels; at += 7) dots[at] = 255;
    expect(outsideOf(dots)).toBe(0);
  });
  test('ranges go from the first bad picture to the first good one, and close ones are one', () => {
    const observer = observePicture.open(film());
    const isBad = (i: number) => (i >= 10 && i < 20) || (i >= 30 && i < 40) || (i >= 80 && i < 90);
    for (let i = 0; i < 120; i++) {
      const yuv = sample([isBad(i) ? 255 : 128, 128, 128], 0.5);
      observer?.levels?.({ index: i, seconds: i / 25, yuv });
    }
    expect(observer?.end().levels.outside).toMatchObject([
      { startSeconds: 0.4, endSeconds: 1.6, high: 255 },
      { startSeconds: 3.2, endSeconds: 3.6, share: expect.closeTo(0.5, 1) },
    ]);
  });
  test('luma is counted as it stands in the file', () => {
    const observer = observePicture.open(film());
    observer?.levels?.({ index: 0, seconds: 0, yuv: sample([7, 128, 128], 0.25) });
    const { lumaCounts } = observer?.end().levels ?? { lumaCounts: [] };
    expect([lumaCounts[7], lumaCounts[128], lumaCounts.length]).toEqual([pixels / 4, (3 * pixels) / 4, 256]);
  });
});

test('field verdicts are counted', () => {
  const observer = observeFields.open(film({ fieldOrder: 'tff' }));
  for (const verdict of ['tff', 'tff', 'bff', 'undetermined'] as const)
    observer?.field?.({ index: 0, seconds: 0, verdict });
  expect(observer?.end()).toEqual({ tff: 2, bff: 1, progressive: 0, undetermined: 1 });
});

test('all of it is plain data', () => {
  const seen = observePicture.open(film({}))?.end();
  expect(structuredClone(seen)).toEqual(seen);
});
