import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { describe, expect, test } from 'vitest';
import { captionVideos } from '#checks/captions/samples/caption-videos.ts';
import { runSidekicks } from '#run/run.ts';
import { sidekicks } from '#sidekick/catalogue.ts';
import { mediaBounds } from './bounds.ts';

type BoundName = keyof typeof mediaBounds;

const names = Object.keys(mediaBounds) as BoundName[];
const files = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('samples/'))
  .map((path) => readFileSync(join(import.meta.dirname, path), 'utf8'));

/** A subtitle file with this many captions. */
const srtOf = (count: number, text = 'a') =>
  Array.from({ length: count }, (_, i) => {
    const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19);
    return `${i + 1}\n${clock(2 * i)},000 --> ${clock(2 * i + 1)},500\n${text}\n`;
  }).join('\n');

/** A file just within each bound or just beyond it, and the check that examines it. */
const samples: Record<BoundName, { filename: string; check: string; make(count: number): Promise<Uint8Array> }> = {
  audioProgrammes: {
    filename: 'programmes.mkv',
    check: 'Loudness',
    make: async (count) => {
      const maps = Array.from({ length: count }, () => ['-map', '0']).flat();
      return readFile(
        await makeWithFfmpeg('.mkv', [
          ...['-f', 'lavfi', '-i', 'sine=r=8000:d=1,aformat=channel_layouts=stereo', ...maps, '-c:a', 'pcm_s16le'],
        ]),
      );
    },
  },
  framesOfSecond: {
    filename: 'fast.mp4',
    check: 'Photosensitivity',
    make: async (count) =>
      readFile(
        await makeWithFfmpeg('.mp4', [
          ...['-f', 'lavfi', '-i', `color=gray:s=64x48:r=${count}:d=2`, '-c:v', 'libx264', '-preset', 'ultrafast'],
        ]),
      ),
  },
  captionTracks: {
    filename: 'tracks.mkv',
    check: 'Captions',
    make: (count) =>
      captionVideos.withText(
        'tracks.mkv',
        'srt',
        Array.from({ length: count }, () => [[0.5, 2, 'a']]),
      ),
  },
  captions: { filename: 'many.srt', check: 'Captions', make: async (count) => Buffer.from(srtOf(count)) },
  captionCharacters: {
    filename: 'long.srt',
    check: 'Captions',
    make: async (count) => Buffer.from(srtOf(1, 'a'.repeat(count))),
  },
  captionFileBytes: {
    filename: 'large.vtt',
    check: 'Captions',
    make: async (count) => Buffer.from('WEBVTT\n\nNOTE '.padEnd(count, 'x')),
  },
};

/** What is left out of a file with this many of what the bound counts. */
async function leftOut(name: BoundName, count: number) {
  const { filename, check, make } = samples[name];
  const chosen = sidekicks.filter((sidekick) => sidekick.name === check);
  const { checks } = await withBytes(await make(count), (source) =>
    runSidekicks(chosen, source, declarationFor(filename)),
  );
  return checks[0]?.coverage.notExamined.filter(({ reason }) => reason === 'limit_reached') ?? null;
}

describe('a file beyond a bound of media makes the check incomplete that reads it, and one within it does not:', () => {
  test.each(names)('%s', async (name) => {
    const { max, kind } = mediaBounds[name];
    expect(await leftOut(name, max)).toEqual([]);
    expect(await leftOut(name, max + 1)).toMatchObject([{ kind }]);
  });
});

describe('the table of bounds of media', () => {
  // These leave nothing unexamined without a word. Tools that exceed their limits fail the asset, or the evidence says
  // that it was not measured.
  const others = [
    // thresholds of what is reported
    ...['areaShareMax', 'blackLumaMax', 'blackMax', 'darkMax', 'differenceMax', 'invertedCorrelationMax'],
    ...['lateSecondsMax', 'levelChangeMax', 'levelMax', 'levelShareMax', 'pairsMax'],
    // thresholds of what is plausible
    ...['exactSecondsMax', 'frameSecondsMax', 'layoutChannelsMax', 'linesBeforeTimeMax', 'loopFramesPerSecondMax'],
    ...[
      'missingSecondsMax',
      'missingShareMax',
      'nearMax',
      'partsMax',
      'pixelAspectMax',
      'smallSideMax',
      'strayShareMax',
    ],
    // limits that fail the asset
    ...['baseSecondsMax', 'declaredMax', 'decoderRunsMax', 'memoryBytesMax', 'pixelsMax', 'plausibleMax'],
    ...['probeBytesMax', 'secondsPerSecondMax', 'streamsMax', 'wallSecondsPerSecondMax'],
    // beyond it, nothing of an animation is measured, and the check says so
    'apngBytesMax',
    // what is kept of findings, names and messages
    ...['chaptersMax', 'charactersMax', 'flawsOfKindMax', 'languageCharactersMax', 'lineCharactersMax'],
    ...['messageCharactersMax', 'messagesMax', 'nameCharactersMax', 'rangesMax', 'runsMax', 'tagsMax'],
    ...['timingCharactersMax', 'tracksMax', 'valueCharactersMax'],
    // stills, which only illustrate a finding
    ...['boxesMax', 'bytesMax', 'cellsMax', 'cpuSecondsMax', 'framesMax', 'imagePixelsMax', 'posterSecondsMax'],
    'samplesMax',
    // sizes in memory
    ...['binsMax', 'chunksMax', 'framesKeptMax', 'lookBackMax', 'readBytesMax', 'rhythmsMax', 'sumMax'],
    ...['waitingBytesMax', 'waitingMax'],
  ];

  test('has every bound that can leave a part out: no file declares another', () => {
    const declared = files.flatMap((source) => [...source.matchAll(/\bconst (\w+Max)\b/g)].map(([, name]) => name));
    expect([...new Set(declared)].toSorted()).toEqual(others.toSorted());
  });

  test.each(names)('has %s, which a reader applies', (name) => {
    expect(files.filter((source) => source.includes(`mediaBounds.${name}.max`))).not.toEqual([]);
  });
});
