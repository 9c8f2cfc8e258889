import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { describe, expect, test } from 'vitest';
import { processesHolding } from '../../../../../test/chaos/process-table.ts';
import { openStudio, withSource } from '../../../../../test/support/film-source.ts';
import type { EvidenceName } from '../evidence.ts';
import { gather } from '../gather.ts';
import { readProbe } from '../probe.ts';
import type { Source } from '../source.ts';
import { tapsOf } from './decode.ts';
import { type Reel, reelOf } from './film.ts';

const studio = openStudio('decode');
const noise = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
const film = await studio.make('film.mp4', ...noise, '-t', '4', '-c:v', 'libx264', '-c:a', 'aac');

const probe = await withSource(film, readProbe);
if (!probe) throw new Error('it is a film');
const reel = reelOf(probe);

const gatherFrom = (path: string, names: EvidenceName[], more: Partial<Source> = {}) =>
  withSource(path, (source) => gather(new Set(names), source), more);

describe('only what is asked for', () => {
  const silent: Reel = { ...reel, film: { ...reel.film, sound: null } };
  test.each<[Parameters<typeof tapsOf>[0], Reel, string[]]>([
    [['loudness'], reel, ['loudness']],
    [['sound'], reel, ['samples']],
    [['fields'], reel, ['fields']],
    [['picture'], reel, ['clock', 'picture', 'levels']],
    [['picture', 'loudness', 'sound'], reel, ['clock', 'picture', 'levels', 'loudness', 'samples']],
    [['loudness', 'sound'], silent, []],
  ])('%j opens just its taps', (names, of, taps) => {
    expect(tapsOf(names, of)).toEqual(taps);
  });

  test('what nobody asked for is not in the evidence', async () => {
    const { evidence, failures } = await gatherFrom(film, ['loudness']);
    expect([Object.keys(evidence), failures]).toEqual([['loudness'], []]);
    expect(evidence.loudness?.integratedLufs).toBeLessThan(0);
  });
});

describe('one decoding', () => {
  test('its progress comes from the film’s clock and never falls', async () => {
    const shares: number[] = [];
    await gatherFrom(film, ['picture', 'loudness'], { report: (share) => shares.push(share) });
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBeGreaterThan(0.85);
  });

  test('each picture has its own time, also where the rate varies', async () => {
    const path = await studio.make(
      'uneven.mkv',
      ...['-f', 'lavfi', '-i', "testsrc2=s=160x90:r=25,select='not(eq(mod(n,5),3))'", '-t', '2'],
      ...['-fps_mode', 'vfr', '-c:v', 'libx264'],
    );
    const { evidence } = await gatherFrom(path, ['picture']);
    expect(evidence.picture?.timing).toMatchObject({ firstSeconds: 0, shortestSeconds: expect.closeTo(0.04, 2) });
    expect(evidence.picture?.timing.longestSeconds).toBeCloseTo(0.08, 2);
  });

  test('a film that changes its size goes on, each picture at its time', async () => {
    const parts = ['s=160x90', 's=320x180', 's=64x36'].map((size, i) => `testsrc2=${size}:r=25:d=1,setpts=PTS+${i}/TB`);
    const files: string[] = [];
    for (const [i, part] of parts.entries()) {
      files.push(await studio.make(`part${i}.ts`, '-f', 'lavfi', '-i', part, '-c:v', 'mpeg2video', '-copyts'));
    }
    const path = await studio.make('sizes.ts', '-i', `concat:${files.join('|')}`, '-c', 'copy', '-copyts');
    const { evidence, failures } = await gatherFrom(path, ['picture', 'decoding']);
    expect(failures).toEqual([]);
    expect(evidence.picture?.timing.count).toBeGreaterThanOrEqual(70);
    expect(evidence.picture?.timing.endSeconds).toBeCloseTo(3, 0);
  });

  test('a film of one picture is a film', async () => {
    const path = await studio.make('one.mp4', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=0.04', '-c:v', 'libx264');
    const { evidence, failures } = await gatherFrom(path, ['picture', 'decoding']);
    expect([failures, evidence.picture?.timing.count]).toEqual([[], 1]);
  });

  test('a picture that loops is seen beyond its end, and no longer', async () => {
    const path = await studio.make('loop.gif', '-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=10:d=0.5', '-loop', '0');
    const { evidence } = await gatherFrom(path, ['picture']);
    expect(evidence.picture?.timing.endSeconds).toBeCloseTo(2.5, 0);
  });

  test('a text or a still picture has nothing to decode', async () => {
    const path = await studio.make('still.png', '-f', 'lavfi', '-i', 'testsrc2=s=64x36:d=0.04', '-frames:v', '1');
    expect(await gatherFrom(path, ['picture', 'sound', 'flashes'])).toMatchObject({
      evidence: { picture: null, sound: null, flashes: null },
      failures: [],
    });
  });
});

test('sound of more channels than have a layout is measured by its first two', async () => {
  const path = await studio.make(
    'sixteen.wav',
    ...[
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='0.1*sin(440*2*PI*t)|0.1*sin(440*2*PI*t)|0|0|0|0|0|0|0|0|0|0|0|0|0|0:c=16c:d=4'",
    ],
  );
  const { evidence, failures } = await gatherFrom(path, ['loudness', 'sound']);
  expect(failures).toEqual([]);
  expect(evidence.sound?.channels).toHaveLength(16);
  expect(evidence.loudness?.integratedLufs).toBeGreaterThan(-22);
});

describe('what cannot be decoded', () => {
  const failureOf = async (path: string) => {
    const { failures } = await gatherFrom(path, ['picture', 'sound', 'loudness', 'decoding']);
    expect(failures).toHaveLength(1); // once, however many wanted it
    expect(failures[0]).toBeInstanceOf(AssetFailure);
    return (failures[0] as AssetFailure).errorType;
  };

  test('larger pictures than 4K: resource_limit_exceeded, before they are made', async () => {
    const path = await studio.make(
      'huge.mp4',
      ...['-f', 'lavfi', '-i', 'color=s=7680x4320:r=25:d=0.2', '-c:v', 'libx264', '-preset', 'ultrafast'],
    );
    expect(await failureOf(path)).toBe('resource_limit_exceeded');
  });

  test('a head without a body: corrupt_media', async () => {
    const path = join(studio.folder, 'head.mp4');
    await copyFile(film, path);
    truncateSync(path, 2000);
    expect(await failureOf(path)).toBe('corrupt_media');
  });

  test('sound that changes its format midway: unsupported_codec, as a part of it would not be measured', async () => {
    const sounds = [
      ['-f', 'lavfi', '-i', 'sine=sample_rate=44100:d=2', '-ac', '1'],
      ['-f', 'lavfi', '-i', 'sine=sample_rate=48000:d=2', '-ac', '2', '-output_ts_offset', '2'],
    ];
    const parts: Buffer[] = [];
    for (const [i, args] of sounds.entries()) {
      parts.push(readFileSync(await studio.make(`sound${i}.ts`, ...args, '-c:a', 'mp2')));
    }
    const path = join(studio.folder, 'changes.ts');
    writeFileSync(path, Buffer.concat(parts));
    expect(await failureOf(path)).toBe('unsupported_codec');
  });

  test('a film that plays far longer than it claims, or for ever: stopped for good', async () => {
    const path = await studio.make('sparse.mkv', '-f', 'lavfi', '-i', 'sine=sample_rate=8000:d=2', '-c:a', 'pcm_s16le');
    const bytes = readFileSync(path);
    const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])); // Duration, a double of milliseconds
    bytes.writeDoubleBE(1, at + 3);
    const liar = join(studio.folder, 'liar.mkv');
    writeFileSync(liar, bytes);
    expect((await gatherFrom(liar, ['sound'])).failures).toEqual([]); // two seconds more may be a rounding

    const years = await studio.make(
      'years.mkv',
      ...['-f', 'lavfi', '-i', 'sine=sample_rate=8000:d=1', '-c:a', 'pcm_s16le'],
      ...['-af', "asetpts='if(gt(N,3),PTS+90000/TB,PTS)'", '-live', '1'],
    );
    const { failures } = await gatherFrom(years, ['sound']);
    expect(failures).toEqual([expect.objectContaining({ errorType: 'resource_limit_exceeded' })]);
  });

  test('damage in the middle is no failure: it is counted, and the rest is seen', async () => {
    const path = await studio.make('damaged.mkv', ...noise, '-t', '4', '-c:v', 'libx264', '-c:a', 'aac');
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4000, 0x55), 0, 4000, Math.floor(size / 2));
    await file.close();
    const { evidence, failures } = await gatherFrom(path, ['picture', 'decoding']);
    expect(failures).toEqual([]);
    expect(evidence.decoding?.errorCount).toBeGreaterThan(0);
    expect(evidence.decoding?.messages.join()).not.toMatch(/@ 0x/);
  });
});

describe('a decoder that dies', () => {
  const long = studio.make('long.mp4', ...noise, '-t', '120', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac');

  test('twice: the file is at fault and is not tried a third time', async () => {
    const path = await long;
    const killed = new Set<number>();
    const done = new AbortController();
    const killer = (async () => {
      while (!done.signal.aborted) {
        for (const { pid, name } of processesHolding(studio.folder)) {
          if (name !== 'ffmpeg' || killed.has(pid)) continue; // before it, the cage is only being built
          killed.add(pid);
          process.kill(pid, 'SIGSEGV');
        }
        await sleep(20);
      }
    })();
    const { failures } = await gatherFrom(path, ['picture']);
    done.abort();
    await killer;
    expect(killed.size).toBe(2);
    expect(failures).toEqual([expect.objectContaining({ errorType: 'corrupt_media' })]);
  });

  test('because it is told to: at once, and nothing of it is left', async () => {
    const path = await long;
    const controller = new AbortController();
    const reason = new Error('enough');
    const began = Date.now();
    const gathering = gatherFrom(path, ['picture', 'sound'], {
      signal: controller.signal,
      report: () => controller.abort(reason),
    });
    expect((await gathering).failures).toEqual([reason]);
    expect(Date.now() - began).toBeLessThan(60_000);
    expect(processesHolding(studio.folder).filter(({ name }) => name === 'ffmpeg')).toEqual([]);
  });
});
