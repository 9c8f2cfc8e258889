import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { corpusFolder, describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { sidekick as photosensitivity } from '#checks/photosensitivity/sidekick.ts';
import { sidekick as quality } from '#checks/qc-picture-sound/sidekick.ts';
import { runSidekicks } from '#run/run.ts';
import { nameFirstAsChapters } from './samples/name-as-chapters.ts';

const mediaFolder = openMediaFolder('left-out');

async function examine(path: string) {
  const declared = declarationFor(basename(path), 'general');
  return withSource(path, (source) => runSidekicks([photosensitivity, quality], source, declared));
}

const grey = ['-f', 'lavfi', '-i', 'color=gray:s=160x90:r=25:d=2'];
const strobe = ['-f', 'lavfi', '-i', "color=black:s=160x90:r=25:d=2,geq=lum='if(lt(mod(N,4),2),16,235)':cb=128:cr=128"];

describe('a second video track', () => {
  const secondTrack = { kind: 'video_stream', label: 'video track 2', reason: 'limit_reached' };

  test('makes the checks of the video incomplete, and each has an issue that names the track', async () => {
    const maps = ['-map', '0', '-map', '1', '-c:v', 'libx264', '-preset', 'ultrafast'];
    const { checks, findings } = await examine(await mediaFolder.make('two.mp4', ...grey, ...strobe, ...maps));
    expect(checks.map(({ outcome }) => outcome)).toEqual(['incomplete', 'incomplete']);
    for (const { coverage } of checks) expect(coverage.notExamined).toMatchObject([secondTrack]);
    const issues = findings.filter(({ ruleCode }) => ruleCode.endsWith('-NOT-VERIFIED'));
    expect(issues.map(({ ruleCode, severity }) => [ruleCode, severity])).toEqual([
      ['PSE-NOT-VERIFIED', 'MAJOR'],
      ['QC-NOT-VERIFIED', 'MAJOR'],
    ]);
    for (const { summary } of issues) expect(summary).toContain('video track 2');
  });
});

test('a strobe that the audio track names as its chapters is found', async () => {
  const sine = ['-f', 'lavfi', '-i', 'sine=d=2', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
  const path = await mediaFolder.make('strobe.mp4', ...strobe, ...sine);
  writeFileSync(path, nameFirstAsChapters(readFileSync(path)));
  const { checks, findings } = await examine(path);
  expect(checks[0]?.outcome).toBe('ran');
  expect(findings[0]).toMatchObject({ ruleCode: 'PSE-LUMINANCE', severity: 'CRITICAL' });
  expect(findings[0]?.stills.length).toBeGreaterThan(0);
});

const hasCorpus = existsSync(corpusFolder('unseen'));
describe.skipIf(!hasCorpus)(hasCorpus ? 'files whose video was overlooked' : describeMissingCorpus('unseen'), () => {
  test('a strobing second track is named', async () => {
    const { checks } = await examine(join(corpusFolder('unseen'), 'two.mp4'));
    for (const { coverage } of checks) expect(coverage.notExamined).toMatchObject([{ label: 'video track 2' }]);
  });

  test('the only video track is examined, although it is named as chapters', async () => {
    const { findings } = await examine(join(corpusFolder('unseen'), 'chap.mp4'));
    expect(findings.map(({ ruleCode }) => ruleCode)).toContain('PSE-LUMINANCE');
  });

  test('a silent LFE of six channels without a layout is no fault', async () => {
    const { findings } = await examine(join(corpusFolder('unseen'), 'six-undeclared.wav'));
    expect(findings.map(({ ruleCode }) => ruleCode)).not.toContain('QC-SILENT-CHANNEL');
  });
});

test('an audio track of a transport stream that plays only in its middle is named as not examined', async () => {
  const segments: Buffer[] = [];
  for (const [startSeconds, audioPid] of [
    [0, '257'],
    [30, '300'],
    [60, '257'],
  ] as const) {
    const path = await mediaFolder.make(
      `from-${startSeconds}.ts`,
      ...['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=30', '-f', 'lavfi', '-i', 'sine=r=48000:d=30'],
      ...['-c:v', 'mpeg2video', '-r', '25', '-c:a', 'mp2', '-output_ts_offset', `${startSeconds}`],
      ...['-streamid', `1:${audioPid}`],
    );
    segments.push(readFileSync(path));
  }
  const joined = join(mediaFolder.folder, 'joined.ts');
  writeFileSync(joined, Buffer.concat(segments));
  const { checks } = await examine(joined);
  const [, ofQuality] = checks;
  expect(ofQuality?.outcome).toBe('incomplete');
  expect(ofQuality?.coverage.notExamined.map(({ label }) => label)).toContain('audio track 2');
});
