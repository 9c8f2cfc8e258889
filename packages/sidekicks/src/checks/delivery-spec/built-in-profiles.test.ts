import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { examineFile } from '@assay/testing/media/examine.ts';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { sidekick } from './sidekick.ts';

const mediaFolder = openMediaFolder('built-in-profiles');

const videoInput = (rate: string, size = '1920x1080') => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=0.2`];
const audioInput = (rate = 48_000) => ['-f', 'lavfi', '-i', `sine=r=${rate}:d=0.2`];
const bt709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];
const interlaced = ['-flags', '+ildct+ilme', '-top', '1'];

/** The ffmpeg options for a file that meets AS-11 UK DPP HD. */
const as11 = (...colours: string[]) => [
  ...videoInput('25'),
  ...audioInput(),
  ...['-map', '0:v', '-map', '1:a', '-map', '1:a', '-map', '1:a', '-map', '1:a'],
  ...['-c:v', 'libx264', '-pix_fmt', 'yuv422p10le', '-avcintra-class', '100', ...interlaced, ...colours],
  ...['-c:a', 'pcm_s24le', '-timecode', '09:59:30:00'],
];

async function findingsOf(profile: BuiltInProfile, filename: string, options: string[]) {
  const path = await mediaFolder.make(filename, ...options);
  return examineFile(sidekick, path, declarationFor(filename, profile));
}

describe('a file that meets the sources of its profile', () => {
  test.each<[BuiltInProfile, string, string[]]>([
    ['uk-dpp-as11', 'as11.mxf', as11(...bt709)],
    [
      'us-broadcast-ad',
      'xdcam.mxf',
      [
        ...videoInput('30000/1001'),
        ...audioInput(),
        '-c:v',
        'mpeg2video',
        '-pix_fmt',
        'yuv422p',
        ...interlaced,
        '-c:a',
        'pcm_s24le',
      ],
    ],
    [
      'us-broadcast-ad',
      'prores.mov',
      [...videoInput('24000/1001'), ...audioInput(), '-c:v', 'prores_ks', '-profile:v', '3', '-c:a', 'pcm_s16le'],
    ],
    [
      'us-broadcast-ad',
      'avc.mp4',
      [
        ...videoInput('60000/1001', '1280x720'),
        ...audioInput(),
        '-c:v',
        'libx264',
        '-pix_fmt',
        'yuv420p',
        '-c:a',
        'aac',
      ],
    ],
    ['podcast', 'episode.mp3', audioInput(44_100)],
    ['podcast', 'episode.m4a', audioInput()],
    ['podcast', 'episode.wav', [...audioInput(), '-c:a', 'pcm_s24le']],
    ['social', 'post.mp4', [...videoInput('30', '360x640'), ...audioInput(), '-pix_fmt', 'yuv420p']],
    ['social', 'post.mov', [...videoInput('60', '540x540'), '-c:v', 'libx265', '-pix_fmt', 'yuv420p']],
    ['general', 'any.mkv', [...videoInput('12', '320x240'), '-c:v', 'ffv1']],
  ])('has no issues under the profile %s: %s', async (profile, filename, options) => {
    expect(await findingsOf(profile, filename, options)).toEqual([]);
  });
});

describe('a file that differs from its profile', () => {
  test.each<[BuiltInProfile, string, string[], string[]]>([
    [
      'us-broadcast-ad',
      'pal.mov',
      [...videoInput('25'), ...audioInput(), '-c:v', 'prores_ks', '-profile:v', '3', '-c:a', 'pcm_s16le'],
      ['SPEC-FRAME-RATE'],
    ],
    ['us-broadcast-ad', 'no-video.mp4', audioInput(), ['SPEC-VIDEO-TRACKS']],
    ['us-broadcast-ad', 'no-audio.mov', [...videoInput('24000/1001'), '-c:v', 'prores_ks'], ['SPEC-AUDIO-TRACKS']],
    ['podcast', 'old.wav', audioInput(22_050), ['SPEC-SAMPLE-RATE']],
    ['social', 'post.mkv', [...videoInput('30', '360x640'), '-pix_fmt', 'yuv420p'], ['SPEC-CONTAINER']],
    [
      'social',
      'fields.mp4',
      [...videoInput('25', '720x576'), '-pix_fmt', 'yuv420p', ...interlaced, '-x264-params', 'tff=1'],
      ['SPEC-SCAN'],
    ],
  ])('gets exactly the expected issues under the profile %s: %s', async (profile, filename, options, expected) => {
    const found = await findingsOf(profile, filename, options);
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(expected);
  });

  test('only by not declaring its colours gets only MINOR issues under the profile uk-dpp-as11', async () => {
    const found = await findingsOf('uk-dpp-as11', 'colours.mxf', as11());
    expect(found.map(({ ruleCode, severity }) => `${ruleCode} ${severity}`)).toEqual([
      'SPEC-COLOUR-PRIMARIES MINOR',
      'SPEC-COLOUR-TRANSFER MINOR',
      'SPEC-COLOUR-MATRIX MINOR',
    ]);
  });

  test('because it was made for the web gets more than ten findings under the profile uk-dpp-as11', async () => {
    const options = [...videoInput('30', '1280x720'), ...audioInput(44_100), '-pix_fmt', 'yuv420p'];
    const found = (await findingsOf('uk-dpp-as11', 'web.mp4', options)).map(({ ruleCode }) => ruleCode);
    expect(found).toEqual(
      expect.arrayContaining([
        'SPEC-CONTAINER',
        'SPEC-START-TIMECODE',
        'SPEC-RESOLUTION',
        'SPEC-SCAN',
        'SPEC-AUDIO-CODEC',
      ]),
    );
    expect(found.length).toBeGreaterThan(10);
  });
});
