import { describe, expect, test } from 'vitest';
import type { Probe, ProbeStream } from '../probe/probe-report.ts';
import { selectStreams } from './select-streams.ts';

const stream: ProbeStream = {
  ...{ index: 0, kind: 'video', codec: 'hevc', profile: null, isAttachedPicture: false, language: null, tags: [] },
  ...{ width: 1920, height: 1080, rotation: 0, pixelFormat: 'yuv420p', fieldOrder: null, colourRange: null },
  ...{
    colourMatrix: null,
    colourTransfer: null,
    colourPrimaries: null,
    averageFrameRate: 25,
    realFrameRate: 25,
    frameCount: null,
  },
  ...{ sampleRate: null, channels: null, channelLayout: null, startSeconds: 0, durationSeconds: 1 },
  ...{ level: null, sampleAspectRatio: null, chromaLocation: null, frameRateFraction: '25/1', bitsPerSecond: null },
  ...{ isChapterTrack: false, isForced: false, bitDepth: null, hdr: { mastering: null, light: null } },
};

function formatOf(more: Partial<ProbeStream>) {
  const probe: Probe = {
    ...{ reader: '', container: 'mov', startSeconds: 0, durationSeconds: 1, bitsPerSecond: null, isEncrypted: false },
    ...{ tags: [], chapters: [], streams: [{ ...stream, ...more }] },
  };
  const { video } = selectStreams(probe).format;
  if (!video) throw new Error('the video stream was not selected');
  return video;
}

describe('the bit depth of analysed frames', () => {
  test.each([
    ['10-bit PQ', 'yuv420p10le', 'smpte2084', 10, true],
    ['10-bit HLG', 'yuv420p10le', 'arib-std-b67', 10, true],
    ['12-bit PQ, 4:2:2', 'yuv422p12le', 'smpte2084', 10, false],
    ['10-bit PQ, RGB', 'gbrp10le', 'smpte2084', 10, false],
    ['8-bit HLG', 'yuv420p', 'arib-std-b67', 8, true],
    ['10-bit SDR', 'yuv420p10le', 'bt709', 8, false],
    ['8-bit SDR', 'yuv420p', 'bt709', 8, true],
  ])('for %s (%s, %s) is %d', (_, pixelFormat, colourTransfer, bits, isPlain) => {
    expect(formatOf({ pixelFormat, colourTransfer })).toMatchObject({ bits, isPlain });
  });
});

describe('the colour matrix and primaries', () => {
  test.each<[string, string, string, Partial<ProbeStream>]>([
    ['declared for 525 lines', 'bt601', 'bt601-525', { colourMatrix: 'smpte170m', colourPrimaries: 'smpte170m' }],
    ['declared for 625 lines', 'bt601', 'bt601-625', { colourMatrix: 'bt470bg', colourPrimaries: 'bt470bg' }],
    ['declared as BT.2020', 'bt2020', 'bt2020', { colourMatrix: 'bt2020nc', colourPrimaries: 'bt2020' }],
    ['declared with different standards', 'bt601', 'bt709', { colourMatrix: 'smpte170m', colourPrimaries: 'bt709' }],
    ['undeclared in high definition', 'bt709', 'bt709', {}],
    ['undeclared in standard definition', 'bt601', 'bt709', { height: 576 }],
    ['undeclared in PQ', 'bt2020', 'bt2020', { colourTransfer: 'smpte2084' }],
  ])('%s are %s and %s', (_, matrix, primaries, more) => {
    expect(formatOf(more)).toMatchObject({ matrix, primaries });
  });
});
