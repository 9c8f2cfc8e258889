import { readFile, writeFile } from 'node:fs/promises';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { examine, greySource, lossless, strobe } from './samples/examine.ts';

const mediaFolder = openMediaFolder('flash-formats');

describe('interlaced video', () => {
  /** 40 % of the screen flashes for one field in four, 12.5 times a second, beside something that moves. */
  const flashing = greySource(
    'if(lt(X\\,W*0.4)*not(mod(N\\,4))\\,235\\,if(lt(X\\,W*0.4)\\,16\\,90+60*sin((X+3*N)/9)))',
    {
      size: '160x96',
      rate: 50,
    },
  );
  const fields = ['-vf', 'tinterlace=mode=interleave_top'];
  const declared = ['-flags', '+ilme+ildct', '-x264-params', 'tff=1'];

  test.each([
    ['every frame of a progressive video is examined', 'p50.mp4', [], 100, false],
    ['every field of an interlaced video is examined', 'i25.mov', [...fields, ...declared], 50, true],
    [
      'fields that a video does not declare are found and examined',
      'hidden.mp4',
      ['-vf', 'tinterlace=mode=interleave_top,setfield=prog', '-field_order', 'progressive'],
      50,
      true,
    ],
  ])('%s', async (_, filename, coding, frames, isByField) => {
    const path = await mediaFolder.make(filename, ...flashing, ...lossless, ...coding);
    const { outcome, examined, findings, ruleCodes } = await examine(path);
    expect({ outcome, ruleCodes }).toEqual({ outcome: 'ran', ruleCodes: ['PSE-LUMINANCE'] });
    expect(examined).toEqual([{ kind: 'video_stream', label: 'video', quantity: frames, unit: 'frames' }]);
    expect(findings[0]?.summary).toContain('40.0 % of the screen');
    expect(findings[0]?.severityReasoning.includes('field by field')).toBe(isByField);
  });

  test('fields of 4:2:2 that alternate between black and white are found, although all frames are the same', async () => {
    const alternating = greySource('if(mod(N\\,2)\\,16\\,235)', { size: '160x96', rate: 50 });
    const path = await mediaFolder.make(
      'full.mov',
      ...alternating,
      ...[...lossless, '-pix_fmt', 'yuv422p', ...fields, ...declared],
    );
    expect((await examine(path, 'general')).ruleCodes).toEqual(['PSE-LUMINANCE']);
  });

  test('a still picture full of details does not flash', async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x192:r=25:d=1.2,select=eq(n\\,0),loop=30:1,fps=25'];
    const path = await mediaFolder.make('still.mov', ...source, ...lossless, '-t', '1.2', ...declared);
    expect((await examine(path, 'general')).ruleCodes).toEqual([]);
  });
});

test.each([
  ['square pixels', '480x270', 84, '1', true],
  ['pixels of 4:3, as in HDV', '360x270', 63, '4/3', true],
  ['square pixels, of which it fills less', '360x270', 63, '1', false],
])(
  'a flashing region is compared with a window of the displayed size, with %s',
  async (_, size, wide, sar, isFound) => {
    const luma = `if(lt(X\\,${wide})*lt(Y\\,19)*lt(mod(N\\,6)\\,3)\\,220\\,30)`;
    const path = await mediaFolder.make(
      `${wide}-${size}-${sar.length}.mp4`,
      ...greySource(luma, { size }),
      ...['-vf', `setsar=${sar}`, ...lossless],
    );
    expect((await examine(path, 'general')).ruleCodes).toEqual(isFound ? ['PSE-LUMINANCE'] : []);
  },
);

describe('a transparent video', () => {
  const source = (colour: number, alpha: string) => [
    ...['-f', 'lavfi', '-i'],
    `nullsrc=s=64x64:r=25:d=2,format=rgba,geq=r=${colour}:g=${colour}:b=${colour}:a='${alpha}'`,
  ];
  const alternating = 'if(lt(mod(N\\,6)\\,3)\\,255\\,0)';

  test.each([
    [
      'white.gif',
      255,
      ['-filter_complex', 'split[a][b];[a]palettegen[p];[b][p]paletteuse', '-gifflags', '-offsetting-transdiff'],
    ],
    ['white.mov', 255, ['-c:v', 'qtrle', '-pix_fmt', 'argb']],
    ['black.mov', 0, ['-c:v', 'qtrle', '-pix_fmt', 'argb']],
    ['ten-bit.mov', 255, ['-c:v', 'prores_ks', '-profile:v', '4444', '-pix_fmt', 'yuva444p10le']],
  ])('flashes on some background if it appears and disappears (%s)', async (filename, colour, coding) => {
    const path = await mediaFolder.make(filename, ...source(colour, alternating), ...coding);
    expect((await examine(path, 'general')).ruleCodes).toEqual(['PSE-LUMINANCE']);
  });

  test('does not flash if it stays as it is', async () => {
    const path = await mediaFolder.make('still.mov', ...source(255, '128'), '-c:v', 'qtrle', '-pix_fmt', 'argb');
    expect((await examine(path, 'general')).ruleCodes).toEqual([]);
  });
});

test('flashes of an AVIF sequence are found', async () => {
  const coding = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '30', '-pix_fmt', 'yuv420p'];
  const path = await mediaFolder.make('strobe.avif', ...strobe, ...coding);
  expect((await examine(path)).ruleCodes).toEqual(['PSE-LUMINANCE']);
});

test('a flash from the last to the first image of an AVIF sequence is found, because players repeat it', async () => {
  const two = greySource('if(N\\,220\\,30)', { rate: 10, seconds: 0.2 });
  const coding = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '30', '-pix_fmt', 'yuv420p'];
  expect((await examine(await mediaFolder.make('two.avif', ...two, ...coding))).ruleCodes).toEqual(['PSE-LUMINANCE']);
});

test.each(['hevc', 'msf1'])('flashes of a HEIC sequence are found (brand %s)', async (brand) => {
  const coding = ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p'];
  const bytes = await readFile(await mediaFolder.make('sequence.mp4', ...strobe, ...coding));
  // No encoder is available: the file is an MP4 with the brand of sequences, and its track is one of pictures.
  bytes.write(brand, 8, 'latin1');
  bytes.write('pict', bytes.indexOf('vide'), 'latin1');
  const path = `${mediaFolder.folder}/${brand}.heic`;
  await writeFile(path, bytes);
  expect(await examine(path)).toMatchObject({ outcome: 'ran', ruleCodes: ['PSE-LUMINANCE'] });
});

describe('an animated WebP', () => {
  test('is examined frame by frame, and its flashes are found', async () => {
    const path = await mediaFolder.make('strobe.webp', ...strobe, '-c:v', 'libwebp_anim');
    const { outcome, examined, ruleCodes, findings } = await examine(path);
    expect({ outcome, ruleCodes }).toEqual({ outcome: 'ran', ruleCodes: ['PSE-LUMINANCE'] });
    const quantity = (await readFile(path)).toString('latin1').split('ANMF').length - 1; // equal frames are stored once
    expect(examined).toEqual([{ kind: 'video_stream', label: 'video', quantity, unit: 'frames' }]);
    expect(findings[0]?.stills).not.toEqual([]);
  });

  test('that fades slowly has no issue', async () => {
    const fade = greySource('60+N', { rate: 10, seconds: 3 });
    const path = await mediaFolder.make('fade.webp', ...fade, '-c:v', 'libwebp_anim', '-lossless', '1');
    expect(await examine(path)).toMatchObject({ outcome: 'ran', ruleCodes: [] });
  });
});

test.each([
  ['GIF', 'late.gif', []],
  ['PNG', 'late.png', ['-f', 'apng']],
  ['WebP', 'late.webp', ['-c:v', 'libwebp_anim']],
  ['AVIF', 'late.avif', ['-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '30', '-pix_fmt', 'yuv420p']],
])('flashes that begin after four seconds of an animated %s are found', async (_, filename, coding) => {
  const late = greySource('if(lt(N\\,40)\\,100\\,if(mod(N\\,2)\\,220\\,30))', { size: '64x48', rate: 10, seconds: 6 });
  const path = await mediaFolder.make(filename, ...late, ...coding);
  const { examined, findings } = await examine(path);
  const flash = findings.find(({ ruleCode }) => ruleCode === 'PSE-LUMINANCE');
  expect(flash?.locations[0]).toMatchObject({ startMs: expect.closeTo(4000, -3) });
  expect(examined[0]?.quantity).toBeGreaterThan(20);
});
