import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openFilmMaker } from '../../checks/captions/samples/caption-films.ts';
import type { Line } from '../../checks/captions/samples/make-cues.ts';
import { withNamelessFile } from '../nameless-file.ts';
import { readProbe } from '../probe.ts';
import { readEmbeddedCaptions, tracksReadMax } from './embedded-captions.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-captions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const films = openFilmMaker(folder);

function read(bytes: Buffer) {
  const copy = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
  const signal = new AbortController().signal;
  return withNamelessFile(bytes, async (fd) => {
    const source = { bytes: { sizeBytes: bytes.length, read: copy }, fd, signal, cage: 'bubblewrap' as const };
    return readEmbeddedCaptions(source, await readProbe(source));
  });
}

const near = (ms: number) => expect.closeTo(ms, -2); // within 50 ms: containers begin at the first sample of sound
const two: Line[] = [
  [0.5, 1.5, '<i>Hello</i> there', 'R&D'],
  [2, 3.5, 'Good bye'],
];

describe('tracks of text', () => {
  test.each([
    ['a.mp4', 'mov_text', 'mov_text'],
    ['a.mov', 'mov_text', 'mov_text'],
    ['a.mkv', 'srt', 'subrip'],
    ['b.mkv', 'webvtt', 'webvtt'],
    ['c.mkv', 'ass', 'ass'],
    ['a.webm', 'webvtt', 'webvtt'],
  ])('%s: %s has its cues and its language', async (name, encoder, codec) => {
    expect(await read(films.withText(name, encoder, [two]))).toEqual({
      tracks: [
        {
          streamIndex: 2,
          codec,
          language: 'eng',
          kind: 'text',
          cues: [
            { startMs: near(500), endMs: near(1500), lines: ['Hello there', 'R&D'], line: expect.any(Number) },
            { startMs: near(2000), endMs: near(3500), lines: ['Good bye'], line: expect.any(Number) },
          ],
        },
      ],
    });
  });

  test('cues that overlap or lie beyond the end of the film are kept', async () => {
    const cues: Line[] = [
      [0.5, 2.5, 'a'],
      [1, 2, 'b'],
      [9, 10, 'c'],
    ];
    const found = await read(films.withText('late.mkv', 'srt', [cues]));
    expect(found?.tracks[0]?.cues).toMatchObject([
      { startMs: near(500), endMs: near(2500) },
      { startMs: near(1000), endMs: near(2000) },
      { startMs: near(9000), endMs: near(10_000) },
    ]);
  });

  test('several are told apart, and beyond so many they are only counted', async () => {
    const tracks = Array.from({ length: tracksReadMax + 2 }, (_, i): Line[] => [[0.5, 1.5, `track ${i}`]]);
    const found = await read(films.withText('many.mkv', 'srt', tracks));
    expect(found?.tracks.map(({ cues }) => cues?.[0]?.lines[0] ?? null)).toEqual([
      ...Array.from({ length: tracksReadMax }, (_, i) => `track ${i}`),
      null,
      null,
    ]);
  });

  test('a language that is not set is none', async () => {
    expect((await read(films.withText('und.mp4', 'mov_text', [two], null)))?.tracks[0]?.language).toBeNull();
  });

  test('TTML in MP4 is seen, but not read', async () => {
    expect(await read(films.withText('ttml.mp4', 'ttml', [two]))).toEqual({
      tracks: [{ streamIndex: 2, codec: 'ttml', language: 'eng', kind: 'text', cues: null }],
    });
  });
});

describe('captions that are no text', () => {
  test.each([
    ['pgs.mkv', 'copy', 'hdmv_pgs_subtitle'],
    ['dvd.mkv', 'dvdsub', 'dvd_subtitle'],
    ['dvb.ts', 'dvbsub', 'dvb_subtitle'],
  ])('%s: pictures are seen, but not read', async (name, encoder, codec) => {
    expect(await read(films.withBitmaps(name, encoder))).toMatchObject({
      tracks: [{ streamIndex: 1, codec, kind: 'bitmap', cues: null }],
    });
  });

  test.each([
    ['cc.ts', 'mpeg2video'],
    ['cc.mpg', 'mpeg2video'],
    ['cc.mkv', 'mpeg2video'],
    ['cc.mxf', 'mpeg2video'],
    ['cc.mp4', 'h264'],
    ['cc.mov', 'h264'],
  ] as const)('%s: CEA-608 in the pictures (%s) is seen, but not read', async (name, codec) => {
    expect(await read(films.withClosedCaptions(name, codec, 'HELLO WORLD'))).toEqual({
      tracks: [{ streamIndex: 0, codec: 'eia_608', language: null, kind: '608', cues: null }],
    });
  });

  test('CEA-608 as a track of its own is read', async () => {
    expect(await read(films.withCaptionTrack('608.mov'))).toMatchObject({
      tracks: [{ streamIndex: 1, kind: '608', cues: [{ lines: ['HELLO WORLD'] }] }],
    });
  });
});

describe('nothing of the kind', () => {
  test.each(['none.mp4', 'none.mkv', 'none.webm', 'none.ts', 'none.mpg', 'none.avi'])('%s has none', async (name) => {
    expect(await read(films.withoutCaptions(name))).toBeNull();
  });

  test('what is neither film nor sound costs no tool', async () => {
    const source = { bytes: { sizeBytes: 0, read: async () => 0 }, fd: -1, cage: 'bubblewrap' as const };
    expect(await readEmbeddedCaptions({ ...source, signal: new AbortController().signal }, null)).toBeNull();
  });
});
