import { describe, expect, test } from 'vitest';
import { type Assumption, examine } from './assumption.ts';
import { captions } from './captions.ts';
import { delivery } from './delivery.ts';
import { documents } from './documents.ts';
import { images } from './images.ts';
import { picture } from './picture.ts';
import { sound } from './sound.ts';

// What a check takes for granted without saying so is a pass that nobody examined. Each row has a file for which one
// such assumption does not hold.

const rows = [...picture, ...sound, ...captions, ...delivery, ...documents, ...images];
/** Making and examining all files takes two minutes of CPU time, so every third is examined unless `FILES=all` is set. */
const chosen = process.env.FILES === 'all' ? rows : rows.filter((_, i) => i % 3 === 0);

describe.each(Object.entries(Object.groupBy(chosen, ({ check }) => check)))('%s', (_, ofCheck = []) => {
  test.each(ofCheck.map((row) => [row.promise, row] as const))('%s', async (_promise, row) => {
    const result = await examine(row);
    expect(result.failure).toBe(row.fails ?? null);
    if (row.fails) return;
    const expected = row.issues ?? {};
    expect([...new Set(result.issues.map(({ ruleCode }) => ruleCode))].toSorted()).toEqual(
      Object.keys(expected).toSorted(),
    );
    expect(result.outcome).toBe(row.outcome ?? 'ran');
    if (row.notExamined) expect(result.notExamined).toMatch(row.notExamined);
    for (const [code, issue] of Object.entries(expected)) expectIssue(result.issues, code, issue);
  });
});

test('covers at least 60 files', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map(({ check, promise }) => `${check} ${promise}`)).size).toBe(rows.length);
});

type Issues = Awaited<ReturnType<typeof examine>>['issues'];

function expectIssue(
  issues: Issues,
  code: string,
  { measured, within, atSeconds, says }: NonNullable<Assumption['issues']>[string],
) {
  const ofRule = issues.filter(({ ruleCode }) => ruleCode === code);
  const distance = (value = Number.NaN, wanted: number) => Math.abs(value - wanted);
  const fits = ofRule.find(
    (issue) =>
      (measured === undefined || distance(issue.measured, measured) <= (within ?? 0.15)) &&
      (atSeconds === undefined || distance(startOf(issue), atSeconds) <= (within ?? 0.15)) &&
      (says === undefined || says.test(issue.summary)),
  );
  const found = ofRule.map((issue) => ({
    measured: issue.measured,
    atSeconds: startOf(issue),
    summary: issue.summary,
  }));
  expect(fits, JSON.stringify(found)).toBeDefined();
}

function startOf({ locations }: Issues[number]): number | undefined {
  const [first] = locations as { startMs?: number; timeMs?: number }[];
  return first?.startMs === undefined ? undefined : first.startMs / 1000;
}
