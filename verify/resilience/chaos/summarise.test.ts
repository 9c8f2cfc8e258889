import { describe, expect, test } from 'vitest';
import { cleanRun } from './check/clean-webhooks.ts';
import type { Setting } from './check/history.ts';
import { formatSummary } from './summarise.ts';
import { judge, type Verdict } from './verdict.ts';

const limits = { perSecond: 1, unsettledMax: 1 };
function verdictOf(number: number, changes: Partial<Setting> = {}): Verdict {
  const setting: Setting = {
    variant: 'full',
    storage: 'azure',
    seed: 78,
    part: { number, count: 2 },
    date: '2026-11-18',
    machine: '2 cores',
    live: limits,
    sandbox: limits,
    strikes: { planned: 20, done: 20 },
    counts: {},
    ...changes,
  };
  const { events } = cleanRun();
  return { ...judge([...events, { atMillis: 300_000, op: 'setting', setting }]), violationCount: 0 };
}

describe('the summary of a chaos run in parts', () => {
  test('reports a full run if all parts have the same seed and all planned strikes', () => {
    const text = formatSummary([verdictOf(1), { ...verdictOf(2), violationCount: 3 }], 2);
    expect(text).toContain('# Chaos: 3 violations\n');
    expect(text).toContain('All 2 parts of the schedule with seed 78: 40 strikes.');
    expect(text).toContain('`pnpm chaos --seed 78 --part 2`');
  });

  test.each([
    ['a part is missing', [verdictOf(1)]],
    ['parts have different seeds', [verdictOf(1), verdictOf(2, { seed: 79 })]],
    ['a part has fewer strikes than planned', [verdictOf(1), verdictOf(2, { strikes: { planned: 20, done: 3 } })]],
  ])('does not report a full run if %s', (_, verdicts) => {
    expect(formatSummary(verdicts, 2)).toContain('violations, not in full\n');
  });
});
