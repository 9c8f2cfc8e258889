import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { ordinaryFiles, recipeNames, shortList } from '#bench/ordinary/files.ts';
import { isGood, judgeFile, type ReportedIssue, scoreFiles } from '#bench/ordinary/judge.ts';
import { runOrdinary } from '#bench/ordinary/run.ts';
import { cleanVerdict, faultyVerdict } from '#bench/ordinary/verdict.ts';

const verdicts = ordinaryFiles.map(({ verdict }) => verdict);

/** Takes half a minute on an idle machine. */
const timeoutMs = 400_000;

// `pnpm bench ordinary` covers all files.
test(
  'the checks miss no fault in small ordinary files and report no false issue of severity MAJOR or higher',
  async () => {
    const files = ordinaryFiles.filter(({ verdict }) => shortList.includes(verdict.file));
    expect(files).toHaveLength(shortList.length);
    const { judged, skipped, failed } = await runOrdinary(files, AbortSignal.timeout(timeoutMs - 10_000));
    expect({ skipped: [...skipped], failed: [...failed] }).toEqual({ skipped: [], failed: [] });
    const mistakes = judged
      .filter(({ noise, missed }) => noise.length + missed.length > 0)
      .map(({ verdict, noise, missed }) => ({ file: verdict.file, noise, missed }));
    expect(mistakes).toEqual([]);
    expect(isGood(scoreFiles(judged))).toBe(true);
  },
  timeoutMs,
);

describe('reviewer verdicts on ordinary files', () => {
  test('are unique per file and cover every file recipe', () => {
    const files = verdicts.map(({ file }) => file);
    expect(files).toHaveLength(new Set(files).size);
    expect(recipeNames.filter((name) => !files.includes(name))).toEqual([]);
    expect(ordinaryFiles.filter(({ origin }) => origin !== 'recorded').length).toBeGreaterThanOrEqual(60);
    expect(verdicts.filter(({ faults }) => faults.length > 0).length).toBeGreaterThanOrEqual(20);
  });

  test('refer only to existing rules', () => {
    const known = new Set(sidekicks.flatMap(({ rules }) => Object.keys(rules)));
    const named = verdicts.flatMap(({ faults, mayAlsoSay }) => [
      ...mayAlsoSay,
      ...faults.flatMap(({ rules }) => rules),
    ]);
    expect(named.filter((rule) => !known.has(rule))).toEqual([]);
  });
});

describe('the comparison of issues with a reviewer verdict', () => {
  const say = (ruleCode: string, severity: ReportedIssue['severity']): ReportedIssue => ({
    ruleCode,
    severity,
    summary: '',
  });
  const interview = cleanVerdict('a.mp4', 'interview', 'a voice', ['QC-FREEZE']);
  const black = faultyVerdict(
    ['b.mp4', 'interview', 'a voice', ['QC-FREEZE']],
    'MAJOR',
    ['QC-BLACK'],
    'black in the middle',
  );

  test('counts a MAJOR issue of a clean file as noise, even if the verdict names its rule', () => {
    const judged = judgeFile(interview, [say('QC-FREEZE', 'MAJOR'), say('QC-VFR', 'INFO')]);
    expect(judged.noise.map(({ ruleCode }) => ruleCode)).toEqual(['QC-FREEZE']);
    expect(scoreFiles([judged])).toMatchObject({ clean: 1, alarmed: 1, share: 1 });
  });

  test('counts a MINOR issue as unexpected unless the verdict names its rule', () => {
    const { noise, unexpected } = judgeFile(interview, [say('QC-FREEZE', 'MINOR'), say('QC-VFR', 'MINOR')]);
    expect({ noise, unexpected: unexpected.map(({ ruleCode }) => ruleCode) }).toEqual({
      noise: [],
      unexpected: ['QC-VFR'],
    });
  });

  test('counts a fault as missed if it is not reported, or reported with too low a severity', () => {
    expect(judgeFile(black, []).missed).toHaveLength(1);
    expect(judgeFile(black, [say('QC-BLACK', 'MINOR')]).missed).toHaveLength(1);
    expect(judgeFile(black, [say('QC-BLACK', 'CRITICAL')])).toMatchObject({ missed: [], noise: [] });
  });

  test('does not count a consequence of a fault as noise, but does count any other MAJOR issue', () => {
    const { noise } = judgeFile(black, [say('QC-BLACK', 'MAJOR'), say('QC-FREEZE', 'MAJOR'), say('QC-PHASE', 'MAJOR')]);
    expect(noise.map(({ ruleCode }) => ruleCode)).toEqual(['QC-PHASE']);
  });

  test('passes with a false alarm in 1 of 50 clean files, but fails with 1 of 49, with 1 of 33 not examined as a whole, or with a missed fault', () => {
    const quiet = judgeFile(interview, []);
    const alarmed = judgeFile(interview, [say('QC-BLACK', 'MAJOR')]);
    const found = judgeFile(black, [say('QC-BLACK', 'MAJOR')]);
    expect(isGood(scoreFiles([...Array(49).fill(quiet), alarmed, found]))).toBe(true);
    expect(isGood(scoreFiles([...Array(48).fill(quiet), alarmed, found]))).toBe(false);
    expect(isGood(scoreFiles([...Array(20).fill(quiet), found, judgeFile(black, [])]))).toBe(false);
    const partly = judgeFile(interview, [say('CAPT-UNREADABLE', 'MAJOR')]);
    expect(partly.noise).toEqual([]);
    expect(isGood(scoreFiles([...Array(33).fill(quiet), partly, found]))).toBe(true);
    expect(isGood(scoreFiles([...Array(32).fill(quiet), partly, found]))).toBe(false);
    expect(isGood(scoreFiles([quiet]))).toBe(false); // without a faulty file there was nothing to miss
  });
});
