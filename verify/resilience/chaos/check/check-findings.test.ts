import { describe, expect, test } from 'vitest';
import { checkDeadlyFiles, checkFindings } from './check-findings.ts';
import { digestIssues } from './digest-issues.ts';
import type { Event, FinalState, Issues } from './history.ts';
import { lastFaultOf, readRun } from './run-record.ts';

const runOf = (events: Event[]) =>
  readRun([...events, { atMillis: 9000, op: 'end', state: { submissions: [] as object[] } as FinalState }]);
const requestFields = (client: number, status = 200) => ({ atMillis: 1000, millis: 3, client, status });

describe('checkFindings', () => {
  const issue = { id: 'one', ruleCode: 'LOUD-INTEGRATED', measured: -9.5, createdAt: 'then', evidence: [] };
  const reading = (client: number, issues: object[], filename = 'tone.wav'): Issues => ({
    ...requestFields(client),
    op: 'issues',
    place: 0,
    filename,
    ...digestIssues({ issues } as Parameters<typeof digestIssues>[0]),
  });
  const violationsOf = (...events: Event[]) => checkFindings(runOf(events)).violations;

  test('accepts ids and times that differ between assets, and issues that differ between files', () => {
    const later = { ...issue, id: 'two', createdAt: 'later' };
    expect(violationsOf(reading(1, [issue]), reading(2, [later]), reading(3, [], 'note.txt'))).toEqual([]);
  });

  test('detects measured values that differ for the same file', () => {
    const [violation] = violationsOf(reading(1, [issue]), reading(2, [{ ...issue, measured: -9.4 }]));
    expect(violation).toMatch(/^tone\.wav has LOUD-INTEGRATED .* and LOUD-INTEGRATED /);
  });

  test('detects a missing issue and changed issues of an asset', () => {
    expect(violationsOf(reading(1, [issue]), reading(2, []))).toHaveLength(1);
    expect(violationsOf(reading(1, [issue]), reading(1, [{ ...issue, id: 'two' }]))).toEqual([
      'the issues of asset 1/0 changed',
    ]);
  });
});

describe('checkDeadlyFiles', () => {
  const deadly = (outcome: string): Event[] => [
    { ...requestFields(1, 201), op: 'create', mode: 'live', isDeadly: true, submissionId: 's', assetIds: ['a'] },
    {
      ...requestFields(1),
      op: 'read',
      seen: {
        status: 'failed',
        progressPercent: 0,
        assets: [{ place: 0, status: 'failed', attempt: 1, progressPercent: 0, outcome }],
      },
    },
  ];
  const death = (atMillis: number): Event => ({
    atMillis,
    op: 'ended by itself',
    target: 'worker-1',
    how: 'code null, signal SIGKILL',
  });
  const expected = 'failed, resource_limit_exceeded';

  test('accepts a file that failed after it killed three workers, each of which counts as a fault', () => {
    const run = runOf([...deadly(expected), death(100), death(200), death(300)]);
    expect(checkDeadlyFiles(run)).toEqual({ checked: 1, violations: [] });
    expect(run.lastFaultMillis).toBe(300);
  });

  test('detects a deadly file that completes, and a fourth killed worker', () => {
    expect(checkDeadlyFiles(runOf(deadly('complete, 0 issues'))).violations).toHaveLength(1);
    const four = [1, 2, 3, 4].map(death);
    expect(checkDeadlyFiles(runOf([...deadly(expected), ...four])).violations).toEqual([
      '4 workers were killed by files; at most 3 allowed',
    ]);
  });
});

test('lastFaultOf returns the end of a fault, not its start', () => {
  expect(lastFaultOf([{ atMillis: 100, op: 'fault', kind: 'full disk', millis: 5000 }])).toBe(5100);
});
