import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import type { AudioRecord } from '#evidence/media/decode/audio/observe-audio.ts';
import { probeOf } from '#evidence/media/probe/samples/probe-of.ts';
import { lfeChannelsOf } from './judge-audio.ts';
import { sidekick } from './sidekick.ts';

type Streams = Parameters<typeof probeOf>;
const emptySeries = { stepSeconds: 0.1, values: [] };
const channelsOf = (...peaks: (number | null)[]) =>
  peaks.map((peakDb) => ({ peakDb, audibleSeconds: peakDb === null ? 0 : 90 }));
const sound: AudioRecord = {
  ...{ sampleRate: 48_000, layout: 'stereo', durationSeconds: 100, audibleSeconds: 90 },
  channels: channelsOf(-3, -3),
  silence: [],
  clipping: { runCount: 0, longestRunSamples: 0, ranges: [] },
  ...{ stereo: null, active: [], level: emptySeries },
};
const silence: AudioRecord = {
  ...sound,
  audibleSeconds: 0,
  channels: channelsOf(null, null),
  silence: [{ startSeconds: 0, endSeconds: 100 }],
};

/** The findings about the audio of a file with these streams. */
function check(streams: Streams, [audio, ...furtherAudio]: AudioRecord[]) {
  const decoding = { errorCount: 0, messages: [], videoEndSeconds: null, audioEndSeconds: 100, isCutShort: false };
  const probe = { ...probeOf(...streams), reader: 'ffprobe 5.1.9', durationSeconds: 100 };
  const evidence = { recognition: 'audio/wav', video: null, audio, furtherAudio, probe, decoding };
  return sidekick.check(evidence as unknown as Evidence, declarationFor('a.wav'));
}
const subjectsOf = (found: ReturnType<typeof check>) => found.map(({ ruleCode, subject }) => `${ruleCode} ${subject}`);

describe('the audio checks of a file with several programmes', () => {
  const clipped = {
    ...sound,
    clipping: { runCount: 7, longestRunSamples: 9, ranges: [{ startSeconds: 1, endSeconds: 2 }] },
  };
  const english: Streams[0] = ['audio', { language: 'eng' }];
  const french: Streams[0] = ['audio', { language: 'fra' }];

  test('judge each of them, and name the track', () => {
    const found = check([english, french], [clipped, clipped]);
    expect(subjectsOf(found)).toEqual(['QC-CLIPPING clipping', 'QC-CLIPPING clipping: audio track 2']);
    expect(found.map(({ summary }) => summary.slice(0, 37))).toEqual([
      'Audio track 1 (eng): audio is clipped',
      'Audio track 2 (fra): audio is clipped',
    ]);
  });

  test('report a silent track in a further language, but not a spare track', () => {
    expect(subjectsOf(check([english, french], [sound, silence]))).toEqual(['QC-SILENCE silence: audio track 2']);
    expect(subjectsOf(check(['audio', 'audio'], [sound, silence]))).toEqual([]);
    expect(subjectsOf(check(['audio', 'audio'], [silence, sound]))).toEqual(['QC-SILENCE silence']);
  });

  test('name a programme that was not decoded as not examined', () => {
    expect(check([english, french], [sound])).toMatchObject([
      { ruleCode: 'QC-NOT-VERIFIED', notExamined: { label: 'audio track 2 (fra)', reason: 'unsupported' } },
    ]);
  });
});

describe('a silent channel', () => {
  test('is not reported if it is the LFE of six channels without a layout', () => {
    const record = (...peaks: (number | null)[]) => ({ ...sound, layout: null, channels: channelsOf(...peaks) });
    const six: Streams = [['audio', { channels: 6, channelLayout: null }]];
    expect(check(six, [record(-3, -3, -3, null, -9, -9)])).toEqual([]);
    expect(subjectsOf(check(six, [record(-3, -3, null, null, -9, -9)]))).toEqual([
      'QC-SILENT-CHANNEL silent channel: channel 3',
    ]);
  });

  test('is reported in the first two of several mono tracks, because the others may be spare', () => {
    const eight: Streams = ['mono', 'mono', 'mono', 'mono', 'mono', 'mono', 'mono', 'mono'];
    const main = (...peaks: (number | null)[]) => ({ ...sound, layout: '5.1', channels: channelsOf(...peaks) });
    const spare = { ...sound, channels: channelsOf(-20, null) };
    expect(check(eight, [main(-3, -3, null, null, null, null), spare])).toEqual([]);
    expect(subjectsOf(check(eight, [main(-3, null, null, null, null, null), spare]))).toEqual([
      'QC-SILENT-CHANNEL silent channel: right',
    ]);
  });

  test.each<[string | null, number, number[]]>([
    ['stereo', 2, []],
    ['2.1', 3, [2]],
    ['3.1', 4, [3]],
    ['4.1', 5, [3]],
    ['5.0', 5, []],
    ['5.1', 6, [3]],
    ['5.1(side)', 6, [3]],
    ['6.1', 7, [3]],
    ['6.1(front)', 7, [2]],
    ['7.1(wide)', 8, [3]],
    ['22.2', 24, [3, 18]],
    ['3 channels (FL+FR+LFE)', 3, [2]],
    ['hexagonal', 6, []],
    [null, 6, [3]],
    ['8 channels', 8, [3]],
    [null, 4, []],
  ])('of %s with %d channels may be %j', (layout, channels, expected) => {
    expect(lfeChannelsOf(channels, layout)).toEqual(expected);
  });
});
