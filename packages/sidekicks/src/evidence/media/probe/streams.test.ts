import { describe, expect, test } from 'vitest';
import { mediaBounds } from '../bounds.ts';
import { audioProgrammes } from './programmes.ts';
import { probeOf } from './samples/probe-of.ts';
import { audioNotExamined, channelsNotMeasured, mainStreams, videoNotExamined } from './streams.ts';

type Streams = Parameters<typeof probeOf>;
const coverArt: Streams[0] = ['video', { isAttachedPicture: true }];
const chapterTrack = (frameCount: number | null): Streams[0] => [
  'video',
  { isAttachedPicture: true, isChapterTrack: true, frameCount },
];
const unknownVideo: Streams[0] = ['video', { codec: 'unknown', width: null, height: null }];
const mono = (language: string | null, channelLayout: string | null = null): Streams[0] => [
  'mono',
  { language, channelLayout },
];
const monos = (count: number): Streams => Array.from({ length: count }, () => 'mono');

describe('the main video', () => {
  test.each<[string, number | null, Streams]>([
    ['the first video stream', 0, ['video', 'video']],
    ['the video stream behind cover art', 1, [coverArt, 'video']],
    ['the first video stream that can be decoded', 1, [unknownVideo, 'video']],
    ['a stream that cannot be decoded, if there is no other', 0, [unknownVideo, 'audio']],
    ['the only video stream, even if it is named as a chapter track', 0, [chapterTrack(100), 'audio']],
    ['the ordinary stream, even if a chapter track precedes it', 1, [chapterTrack(100), 'video']],
    ['missing, if there is only cover art', null, ['audio', coverArt]],
    ['missing, if there is only a chapter thumbnail', null, ['audio', chapterTrack(1)]],
  ])('is %s', (_, index, streams) => {
    expect(mainStreams(probeOf(...streams)).video?.index ?? null).toBe(index);
  });

  test('leaves every other video stream to be reported, but no still image', () => {
    const probe = probeOf('video', coverArt, chapterTrack(1), chapterTrack(30), unknownVideo, [
      'video',
      { language: 'fra' },
    ]);
    expect(mainStreams(probe).videos.map(({ role }) => role)).toEqual([
      ...['main', 'cover_art', 'chapter_thumbnails', 'extra', 'extra', 'extra'],
    ]);
    expect(videoNotExamined(probe)).toEqual([
      { kind: 'video_stream', label: 'video track 2', reason: 'limit_reached', share: null },
      { kind: 'video_stream', label: 'video track 3', reason: 'unsupported', share: null },
      { kind: 'video_stream', label: 'video track 4 (fra)', reason: 'limit_reached', share: null },
    ]);
  });
});

test('a chapter track whose frames nobody has counted is video, because it may have more than one', () => {
  expect(mainStreams(probeOf(chapterTrack(null), 'audio')).video?.index).toBe(0);
});

test('a language that is shown to people contains only letters and digits', () => {
  const { audios } = mainStreams(probeOf(['audio', { language: '<b>fr\u202e\n' }], ['audio', { language: 'und' }]));
  expect(audios.map(({ name }) => name)).toEqual(['audio track 1 (bfr)', 'audio track 2']);
});

describe('audio programmes', () => {
  const [left, right, centre, lfe] = ['1 channels (FL)', '1 channels (FR)', 'mono', '1 channels (LFE)'];
  const surround = ['1 channels (SL)', '1 channels (SR)'];
  const placed = (...layouts: string[]): Streams => layouts.map((layout) => mono(null, layout));

  test.each<[string, string[], Streams]>([
    ['one track', ['audio track 1'], ['video', 'audio']],
    [
      'two languages',
      ['audio track 1 (eng)', 'audio track 2 (fra)'],
      [
        ['audio', { language: 'eng' }],
        ['audio', { language: 'fra' }],
      ],
    ],
    [
      'stereo beside 5.1',
      ['audio track 1', 'audio track 2'],
      ['audio', ['audio', { channels: 6, channelLayout: '5.1' }]],
    ],
    ['one mono track', ['audio track 1'], monos(1)],
    ['two mono tracks', ['audio tracks 1 and 2'], monos(2)],
    ['three mono tracks', ['audio tracks 1 and 2', 'audio track 3'], monos(3)],
    ['four mono tracks', ['audio tracks 1 and 2', 'audio tracks 3 and 4'], monos(4)],
    ['six mono tracks', ['audio tracks 1 to 6'], monos(6)],
    ['eight mono tracks', ['audio tracks 1 to 6', 'audio tracks 7 and 8'], monos(8)],
    ['mono tracks in two languages', ['audio track 1 (eng)', 'audio track 2 (fra)'], [mono('eng'), mono('fra')]],
    [
      'mono tracks of which one declares no language',
      ['audio track 1 (eng)', 'audio track 2'],
      [mono('eng'), mono(null)],
    ],
    [
      'stereo in two languages as mono tracks',
      ['audio tracks 1 and 3 (eng)', 'audio tracks 2 and 4 (fra)'],
      [mono('eng'), mono('fra'), mono('eng'), mono('fra')],
    ],
    [
      'six mono tracks that are three stereo pairs',
      ['audio tracks 1 and 2', 'audio tracks 3 and 4', 'audio tracks 5 and 6'],
      placed(left, right, left, right, left, right),
    ],
    [
      'eight mono tracks with stereo first',
      ['audio tracks 1 and 2', 'audio tracks 3 to 8'],
      placed(left, right, left, right, centre, lfe, ...surround),
    ],
    [
      'mono tracks that differ in sample rate',
      ['audio track 1', 'audio track 2'],
      ['mono', ['mono', { sampleRate: 44_100 }]],
    ],
  ])('of %s are %j', (_, names, streams) => {
    expect(audioProgrammes(probeOf(...streams)).programmes.map(({ name }) => name)).toEqual(names);
  });

  test('of six mono tracks have the layout 5.1, and of two the layout stereo', () => {
    const layoutsOf = (count: number) =>
      audioProgrammes(probeOf(...monos(count))).programmes.map(({ channels, layout }) => [channels, layout]);
    expect(layoutsOf(8)).toEqual([
      [6, '5.1'],
      [2, 'stereo'],
    ]);
  });

  test('are assumed only where neither language nor position tells which mono tracks belong together', () => {
    const areAssumed = (...streams: Streams) =>
      audioProgrammes(probeOf(...streams)).programmes.map(({ isAssumed }) => isAssumed);
    expect([
      areAssumed(...monos(2)),
      areAssumed(...placed(left, right)),
      areAssumed('mono'),
      areAssumed('audio'),
    ]).toEqual([...[[true], [false], [false], [false]]]);
  });

  test('beyond the limit, tracks that cannot be decoded and programmes that failed are named as not examined', () => {
    const tracks: Streams = Array.from({ length: mediaBounds.audioProgrammes.max + 2 }, () => 'audio');
    const probe = probeOf(...tracks, ['audio', { sampleRate: null }]);
    expect(audioNotExamined(probe, mediaBounds.audioProgrammes.max - 1)).toEqual([
      { kind: 'audio_stream', label: 'audio track 16', reason: 'unsupported', share: null },
      { kind: 'audio_stream', label: 'audio track 17', reason: 'limit_reached', share: null },
      { kind: 'audio_stream', label: 'audio track 18', reason: 'limit_reached', share: null },
      { kind: 'audio_stream', label: 'audio track 19', reason: 'unsupported', share: null },
    ]);
  });

  test('leave nothing out of an ordinary file', () => {
    const probe = probeOf('video', coverArt, 'audio', 'subtitle');
    expect([videoNotExamined(probe), audioNotExamined(probe, 1), channelsNotMeasured(probe, 1)]).toEqual([[], [], []]);
  });

  test('with more than eight channels are measured on the first two, and the others are named', () => {
    expect(channelsNotMeasured(probeOf(['audio', { channels: 16, channelLayout: null }]), 1)).toMatchObject([
      { label: 'channels 3 to 16 of audio track 1', reason: 'unsupported' },
    ]);
  });
});
