import { execFileSync } from 'node:child_process';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { gapPixels, labelPixels } from '#evidence/media/stills/compose-pair.ts';
import { outlinePixels } from '#evidence/media/stills/outline.ts';
import { examine, greySource, lossless } from './samples/examine.ts';

const mediaFolder = openMediaFolder('flash-stills');

/** On grey, the part from 0.6 to 0.9 of the width and 0.2 to 0.6 of the height is light for two frames, then dark. */
const flash = (light: string, dark: string) =>
  ['lt(mod(n\\,4)\\,2)', 'gte(mod(n\\,4)\\,2)']
    .map((when, i) => `drawbox=x=iw*0.6:y=ih*0.2:w=iw*0.3:h=ih*0.4:c=${[light, dark][i]}:t=fill:enable='${when}'`)
    .join(',');
const box = { x: 0.6, y: 0.2, width: 0.3, height: 0.4 };
const grey = (size: string) => ['-f', 'lavfi', '-i', `color=c=0x707070:s=${size}:r=25:d=1.4`];
const whiteAndBlack = ['-vf', flash('0xe0e0e0', '0x202020')];

async function takeStill(path: string, ruleCode: string) {
  const { findings } = await examine(path, 'general');
  const [still] = findings.find((finding) => finding.ruleCode === ruleCode)?.stills ?? [];
  if (!still) throw new Error('there is no still');
  // A PPM: its head has the size, then packed R'G'B' follows.
  const ppm = execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-c:v', 'ppm', '-f', 'image2pipe', '-'], {
    input: still.jpeg,
    maxBuffer: 2 ** 24,
  });
  const [head = '', width, height] = /^P6\s(\d+) (\d+)\s255\s/.exec(ppm.toString('latin1', 0, 40)) ?? [];
  const rgb = ppm.subarray(head.length);
  return { frames: still.frames, width: Number(width), height: Number(height), rgb };
}

type Still = Awaited<ReturnType<typeof takeStill>>;

/** Both frames of a still: their size, the outer edge of the outline, and the mean colour in the middle of a part. */
function framesOf({ width, height, rgb }: Still) {
  const panelWidth = (width - gapPixels) / 2;
  return [0, panelWidth + gapPixels].map((from) => {
    const colourAt = (x: number, y: number) => [...rgb.subarray(3 * (y * width + x)).subarray(0, 3)];
    const edges = { left: panelWidth, top: height, right: -1, bottom: -1 };
    for (let y = labelPixels; y < height; y++) {
      for (let x = 0; x < panelWidth; x++) {
        const [red = 0, green = 0, blue = 0] = colourAt(from + x, y);
        if (red > 100 || green < 150 || blue < 150) continue;
        edges.left = Math.min(edges.left, x);
        edges.top = Math.min(edges.top, y - labelPixels);
        edges.right = Math.max(edges.right, x);
        edges.bottom = Math.max(edges.bottom, y - labelPixels);
      }
    }
    const frame = { width: panelWidth, height: height - labelPixels };
    const middle = (at: typeof box) => {
      const [x, y] = [(at.x + at.width / 2) * frame.width, (at.y + at.height / 2) * frame.height];
      const around = Array.from({ length: 81 }, (_, i) =>
        colourAt(from + Math.round(x) + (i % 9) - 4, labelPixels + Math.round(y) + Math.floor(i / 9) - 4),
      );
      return [0, 1, 2].map((channel) => around.reduce((sum, rgb) => sum + (rgb[channel] as number), 0) / 81);
    };
    return { ...frame, edges, middle };
  }) as [Frame, Frame];
}
type Frame = {
  width: number;
  height: number;
  edges: { left: number; top: number; right: number; bottom: number };
  middle(at: typeof box): number[];
};

/** The outline is directly around the box, within the error of scaling and compression. */
function expectAround({ width, height, edges }: Frame, { x, y, width: wide, height: high }: typeof box): void {
  const pairs = [
    [edges.left, Math.max(0, x * width - outlinePixels)],
    [edges.top, Math.max(0, y * height - outlinePixels)],
    [edges.right, Math.min(width - 1, (x + wide) * width + outlinePixels)],
    [edges.bottom, Math.min(height - 1, (y + high) * height + outlinePixels)],
  ] as const;
  for (const [found, expected] of pairs) expect(Math.abs(found - expected)).toBeLessThanOrEqual(4);
}

describe('a still of a flash', () => {
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const turned = { x: 0.4, y: 0.6, width: 0.4, height: 0.3 };
  test.each([
    ['a small video', 'small.mp4', [...grey('320x180'), ...whiteAndBlack, ...lossless], 320, 180, box],
    ['a large video', 'large.mp4', [...grey('1280x720'), ...whiteAndBlack, ...lossless], 640, 360, box],
    [
      'a video with pixels of 4:3',
      'wide.mp4',
      [...grey('240x180'), '-vf', `${flash('0xe0e0e0', '0x202020')},setsar=4/3`, ...lossless],
      320,
      180,
      box,
    ],
    [
      'an animated image',
      'loop.gif',
      [...grey('320x180'), '-vf', `${flash('0xe0e0e0', '0x202020')},fps=25`],
      320,
      180,
      box,
    ],
    [
      'a whole frame, as in the quickstart',
      'whole.mp4',
      [...greySource('if(lt(mod(N\\,4)\\,2)\\,220\\,30)', { size: '320x180' }), ...lossless],
      320,
      180,
      whole,
    ],
    [
      'the two fields of a frame',
      'fields.mov',
      [
        ...greySource('if(gt(X\\,W*0.6)*lt(X\\,W*0.9)*gt(Y\\,H*0.2)*lt(Y\\,H*0.6)\\,if(mod(N\\,2)\\,16\\,235)\\,110)', {
          size: '320x180',
          rate: 50,
        }),
        ...lossless,
        ...['-vf', 'tinterlace=mode=interleave_top', '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
      ],
      320,
      180,
      box,
    ],
  ])('of %s shows a light and a dark frame, with an outline around what flashes', async (...row) => {
    const [, filename, args, width, height, at] = row;
    const still = await takeStill(await mediaFolder.make(filename, ...args), 'PSE-LUMINANCE');
    const [light, dark] = framesOf(still);
    expect([light.width, light.height]).toEqual([width, height]);
    expect(Math.min(...light.middle(at)), 'light').toBeGreaterThan(190);
    expect(Math.max(...dark.middle(at)), 'dark').toBeLessThan(60);
    for (const frame of [light, dark]) expectAround(frame, at);
    expect(still.frames?.map(({ role }) => role)).toEqual(['light', 'dark']);
  });

  test('of a rotated video is as displayed', async () => {
    const path = await mediaFolder.make('upright.mp4', ...grey('320x180'), ...whiteAndBlack, ...lossless);
    const tag = ['-c', 'copy', '-metadata:s:v', 'rotate=270'];
    const still = await takeStill(await mediaFolder.make('turned.mp4', '-i', path, ...tag), 'PSE-LUMINANCE');
    const [light, dark] = framesOf(still);
    expect(light.height).toBe(320);
    const inset = { ...light, width: 180, edges: { ...light.edges } };
    const margin = (light.width - 180) / 2;
    inset.edges.left -= margin;
    inset.edges.right -= margin;
    expectAround(inset, { x: 1 - box.y - box.height, y: box.x, width: box.height, height: box.width });
    expect(Math.min(...light.middle(turned))).toBeGreaterThan(190);
    expect(Math.max(...dark.middle(turned))).toBeLessThan(60);
  });

  test('of saturated red shows the red frame on the left, and its counterpart', async () => {
    const args = [...grey('320x180'), '-vf', flash('0xd01010', '0x105050'), ...lossless];
    const still = await takeStill(await mediaFolder.make('red.mp4', ...args), 'PSE-RED');
    const [red, notRed] = framesOf(still);
    const [r = 0, g = 0] = red.middle(box);
    const [r2 = 0, g2 = 0] = notRed.middle(box);
    expect(r - g).toBeGreaterThan(100);
    expect(g2 - r2).toBeGreaterThan(30);
    expect(still.frames?.map(({ role }) => role)).toEqual(['red', 'not_red']);
  });
});
