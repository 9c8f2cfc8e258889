import { describe, expect, test } from 'vitest';
import type { VideoFormat } from '../signal/observer.ts';
import { openFlashObserver } from './open-flash-observer.ts';

const size = { width: 64, height: 48 };
const frameRate = 25;
const format = (more: Partial<VideoFormat>): VideoFormat => ({
  ...{ ...size, frameRate, pixelAspect: 1, isFullRange: true, matrix: 'bt709', primaries: 'bt709', transfer: 'srgb' },
  ...{ fieldOrder: 'tff', isRgb: true, hasAlpha: false, bits: 8, isPlain: false, small: size },
  ...more,
});

const [dark, light] = [64, 112];
/** The grey of a line of a frame. */
type Picture = (frame: number, line: number) => number;

/** Analyses 2 s of grey frames, as planes G', B', R' or Y', Cb, Cr. */
function analyse(picture: Picture, more: Partial<VideoFormat> = {}, frames = 50) {
  const { width, height, isRgb, ...rest } = format(more);
  const observer = openFlashObserver({ width, height, isRgb, ...rest });
  for (let frame = 0; frame < frames; frame++) {
    const planes = observer.next();
    for (let line = 0; line < height; line++) {
      for (let plane = 0; plane < (isRgb ? 3 : 1); plane++) {
        const start = (plane * height + line) * width;
        planes.fill(picture(frame, line), start, start + width);
      }
    }
    if (!isRgb) planes.fill(128, width * height);
    observer.processFrame(frame / frameRate);
  }
  const { runs, ...others } = observer.end();
  return { ...others, onScreen: runs.filter(({ area }) => area === 'screen') };
}
const isTop = (line: number) => line % 2 === 0;

describe('the fields of an interlaced video', () => {
  test('are measured one by one: a flash of a single field fills the screen', () => {
    const single: Picture = (frame, line) => (isTop(line) && frame % 2 === 0 ? light : dark);
    const { onScreen, isByField, lookedAt } = analyse(single);
    expect(onScreen).toMatchObject([{ kind: 'luminance', peakAreaShare: 1 }]);
    expect({ isByField, lookedAt }).toEqual({ isByField: true, lookedAt: size });
  });

  test('are measured with their own timestamps: a flash every third field counts 16 times a second', () => {
    const nth = (frame: number, line: number) => 2 * frame + (isTop(line) ? 0 : 1);
    const [run] = analyse((frame, line) => (nth(frame, line) % 3 === 0 ? light : dark)).onScreen;
    expect(run?.peakTransitions).toBeGreaterThanOrEqual(32);
    expect(run?.endSeconds).toBeCloseTo(1.98, 1);
  });

  test.each([
    ['R’G’B’', {}],
    ['4:2:0', { isRgb: false }],
    ['an odd height', { height: 47 }],
  ])('that alternate between black and white flash, although every frame is the same (%s)', (_, more) => {
    const { onScreen } = analyse((_frame, line) => (isTop(line) ? 255 : 0), more);
    expect(onScreen).toMatchObject([{ kind: 'luminance', peakAreaShare: 1 }]);
    expect(onScreen[0]?.peakTransitions).toBeGreaterThanOrEqual(48);
  });

  test('do not flash in the details of a still picture', () => {
    const shades = [30, 30, 200, 200, 200, 60, 250, 250, 120, 20, 20, 180, 90];
    expect(analyse((_, line) => shades[line % shades.length] as number).onScreen).toEqual([]);
    expect(analyse((_, line) => (line < 20 ? 0 : 255)).onScreen).toEqual([]);
    expect(analyse((_, line) => 5 * line).onScreen).toEqual([]);
  });

  test('show as many flashes as the frames of the same progressive pictures', () => {
    const changes = (count: number): Picture => {
      return (frame) => (Math.min(count, Math.floor((frame + 2) / 3)) % 2 ? light : dark);
    };
    for (const [count, found] of [
      [6, 0],
      [7, 1],
    ] as const) {
      expect(analyse(changes(count)).onScreen).toHaveLength(found);
      expect(analyse(changes(count), { fieldOrder: 'progressive' }).onScreen).toHaveLength(found);
    }
  });

  test('are taken in the declared order', () => {
    const inSecondField: Picture = (frame, line) => (frame >= 1 && !isTop(line) && frame % 3 === 1 ? light : dark);
    const startOf = (fieldOrder: 'tff' | 'bff') => analyse(inSecondField, { fieldOrder }).onScreen[0]?.startSeconds;
    expect(startOf('tff')).toBeCloseTo(0.06, 3);
    expect(startOf('bff')).toBeCloseTo(0.04, 3);
  });

  test('are not looked for in a progressive video', () => {
    const { onScreen, isByField } = analyse((_, line) => (isTop(line) ? 255 : 0), { fieldOrder: 'progressive' });
    expect({ onScreen, isByField }).toEqual({ onScreen: [], isByField: false });
  });
});

describe('a transparent picture', () => {
  /** Frames of one colour and one opacity, as planes G', B', R' and alpha. */
  function analyseTransparent(of: (frame: number) => { code: number; alpha: number }, bits: 8 | 10 = 8) {
    const observer = openFlashObserver(format({ fieldOrder: null, hasAlpha: true, bits }));
    const pixels = size.width * size.height;
    for (let frame = 0; frame < 50; frame++) {
      const bytes = observer.next();
      const codes = bits === 8 ? bytes : new Uint16Array(bytes.buffer);
      codes.fill(of(frame).code, 0, 3 * pixels).fill(of(frame).alpha, 3 * pixels);
      observer.processFrame(frame / frameRate);
    }
    return observer.end().runs.filter(({ area }) => area === 'screen');
  }

  test.each([
    ['white and transparent', 255],
    ['black and transparent', 0],
  ])('flashes on a dark or a light page if it alternates between %s', (_, code) => {
    expect(analyseTransparent((frame) => ({ code, alpha: frame % 4 < 2 ? 255 : 0 })).length).toBeGreaterThan(0);
  });

  test('flashes if it changes from faint to opaque, with 10 bits as with 8', () => {
    expect(analyseTransparent((frame) => ({ code: 1023, alpha: frame % 4 < 2 ? 1023 : 600 }), 10)).not.toEqual([]);
  });

  test('does not flash if only the colour of what is invisible changes', () => {
    expect(analyseTransparent((frame) => ({ code: frame % 4 < 2 ? 255 : 0, alpha: 0 }))).toEqual([]);
  });
});
