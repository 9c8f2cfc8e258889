import { describe, expect, test } from 'vitest';
import { levelSampleSize, type MediaFormat, type VideoFormat } from '../signal/observer.ts';
import { observeFields } from './observe-fields.ts';
import { observeVideo } from './observe-video.ts';

const small = { width: 20, height: 10 };
const format: VideoFormat = {
  ...{ width: 1920, height: 1080, frameRate: 25, isFullRange: false, matrix: 'bt709', transfer: 'bt1886' },
  ...{ primaries: 'bt709', bits: 8 },
  fieldOrder: 'progressive',
  isPlain: true,
  isRgb: false,
  pixelAspect: 1,
  hasAlpha: false,
  small,
};
const media = (more: Partial<VideoFormat> = {}): MediaFormat => ({
  durationSeconds: null,
  video: { ...format, ...more },
  audio: null,
});
const sizeBytes = small.width * small.height * 3;
const greyFrame = (level: number) => new Uint8Array(sizeBytes).fill(level);
/** Each frame differs from the previous one by far more than noise. */
const movingFrame = (index: number) => greyFrame(100 + 10 * (index % 3));

function observe(frames: readonly Uint8Array[], { times = (i: number) => i / 25, more = {} } = {}) {
  const observer = observeVideo.open(media(more));
  if (!observer) throw new Error('the frames are not observed');
  for (const [index, rgb] of frames.entries()) observer.frame?.({ index, seconds: times(index), rgb });
  return observer.end();
}
const repeatFrames = (length: number, of: (index: number) => Uint8Array) => Array.from({ length }, (_, i) => of(i));

test('observeVideo opens no observer for a file without video', () => {
  expect(observeVideo.open({ durationSeconds: null, video: null, audio: null })).toBeNull();
});

describe('black detection', () => {
  const range = (from: number, to: number) => ({ startSeconds: from / 25, endSeconds: to / 25 });
  test('reports a range from the first black frame to the next frame that is not black', () => {
    const { black } = observe(repeatFrames(100, (i) => (i >= 30 && i < 60 ? greyFrame(0) : movingFrame(i))));
    expect(black).toEqual([range(30, 60)]);
  });
  test('extends a range at the end of the video to the end of the last frame', () => {
    const { black } = observe(repeatFrames(100, (i) => (i >= 30 ? greyFrame(0) : movingFrame(i))));
    expect(black).toEqual([{ startSeconds: 1.2, endSeconds: expect.closeTo(4, 9) }]);
  });
  test.each([
    ['includes frames of 10 % luma', greyFrame(25), true],
    ['does not include frames slightly above 10 % luma', greyFrame(26), false],
    ['includes frames with 1 % white pixels', greyFrame(0).fill(255, 0, 6), true],
    ['does not include frames with 3 % white pixels', greyFrame(0).fill(255, 0, 18), false],
  ])('%s', (_, frame, isBlack) => {
    expect(observe(repeatFrames(50, () => frame)).black).toHaveLength(isBlack ? 1 : 0);
  });
  test('weights blue less than green', () => {
    const colour = (r: number, g: number, b: number) =>
      Uint8Array.from({ length: sizeBytes }, (_, i) => [r, g, b][i % 3] ?? 0);
    expect(observe(repeatFrames(50, () => colour(0, 0, 200))).black).toHaveLength(1);
    expect(observe(repeatFrames(50, () => colour(0, 200, 0))).black).toHaveLength(0);
  });
});

describe('freeze detection', () => {
  test('reports a range from the first of several equal frames to the next different frame', () => {
    const { freeze } = observe(repeatFrames(100, (i) => (i >= 30 && i < 60 ? greyFrame(77) : movingFrame(i))));
    expect(freeze).toEqual([{ startSeconds: 1.2, endSeconds: 2.4 }]);
  });
  test('tolerates noise of −60 dB, but not more', () => {
    const noisy = (off: number) => (i: number) => greyFrame(90).fill(90 + off * (i % 2), 0, sizeBytes / 4);
    expect(observe(repeatFrames(50, noisy(1))).freeze).toHaveLength(1);
    expect(observe(repeatFrames(50, noisy(3))).freeze).toHaveLength(0);
  });
  test('splits slow motion into several freezes, as each frame is compared with the first frame of the freeze', () => {
    // Each frame is similar to the previous one, but eventually not to the first.
    const { freeze } = observe(repeatFrames(200, (i) => greyFrame(60).fill(60 + Math.floor(i / 20), 0, sizeBytes / 4)));
    expect(freeze.length).toBeGreaterThan(1);
  });
  test('does not report black frames', () => {
    const observed = observe(repeatFrames(100, (i) => (i >= 30 && i < 60 ? greyFrame(3) : movingFrame(i))));
    expect([observed.black.length, observed.freeze.length]).toEqual([1, 0]);
  });
  test('splits a freeze at black frames', () => {
    const { freeze } = observe(repeatFrames(100, (i) => (i >= 40 && i < 60 ? greyFrame(0) : greyFrame(90))));
    expect(freeze).toEqual([
      { startSeconds: 0, endSeconds: 1.6 },
      { startSeconds: 2.4, endSeconds: expect.closeTo(4, 9) },
    ]);
  });
});

describe('frame timing', () => {
  test('has no irregular frames at a constant frame rate, although timestamps are rounded to milliseconds', () => {
    const { timing } = observe(repeatFrames(300, movingFrame), { times: (i) => Math.round((i * 1001) / 30) / 1000 });
    expect(timing).toMatchObject({ count: 300, irregularCount: 0 });
    expect(timing.usualSeconds).toBeCloseTo(1001 / 30_000, 4);
  });
  test('counts frames that last longer than usual as irregular', () => {
    const { timing } = observe(repeatFrames(100, movingFrame), { times: (i) => (i < 90 ? i : 90 + 2 * (i - 90)) / 25 });
    expect(timing).toMatchObject({ irregularCount: 9, longestSeconds: expect.closeTo(0.08, 9), usualSeconds: 0.04 });
  });
  test('takes the duration of a single frame from the declared frame rate', () => {
    expect(observe([movingFrame(0)]).timing).toMatchObject({ count: 1, endSeconds: 0.04, usualSeconds: null });
  });
});

describe('video levels', () => {
  const pixels = levelSampleSize.width * levelSampleSize.height;
  type Colour = [y: number, cb: number, cr: number];
  /** A level sample with this colour in the upper share of the frame and grey below. */
  function sample(colour: Colour, share = 1) {
    const codes = new Uint8Array(3 * pixels).fill(128);
    for (const plane of [0, 1, 2] as const)
      codes.fill(colour[plane], plane * pixels, plane * pixels + Math.round(share * pixels));
    return { codes, sums: Uint16Array.from(codes, (code) => 9 * code) };
  }
  function outsideOf(levels: ReturnType<typeof sample>, more: Partial<VideoFormat> = {}) {
    const observer = observeVideo.open(media(more));
    observer?.levels?.({ index: 0, seconds: 0, ...levels });
    return observer?.end().levels.outside.length ?? Number.NaN;
  }

  test.each<[string, Colour, number]>([
    ['at the lowest legal luma are accepted', [5, 128, 128], 0],
    ['below the lowest legal luma are reported', [4, 128, 128], 1],
    ['at the highest legal luma are accepted', [246, 128, 128], 0],
    ['above the highest legal luma are reported', [247, 128, 128], 1],
    ['of BT.709 red are accepted', [63, 102, 240], 0],
    ['of BT.709 blue are accepted', [32, 240, 118], 0],
    ['of BT.709 green are accepted', [173, 42, 26], 0],
    ['of the highest legal red are accepted, as chroma spans 224 codes and luma 219', [73, 128, 240], 0],
    ['with legal luma but red far above the limit are reported', [180, 128, 230], 1],
    ['with legal luma but green far below the limit are reported', [40, 200, 200], 1],
  ])('%s: %j', (_, colour, count) => expect(outsideOf(sample(colour))).toBe(count));

  test('of BT.601 red are accepted in BT.601 and reported in BT.709', () => {
    const red: Colour = [81, 90, 240];
    expect([outsideOf(sample(red), { matrix: 'bt601' }), outsideOf(sample(red), { matrix: 'bt709' })]).toEqual([0, 1]);
  });
  test('in full range are accepted from the first code to the last', () => {
    for (const luma of [0, 255]) expect(outsideOf(sample([luma, 128, 128]), { isFullRange: true })).toBe(0);
  });
  test('are reported only if more than 1 % of the frame is outside the limits', () => {
    const white: Colour = [255, 128, 128];
    expect([outsideOf(sample(white, 0.01)), outsideOf(sample(white, 0.0101))]).toEqual([0, 1]);
  });
  test('are compared after averaging a pixel with its neighbours', () => {
    const [bright, usual] = [sample([255, 128, 128]), sample([128, 128, 128])];
    expect(outsideOf({ codes: bright.codes, sums: usual.sums })).toBe(0);
    expect(outsideOf({ codes: usual.codes, sums: bright.sums })).toBe(1);
  });
  test('are reported from the first bad frame to the next good frame, and close ranges are merged', () => {
    const observer = observeVideo.open(media());
    const isBad = (i: number) => (i >= 10 && i < 20) || (i >= 30 && i < 40) || (i >= 80 && i < 90);
    for (let i = 0; i < 120; i++) {
      observer?.levels?.({ index: i, seconds: i / 25, ...sample([isBad(i) ? 255 : 128, 128, 128], 0.5) });
    }
    expect(observer?.end().levels.outside).toMatchObject([
      { startSeconds: 0.4, endSeconds: 1.6, high: 255 },
      { startSeconds: 3.2, endSeconds: 3.6, share: expect.closeTo(0.5, 1) },
    ]);
  });
  test('include a histogram of the luma codes of the file', () => {
    const observer = observeVideo.open(media());
    observer?.levels?.({ index: 0, seconds: 0, ...sample([7, 128, 128], 0.25) });
    const { lumaCounts } = observer?.end().levels ?? { lumaCounts: [] };
    expect([lumaCounts[7], lumaCounts[128], lumaCounts.length]).toEqual([pixels / 4, (3 * pixels) / 4, 256]);
  });
});

test('observeFields counts the frames of each field order', () => {
  const observer = observeFields.open(media({ fieldOrder: 'tff' }));
  for (const verdict of ['tff', 'tff', 'bff', 'undetermined'] as const)
    observer?.field?.({ index: 0, seconds: 0, verdict });
  expect(observer?.end()).toEqual({ tff: 2, bff: 1, progressive: 0, undetermined: 1 });
});

test('the video evidence is plain data', () => {
  const observed = observeVideo.open(media({}))?.end();
  expect(structuredClone(observed)).toEqual(observed);
});
