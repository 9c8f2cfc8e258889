import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { ordinaryFiles, recipeNames, shortList } from '#bench/ordinary/files.ts';
import { isGood, judge, type Said, score } from '#bench/ordinary/judge.ts';
import { runOrdinary } from '#bench/ordinary/run.ts';
import { clean, faulty } from '#bench/ordinary/verdict.ts';

const verdicts = ordinaryFiles.map(({ verdict }) => verdict);

/** Takes half a minute on an idle machine. */
const timeoutMs = 400_000;

// `pnpm bench ordinary` covers all files.
test(
  'small ordinary files get no issue of MAJOR or more, and no fault is missed',
  async () => {
    const files = ordinaryFiles.filter(({ verdict }) => shortList.includes(verdict.file));
    expect(files).toHaveLength(shortList.length);
    const { judged, skipped, failed } = await runOrdinary(files, AbortSignal.timeout(timeoutMs - 10_000));
    expect({ skipped: [...skipped], failed: [...failed] }).toEqual({ skipped: [], failed: [] });
    const mistakes = judged
      .filter(({ noise, missed }) => noise.length + missed.length > 0)
      .map(({ verdict, noise, missed }) => ({ file: verdict.file, noise, missed }));
    expect(mistakes).toEqual([]);
    expect(isGood(score(judged))).toBe(true);
  },
  timeoutMs,
);

describe('verdicts', () => {
  test('exist once for each file, and each recipe has a file', () => {
    const files = verdicts.map(({ file }) => file);
    expect(files).toHaveLength(new Set(files).size);
    expect(recipeNames.filter((name) => !files.includes(name))).toEqual([]);
    expect(ordinaryFiles.filter(({ origin }) => origin !== 'recorded').length).toBeGreaterThanOrEqual(60);
    expect(verdicts.filter(({ faults }) => faults.length > 0).length).toBeGreaterThanOrEqual(20);
  });

  test('name only rules that exist', () => {
    const known = new Set(sidekicks.flatMap(({ rules }) => Object.keys(rules)));
    const named = verdicts.flatMap(({ faults, mayAlsoSay }) => [
      ...mayAlsoSay,
      ...faults.flatMap(({ rules }) => rules),
    ]);
    expect(named.filter((rule) => !known.has(rule))).toEqual([]);
  });
});

describe('judging', () => {
  const say = (ruleCode: string, severity: Said['severity']): Said => ({ ruleCode, severity, summary: '' });
  const interview = clean('a.mp4', 'interview', 'a voice', ['QC-FREEZE']);
  const black = faulty(['b.mp4', 'interview', 'a voice', ['QC-FREEZE']], 'MAJOR', ['QC-BLACK'], 'black in the middle');

  test('an issue of MAJOR on a clean file is noise, even if the verdict names its rule', () => {
    const judged = judge(interview, [say('QC-FREEZE', 'MAJOR'), say('QC-VFR', 'INFO')]);
    expect(judged.noise.map(({ ruleCode }) => ruleCode)).toEqual(['QC-FREEZE']);
    expect(score([judged])).toMatchObject({ clean: 1, alarmed: 1, share: 1 });
  });

  test('an issue of MINOR is unexpected unless the verdict names its rule', () => {
    const { noise, unexpected } = judge(interview, [say('QC-FREEZE', 'MINOR'), say('QC-VFR', 'MINOR')]);
    expect({ noise, unexpected: unexpected.map(({ ruleCode }) => ruleCode) }).toEqual({
      noise: [],
      unexpected: ['QC-VFR'],
    });
  });

  test('a fault is missed if it is not reported, or reported too mildly', () => {
    expect(judge(black, []).missed).toHaveLength(1);
    expect(judge(black, [say('QC-BLACK', 'MINOR')]).missed).toHaveLength(1);
    expect(judge(black, [say('QC-BLACK', 'CRITICAL')])).toMatchObject({ missed: [], noise: [] });
  });

  test('an issue that follows from a fault is not noise, but any other issue of MAJOR is', () => {
    const { noise } = judge(black, [say('QC-BLACK', 'MAJOR'), say('QC-FREEZE', 'MAJOR'), say('QC-PHASE', 'MAJOR')]);
    expect(noise.map(({ ruleCode }) => ruleCode)).toEqual(['QC-PHASE']);
  });

  test('a score is good with one alarm in twenty clean files, but not with a missed fault', () => {
    const quiet = judge(interview, []);
    const alarmed = judge(interview, [say('QC-BLACK', 'MAJOR')]);
    const found = judge(black, [say('QC-BLACK', 'MAJOR')]);
    expect(isGood(score([...Array(19).fill(quiet), alarmed, found]))).toBe(true);
    expect(isGood(score([...Array(18).fill(quiet), alarmed, found]))).toBe(false);
    expect(isGood(score([...Array(20).fill(quiet), found, judge(black, [])]))).toBe(false);
    expect(isGood(score([quiet]))).toBe(false); // nothing to find proves nothing
  });
});
