import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { examineFile } from '@assay/testing/media/examine.ts';
import { openMediaFolder } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { sidekick } from './sidekick.ts';

const mediaFolder = openMediaFolder('loudness');

/** A 1 kHz tone in both channels, whose loudness equals its peak level. The second half may have a different level. */
async function examine(filename: string, levelDb: number, laterDb = levelDb, profile: BuiltInProfile = 'ebu-r128') {
  const amplitude = (db: number) => (10 ** (db / 20)).toFixed(6);
  const tone = `if(lt(t,5),${amplitude(levelDb)},${amplitude(laterDb)})*sin(1000*2*PI*t)`;
  const audio = ['-f', 'lavfi', '-i', `aevalsrc='${tone}|${tone}':s=48000:d=10`];
  const video = filename.endsWith('.mp4') ? ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=10'] : [];
  const path = await mediaFolder.make(filename, ...video, ...audio);
  return examineFile(sidekick, path, declarationFor(filename, profile));
}

describe('the loudness check of an encoded file', () => {
  test.each([
    ['a.wav', -23, 'ebu-r128', []],
    ['b.mp4', -23, 'ebu-r128', []],
    ['c.flac', -21.5, 'ebu-r128', ['LOUD-INTEGRATED-HIGH']],
    ['d.mp4', -27, 'ebu-r128', ['LOUD-INTEGRATED-LOW']],
    ['e.mp3', -25.5, 'atsc-a85', []],
    ['f.m4a', -27, 'atsc-a85', ['LOUD-INTEGRATED-LOW']],
    ['g.wav', -120, 'ebu-r128', ['LOUD-NOT-MEASURED']],
    ['h.wav', -0.3, 'ebu-r128', ['LOUD-INTEGRATED-HIGH', 'LOUD-TRUE-PEAK', 'LOUD-SHORT-TERM']],
  ] as const)('has the expected findings for %s at %d dB under %s', async (filename, levelDb, profile, expected) => {
    const found = await examine(filename, levelDb, levelDb, profile);
    expect(found.map(({ ruleCode }) => ruleCode)).toEqual(expected);
  });

  test('locates excessive loudness in the loud half of the file', async () => {
    const [found] = await examine('i.wav', -40, -12);
    expect(found?.ruleCode).toBe('LOUD-INTEGRATED-HIGH');
    expect(found?.locations[0]?.startMs).toBeGreaterThanOrEqual(5000);
    expect(found?.locations[0]?.endMs).toBeLessThanOrEqual(10_000);
  });
});
