import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import { corpusFolder, describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { runSidekicks } from '#run/run.ts';
import { sidekick } from './sidekick.ts';

const mediaFolder = openMediaFolder('programmes');

async function examine(path: string, profile: BuiltInProfile = 'ebu-r128') {
  const declared = declarationFor(basename(path), profile);
  const { checks, findings } = await withSource(path, (source) => runSidekicks([sidekick], source, declared));
  return { check: checks[0], findings };
}

/** A 1 kHz tone with this peak level. In stereo, its loudness is the same in LUFS; in mono it is 3 LU lower. */
const tone = (levelDb: number, channels: 1 | 2 = 1, seconds = 4) => {
  const wave = `${(10 ** (levelDb / 20)).toFixed(6)}*sin(1000*2*PI*t)`;
  return [
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='${Array.from({ length: channels }, () => wave).join('|')}':s=48000:d=${seconds}`,
  ];
};
const mapAll = (count: number) => Array.from({ length: count }, (_, i) => ['-map', `${i}`]).flat();

describe('the loudness of a file with several audio tracks', () => {
  test('is that of 5.1 if it has six mono tracks', async () => {
    // EBU Tech 3341, case 6: five channels that read −23 LUFS together. The fourth track is the LFE, which does not count.
    const tracks = [-28, -28, -24, -10, -30, -30].flatMap((level) => tone(level));
    const path = await mediaFolder.make('six.mov', ...tracks, ...mapAll(6), '-c:a', 'pcm_s24le');
    const { check, findings } = await examine(path);
    expect(findings.map(({ ruleCode }) => ruleCode)).toEqual([]);
    expect(check?.coverage.examined).toMatchObject([{ label: 'audio tracks 1 to 6', unit: 's' }]);
  });

  test('is judged for each language, and an issue names the track that it is about', async () => {
    const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'];
    const path = await mediaFolder.make(
      'languages.mkv',
      ...[...tone(-23, 2), ...tone(-6, 2), ...mapAll(2), '-c:a', 'flac', ...languages],
    );
    const { check, findings } = await examine(path);
    expect(check?.outcome).toBe('ran');
    expect(findings.map(({ subject }) => subject)).toContain('too loud: audio track 2');
    for (const { summary } of findings) expect(summary).toContain(' of audio track 2 (fra) ');
  });

  test('is not judged as stereo if two mono tracks are in different languages', async () => {
    const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'];
    const path = await mediaFolder.make(
      'mono-languages.mkv',
      ...[...tone(-20), ...tone(-20), ...mapAll(2), '-c:a', 'flac', ...languages],
    );
    expect((await examine(path)).findings).toEqual([]);
  });

  test('is incomplete beyond sixteen programmes, and names the tracks that were not measured', async () => {
    const maps = Array.from({ length: 18 }, () => ['-map', '0']).flat();
    const path = await mediaFolder.make('eighteen.mkv', ...tone(-23, 2, 1), ...maps, '-c:a', 'flac');
    const { check, findings } = await examine(path);
    expect([check?.outcome, check?.coverage.examined.length]).toEqual(['incomplete', 16]);
    expect(check?.coverage.notExamined).toMatchObject([
      { label: 'audio track 17, audio track 18', reason: 'limit_reached' },
    ]);
    expect(findings).toMatchObject([{ ruleCode: 'LOUD-NOT-MEASURED', severity: 'MAJOR' }]);
  });
});

const hasCorpus = existsSync(corpusFolder('unseen'));
describe.skipIf(!hasCorpus)(hasCorpus ? 'files whose loudness was overlooked' : describeMissingCorpus('unseen'), () => {
  const examineUnseen = (name: string) => examine(join(corpusFolder('unseen'), name));

  test('six mono tracks are measured as 5.1', async () => {
    const { findings } = await examineUnseen('six-mono.mov');
    expect(findings[0]).toMatchObject({ ruleCode: 'LOUD-INTEGRATED-HIGH', measured: expect.closeTo(-17.1, 1) });
  });

  test('two languages as one mono track each are within the limits', async () => {
    const { check, findings } = await examineUnseen('two-languages.mov');
    expect(check?.coverage.examined).toHaveLength(2);
    expect(findings.filter(({ severity }) => severity === 'MAJOR')).toEqual([]);
  });

  test('a second track at −4.1 LUFS is an issue that names it', async () => {
    const { findings } = await examineUnseen('lang2.mp4');
    const second = findings.find(({ subject }) => subject === 'too loud: audio track 2');
    expect(second).toMatchObject({ severity: 'MAJOR', measured: expect.closeTo(-4.1, 1) });
    expect(second?.summary).toContain('of audio track 2 is');
  });

  test('a loud part before the video changes its size is measured', async () => {
    const { findings } = await examineUnseen('change.ts');
    expect(findings[0]).toMatchObject({ ruleCode: 'LOUD-INTEGRATED-HIGH', measured: expect.closeTo(-7, 1) });
  });
});
