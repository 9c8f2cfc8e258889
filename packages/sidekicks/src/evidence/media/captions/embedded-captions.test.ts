import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { describe, expect, test } from 'vitest';
import { captionVideos as videos } from '#checks/captions/samples/caption-videos.ts';
import type { Caption } from '#checks/captions/samples/make-cues.ts';
import { mediaBounds } from '../bounds.ts';
import { readProbe } from '../probe/probe.ts';
import { readEmbeddedCaptions } from './embedded-captions.ts';

async function read(made: Promise<Buffer>) {
  const bytes = await made;
  const copy = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  const signal = new AbortController().signal;
  return withAnonymousFile(bytes, async (fd) => {
    const source = { bytes: { sizeBytes: bytes.length, read: copy }, fd, signal, jail: 'bubblewrap' as const };
    return readEmbeddedCaptions(source, await readProbe(source));
  });
}

const unreadTrack = { language: null, kind: 'text', isForced: false, cues: null };
const near = (ms: number) => expect.closeTo(ms, -2); // within 50 ms, because containers start at the first audio sample
const twoCues: Caption[] = [
  [0.5, 1.5, '<i>Hello</i> there', 'R&D'],
  [2, 3.5, 'Good bye'],
];

describe('readEmbeddedCaptions with text tracks', () => {
  test.each([
    ['a.mp4', 'mov_text', 'mov_text'],
    ['a.mov', 'mov_text', 'mov_text'],
    ['a.mkv', 'srt', 'subrip'],
    ['b.mkv', 'webvtt', 'webvtt'],
    ['c.mkv', 'ass', 'ass'],
    ['a.webm', 'webvtt', 'webvtt'],
  ])('reads the cues and the language from %s, which has a %s track', async (name, encoder, codec) => {
    expect(await read(videos.withText(name, encoder, [twoCues]))).toEqual({
      tracks: [
        {
          streamIndex: 2,
          codec,
          language: 'eng',
          kind: 'text',
          isForced: false,
          unread: [],
          cues: [
            { startMs: near(500), endMs: near(1500), lines: ['Hello there', 'R&D'], line: expect.any(Number) },
            { startMs: near(2000), endMs: near(3500), lines: ['Good bye'], line: expect.any(Number) },
          ],
        },
      ],
      unsearched: null,
    });
  });

  test('keeps cues that overlap or start after the end of the video', async () => {
    const cues: Caption[] = [
      [0.5, 2.5, 'a'],
      [1, 2, 'b'],
      [9, 10, 'c'],
    ];
    const found = await read(videos.withText('late.mkv', 'srt', [cues]));
    expect(found?.tracks[0]?.cues).toMatchObject([
      { startMs: near(500), endMs: near(2500) },
      { startMs: near(1000), endMs: near(2000) },
      { startMs: near(9000), endMs: near(10_000) },
    ]);
  });

  test('reads as many tracks as the limit allows, and lists further tracks without cues', async () => {
    const tracks = Array.from({ length: mediaBounds.captionTracks.max + 2 }, (_, i): Caption[] => [
      [0.5, 1.5, `track ${i}`],
    ]);
    const found = await read(videos.withText('many.mkv', 'srt', tracks));
    expect(found?.tracks.map(({ cues }) => cues?.[0]?.lines[0] ?? null)).toEqual([
      ...Array.from({ length: mediaBounds.captionTracks.max }, (_, i) => `track ${i}`),
      null,
      null,
    ]);
    expect(found?.tracks.map(({ unread }) => unread).slice(-3)).toEqual([[], ['tooManyTracks'], ['tooManyTracks']]);
  });

  test('recognises a track for signs or foreign speech by its flag or its title', async () => {
    const args = [
      [],
      ['-disposition:s:1', 'forced'],
      ['-metadata:s:s:2', 'title=Signs & Songs'],
      ['-metadata:s:s:3', 'title=Foreign parts only'],
      ['-metadata:s:s:4', 'title=Full, designs'],
    ];
    const found = await read(videos.ofOneMinute(args.map((own) => ({ captions: twoCues, args: own }))));
    expect(found?.tracks.map(({ isForced }) => isForced)).toEqual([false, true, true, true, false]);
  });

  test('keeps the whole text of a caption with an empty line or an arrow', async () => {
    const made = videos.withStyledText([
      ['0:00:00.50', '0:00:01.50', String.raw`One\N\Ntwo`],
      ['0:00:02.00', '0:00:03.00', 'left --> right'],
      ['0:00:03.20', '0:00:03.80', 'end'],
    ]);
    const lines = (await read(made))?.tracks[0]?.cues?.map((cue) => cue.lines);
    expect(lines).toEqual([['One', 'two'], ['left → right'], ['end']]);
  });

  test('says that captions were lost if their text is not UTF-8', async () => {
    const cues: Caption[] = [
      [0.5, 1.5, 'Grüße'],
      [2, 3, 'Good bye'],
    ];
    expect((await read(videos.withEncoding(cues, 'latin1')))?.tracks).toMatchObject([
      { cues: [{ lines: ['Good bye'] }], unread: ['damage'] },
    ]);
    expect((await read(videos.withEncoding(cues.slice(0, 1), 'latin1')))?.tracks).toMatchObject([
      { cues: null, unread: ['damage'] },
    ]);
  });

  test.each([
    ['a.mp4', 'mov_text', ['-movflags', '+faststart']],
    ['a.mkv', 'srt', []],
  ])('says that captions can be lost if %s is truncated', async (name, codec, args) => {
    const many = Array.from({ length: 20 }, (_, i): Caption => [i * 0.2, i * 0.2 + 0.15, `line ${i}`]);
    const whole = await videos.withText(name, codec, [many], 'eng', args);
    const found = await read(Promise.resolve(whole.subarray(0, Math.round(whole.length * 0.7))));
    expect(found?.tracks).toMatchObject([{ unread: ['damage'] }]);
    expect(found?.tracks[0]?.cues?.length).toBeGreaterThan(5);
    expect(found?.tracks[0]?.cues?.length).toBeLessThan(20);
  });

  test('says which captions it does not read beyond the limits on their number and length', async () => {
    const many = Array.from(
      { length: mediaBounds.captions.max + 5 },
      (_, i): Caption => [i / 100, (i + 0.5) / 100, 'a'],
    );
    const found = await read(videos.withText('a.mkv', 'srt', [many, [[1, 2, 'x'.repeat(3000)]]]));
    expect(found?.tracks.map(({ unread }) => unread)).toEqual([['tooManyCues'], ['longText']]);
    expect(found?.tracks[0]?.cues).toHaveLength(mediaBounds.captions.max);
  });

  test('returns null as the language of a track that declares none', async () => {
    expect((await read(videos.withText('und.mp4', 'mov_text', [twoCues], null)))?.tracks[0]?.language).toBeNull();
  });

  test('detects TTML in MP4, but does not read it', async () => {
    expect(await read(videos.withText('ttml.mp4', 'ttml', [twoCues]))).toEqual({
      tracks: [{ ...unreadTrack, streamIndex: 2, codec: 'ttml', language: 'eng', unread: ['format'] }],
      unsearched: null,
    });
  });

  test.each([
    ['wvtt', 'format'],
    ['sbtt', 'format'],
    ['enct', 'encryption'],
  ])('detects text in MP4 with the sample entry %s, which ffmpeg does not know', async (entry, cause) => {
    const ttml = await videos.withText('ttml.mp4', 'ttml', [twoCues]);
    const bytes = Buffer.from(ttml.toString('latin1').replaceAll('stpp', entry), 'latin1');
    expect((await read(Promise.resolve(bytes)))?.tracks).toEqual([
      { ...unreadTrack, streamIndex: 2, codec: entry, language: 'eng', unread: [cause] },
    ]);
  });
});

describe('readEmbeddedCaptions with captions other than text tracks', () => {
  test.each([
    ['pgs.mkv', 'copy', 'hdmv_pgs_subtitle'],
    ['dvd.mkv', 'dvdsub', 'dvd_subtitle'],
    ['dvb.ts', 'dvbsub', 'dvb_subtitle'],
  ])('detects the bitmap subtitles in %s, but does not read them', async (name, encoder, codec) => {
    expect(await read(videos.withBitmaps(name, encoder))).toMatchObject({
      tracks: [{ streamIndex: 1, codec, kind: 'bitmap', cues: null, unread: ['images'] }],
    });
  });

  test.each([
    ['cc.ts', 'mpeg2video'],
    ['cc.mpg', 'mpeg2video'],
    ['cc.mkv', 'mpeg2video'],
    ['cc.mxf', 'mpeg2video'],
    ['cc.mp4', 'h264'],
    ['cc.mov', 'h264'],
  ] as const)('detects CEA-608 in %s, in the video stream (%s), but does not read it', async (name, codec) => {
    expect(await read(videos.withClosedCaptions(name, codec, 'HELLO WORLD'))).toEqual({
      tracks: [{ ...unreadTrack, streamIndex: 0, codec: 'eia_608', kind: '608', unread: ['videoFrames'] }],
      unsearched: null,
    });
  });

  test('reads CEA-608 in a separate track', async () => {
    expect(await read(videos.withCaptionTrack('608.mov'))).toMatchObject({
      tracks: [{ streamIndex: 1, kind: '608', cues: [{ lines: ['HELLO WORLD'] }], unread: [] }],
      unsearched: null,
    });
  });
});

describe('readEmbeddedCaptions without captions', () => {
  test.each(['none.mp4', 'none.mkv', 'none.webm', 'none.ts', 'none.mpg', 'none.avi'])(
    'returns null for %s',
    async (name) => {
      expect(await read(videos.withoutCaptions(name))).toBeNull();
    },
  );

  test('returns null, without running a tool, if the file is neither video nor audio', async () => {
    const source = { bytes: { sizeBytes: 0, read: async () => 0 }, fd: -1, jail: 'bubblewrap' as const };
    expect(await readEmbeddedCaptions({ ...source, signal: new AbortController().signal }, null)).toBeNull();
  });
});
