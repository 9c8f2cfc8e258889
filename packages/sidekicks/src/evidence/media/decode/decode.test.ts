import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { processesWithOpenFileIn } from '@assay/testing/faults/process-table.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import type { EvidenceName } from '../../evidence.ts';
import { gather } from '../../gather.ts';
import { readProbe } from '../probe/probe.ts';
import { nameFirstAsChapters } from '../probe/samples/name-as-chapters.ts';
import { tapsOf } from './decode.ts';
import { type SelectedStreams, selectStreams } from './select-streams.ts';

const studio = openMediaFolder('decode');
const noise = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
const video = await studio.make('video.mp4', ...noise, '-t', '4', '-c:v', 'libx264', '-c:a', 'aac');

const probe = await withSource(video, readProbe);
if (!probe) throw new Error('the sample has no probe report');
const streams = selectStreams(probe);

const gatherFrom = (path: string, names: EvidenceName[], more: Partial<Source> = {}) =>
  withSource(path, (source) => gather(new Set(names), source), more);

describe('gathering evidence', () => {
  const silent: SelectedStreams = { ...streams, format: { ...streams.format, audio: null } };
  test.each<[string, Parameters<typeof tapsOf>[0], SelectedStreams, string[]]>([
    ['loudness', ['loudness'], streams, ['loudness']],
    ['audio levels', ['audio'], streams, ['samples']],
    ['field orders', ['fields'], streams, ['fields']],
    ['video', ['video'], streams, ['clock', 'smallFrames', 'levels']],
    [
      'video, loudness and audio levels',
      ['video', 'loudness', 'audio'],
      streams,
      ['clock', 'smallFrames', 'levels', 'loudness', 'samples'],
    ],
    ['loudness and audio levels of a file without audio', ['loudness', 'audio'], silent, []],
  ])('opens only the taps needed for %s', (_, names, selected, taps) => {
    expect(tapsOf(names, selected)).toEqual(taps);
  });

  test('leaves out evidence that was not requested', async () => {
    const { evidence, failures } = await gatherFrom(video, ['loudness']);
    expect([Object.keys(evidence), failures]).toEqual([['loudness'], []]);
    expect(evidence.loudness?.integratedLufs).toBeLessThan(0);
  });
});

describe('decoding a file', () => {
  test('reports progress that follows the video’s timestamps and never decreases', async () => {
    const shares: number[] = [];
    await gatherFrom(video, ['video', 'loudness'], { report: (share) => shares.push(share) });
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(0.85);
  });

  test('gives each frame its own timestamp, even with a variable frame rate', async () => {
    const path = await studio.make(
      'uneven.mkv',
      ...['-f', 'lavfi', '-i', "testsrc2=s=160x90:r=25,select='not(eq(mod(n,5),3))'", '-t', '2'],
      ...['-fps_mode', 'vfr', '-c:v', 'libx264'],
    );
    const { evidence } = await gatherFrom(path, ['video']);
    expect(evidence.video?.timing).toMatchObject({ firstSeconds: 0, shortestSeconds: expect.closeTo(0.04, 2) });
    expect(evidence.video?.timing.longestSeconds).toBeCloseTo(0.08, 2);
  });

  test('keeps the timestamps continuous when the size of the video changes', async () => {
    const parts = ['s=160x90', 's=320x180', 's=64x36'].map((size, i) => `testsrc2=${size}:r=25:d=1,setpts=PTS+${i}/TB`);
    const files: string[] = [];
    for (const [i, part] of parts.entries()) {
      files.push(await studio.make(`part${i}.ts`, '-f', 'lavfi', '-i', part, '-c:v', 'mpeg2video', '-copyts'));
    }
    const path = await studio.make('sizes.ts', '-i', `concat:${files.join('|')}`, '-c', 'copy', '-copyts');
    const { evidence, failures } = await gatherFrom(path, ['video', 'decoding']);
    expect(failures).toEqual([]);
    expect(evidence.video?.timing.count).toBeGreaterThanOrEqual(70);
    expect(evidence.video?.timing.endSeconds).toBeCloseTo(3, 0);
  });

  test('measures the same audio, whether or not a video that changes its size is decoded beside it', async () => {
    const files: string[] = [];
    for (const [i, [size, gain]] of [
      ['160x90', -5],
      ['320x180', -25],
    ].entries()) {
      const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=4,setpts=PTS+${4 * i}/TB`];
      const tone = ['-f', 'lavfi', '-i', `sine=r=48000:d=4,volume=${gain}dB,asetpts=PTS+${4 * i}/TB`];
      const codecs = ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-copyts'];
      files.push(await studio.make(`sized${i}.ts`, ...picture, ...tone, ...codecs));
    }
    const path = await studio.make('resized.ts', '-i', `concat:${files.join('|')}`, '-c', 'copy', '-copyts');
    const alone = await gatherFrom(path, ['loudness', 'audio']);
    const together = await gatherFrom(path, ['loudness', 'audio', 'video', 'flashes']);
    expect(together.failures).toEqual([]);
    expect(together.evidence.video?.timing.count).toBeGreaterThanOrEqual(190);
    const { loudness, audio } = alone.evidence;
    expect(together.evidence).toMatchObject({ loudness, audio });
    expect(loudness?.durationSeconds).toBeCloseTo(8, 0);
  });

  test('succeeds for a video of one frame', async () => {
    const path = await studio.make('one.mp4', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=0.04', '-c:v', 'libx264');
    const { evidence, failures } = await gatherFrom(path, ['video', 'decoding']);
    expect([failures, evidence.video?.timing.count]).toEqual([[], 1]);
  });

  test('stops shortly after the declared end of an endlessly looping image', async () => {
    const path = await studio.make('loop.gif', '-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=0.5', '-loop', '0');
    const { evidence } = await gatherFrom(path, ['video']);
    expect(evidence.video?.timing.endSeconds).toBeCloseTo(2.5, 0);
  });

  test('is skipped for a still image', async () => {
    const path = await studio.make('still.png', '-f', 'lavfi', '-i', 'testsrc2=s=64x36:d=0.04', '-frames:v', '1');
    expect(await gatherFrom(path, ['video', 'audio', 'flashes'])).toMatchObject({
      evidence: { video: null, audio: null, flashes: null },
      failures: [],
    });
  });
});

test('the loudness of audio with more channels than any layout is measured on the first two channels', async () => {
  const path = await studio.make(
    'sixteen.wav',
    ...[
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='0.1*sin(440*2*PI*t)|0.1*sin(440*2*PI*t)|0|0|0|0|0|0|0|0|0|0|0|0|0|0:c=16c:d=4'",
    ],
  );
  const { evidence, failures } = await gatherFrom(path, ['loudness', 'audio']);
  expect(failures).toEqual([]);
  expect(evidence.audio?.channels).toHaveLength(16);
  expect(evidence.loudness?.integratedLufs).toBeGreaterThan(-22);
});

describe('audio programmes', () => {
  const tone = (decibels: number, seconds = 4) => [
    '-f',
    'lavfi',
    '-i',
    `sine=r=48000:d=${seconds},volume=${decibels}dB`,
  ];

  test('are each measured on their own, in the pass that measures the first', async () => {
    const maps = ['-map', '0', '-map', '1', '-map', '2', '-ac', '2', '-c:a', 'flac'];
    const path = await studio.make('programmes.mkv', ...tone(0), ...tone(-12), ...tone(-20), ...maps);
    const { evidence } = await gatherFrom(path, ['loudness', 'audio', 'furtherLoudness', 'furtherAudio']);
    const first = evidence.loudness?.integratedLufs ?? 0;
    expect(evidence.furtherLoudness?.map(({ integratedLufs }) => first - (integratedLufs ?? 0))).toEqual([
      expect.closeTo(12, 1),
      expect.closeTo(20, 1),
    ]);
    const peaks = [evidence.audio, ...(evidence.furtherAudio ?? [])].map((record) => record?.channels[0]?.peakDb ?? 0);
    expect(peaks.map((peak) => (peaks[0] as number) - peak)).toEqual([0, expect.closeTo(12, 1), expect.closeTo(20, 1)]);
  });

  test('of mono tracks are examined to the end of the longest track', async () => {
    const maps = ['-map', '0', '-map', '1', '-c:a', 'pcm_s16le'];
    const path = await studio.make('uneven.mov', ...tone(0, 2), ...tone(0, 4), ...maps);
    const { evidence } = await gatherFrom(path, ['audio', 'loudness']);
    expect(evidence.audio).toMatchObject({ durationSeconds: expect.closeTo(4, 1), channels: [{}, {}] });
    expect(evidence.loudness?.durationSeconds).toBeCloseTo(4, 0);
  });

  test('after the first do not fail the asset if they cannot be decoded', async () => {
    const parts: Buffer[] = [];
    for (const [i, format] of [
      ['-ac:a:1', '1', '-ar:a:1', '44100'],
      ['-ac:a:1', '2', '-ar:a:1', '48000'],
    ].entries()) {
      const offset = ['-output_ts_offset', `${2 * i}`];
      const args = [...tone(0, 2), ...tone(0, 2), '-map', '0', '-map', '1', '-c:a', 'mp2', ...format, ...offset];
      parts.push(readFileSync(await studio.make(`changing${i}.ts`, ...args)));
    }
    const path = join(studio.folder, 'second-changes.ts');
    writeFileSync(path, Buffer.concat(parts));
    const { evidence, failures } = await gatherFrom(path, ['loudness', 'furtherLoudness']);
    expect(failures).toEqual([]);
    expect(evidence.loudness?.durationSeconds).toBeCloseTo(4, 0);
    expect(evidence.furtherLoudness).toEqual([]);
  });
});

test('a video that another track names as its chapters is decoded in full, and each frame once', async () => {
  const bytes = nameFirstAsChapters(readFileSync(video));
  const path = join(studio.folder, 'chapters.mp4');
  writeFileSync(path, bytes);
  const { evidence, failures } = await gatherFrom(path, ['video', 'audio', 'decoding']);
  expect([failures, evidence.video?.timing.count, evidence.decoding?.errorCount]).toEqual([[], 100, 0]);
});

describe('decoding an unusual or damaged file', () => {
  const failureOf = async (path: string) => {
    const { failures } = await gatherFrom(path, ['video', 'audio', 'loudness', 'decoding']);
    expect(failures).toHaveLength(1); // reported once, although four kinds of evidence depend on it
    expect(failures[0]).toBeInstanceOf(AssetFailure);
    return (failures[0] as AssetFailure).errorType;
  };

  test('fails with resource_limit_exceeded if the frames are larger than 4K', async () => {
    const path = await studio.make(
      'huge.mp4',
      ...['-f', 'lavfi', '-i', 'color=s=7680x4320:r=25:d=0.2', '-c:v', 'libx264', '-preset', 'ultrafast'],
    );
    expect(await failureOf(path)).toBe('resource_limit_exceeded');
  });

  test('fails with corrupt_media if the file has a header but no content', async () => {
    const path = join(studio.folder, 'header.mp4');
    await copyFile(video, path);
    truncateSync(path, 2000);
    expect(await failureOf(path)).toBe('corrupt_media');
  });

  test('fails with unsupported_codec if the audio format changes midway, as part would not be measured', async () => {
    const segments = [
      ['-f', 'lavfi', '-i', 'sine=sample_rate=44100:d=2', '-ac', '1'],
      ['-f', 'lavfi', '-i', 'sine=sample_rate=48000:d=2', '-ac', '2', '-output_ts_offset', '2'],
    ];
    const parts: Buffer[] = [];
    for (const [i, args] of segments.entries()) {
      parts.push(readFileSync(await studio.make(`audio${i}.ts`, ...args, '-c:a', 'mp2')));
    }
    const path = join(studio.folder, 'changes.ts');
    writeFileSync(path, Buffer.concat(parts));
    expect(await failureOf(path)).toBe('unsupported_codec');
  });

  test('fails with resource_limit_exceeded if the file plays far longer than it declares', async () => {
    const path = await studio.make('sparse.mkv', '-f', 'lavfi', '-i', 'sine=sample_rate=8000:d=2', '-c:a', 'pcm_s16le');
    const bytes = readFileSync(path);
    const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])); // Duration, in milliseconds as a double
    bytes.writeDoubleBE(1, at + 3);
    const understated = join(studio.folder, 'understated.mkv');
    writeFileSync(understated, bytes);
    expect((await gatherFrom(understated, ['audio'])).failures).toEqual([]); // two seconds are within the tolerance

    const years = await studio.make(
      'years.mkv',
      ...['-f', 'lavfi', '-i', 'sine=sample_rate=8000:d=1', '-c:a', 'pcm_s16le'],
      ...['-af', "asetpts='if(gt(N,3),PTS+90000/TB,PTS)'", '-live', '1'],
    );
    const { failures } = await gatherFrom(years, ['audio']);
    expect(failures).toEqual([expect.objectContaining({ errorType: 'resource_limit_exceeded' })]);
  });

  test('does not fail because of damage in the middle, but counts the decoding errors', async () => {
    const path = await studio.make('damaged.mkv', ...noise, '-t', '4', '-c:v', 'libx264', '-c:a', 'aac');
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4000, 0x55), 0, 4000, Math.floor(size / 2));
    await file.close();
    const { evidence, failures } = await gatherFrom(path, ['video', 'decoding']);
    expect(failures).toEqual([]);
    expect(evidence.decoding?.errorCount).toBeGreaterThan(0);
    expect(evidence.decoding?.messages.join()).not.toMatch(/@ 0x/);
  });
});

describe('decoding that ends early', () => {
  const long = studio.make('long.mp4', ...noise, '-t', '120', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac');

  test('fails with corrupt_media after a second crash of the decoder, which is not started a third time', async () => {
    const path = await long;
    const killed = new Set<number>();
    const done = new AbortController();
    const killer = (async () => {
      while (!done.signal.aborted) {
        for (const { pid, name } of processesWithOpenFileIn(studio.folder)) {
          if (name !== 'ffmpeg' || killed.has(pid)) continue; // the jail is still being set up
          killed.add(pid);
          process.kill(pid, 'SIGSEGV');
        }
        await sleep(20);
      }
    })();
    const { failures } = await gatherFrom(path, ['video']);
    done.abort();
    await killer;
    expect(killed.size).toBe(2);
    expect(failures).toEqual([expect.objectContaining({ errorType: 'corrupt_media' })]);
  });

  test('stops promptly after cancellation and leaves no process running', async () => {
    const path = await long;
    const controller = new AbortController();
    const reason = new Error('enough');
    const startedAt = Date.now();
    const gathering = gatherFrom(path, ['video', 'audio'], {
      signal: controller.signal,
      report: () => controller.abort(reason),
    });
    expect((await gathering).failures).toEqual([reason]);
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(processesWithOpenFileIn(studio.folder).filter(({ name }) => name === 'ffmpeg')).toEqual([]);
  });
});
