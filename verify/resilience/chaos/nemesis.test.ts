import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openHistory } from './check/history.ts';
import type { Fault } from './load/schedule.ts';
import { type Nemesis, strikeAll } from './nemesis.ts';

test('strikeAll begins no fault after its time limit and returns how many it has caused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-nemesis-'));
  const history = openHistory(join(folder, 'history.jsonl'));
  onTestFinished(async () => {
    await history.close();
    rmSync(folder, { recursive: true });
  });
  const timeLimit = new AbortController();
  const fault: Fault = { kind: 'deadly file', gapMillis: 1, isPatient: false };
  const strikeCount = await strikeAll([fault, fault, { ...fault, isPatient: true }], {
    world: {} as Nemesis['world'], // not used by this kind of fault
    history,
    submitDeadlyFile: () => {
      if (history.events.length === 1) timeLimit.abort();
    },
    haveSettledSince: () => false,
    patienceMillis: 60_000,
    end: timeLimit.signal,
    onStrike: () => {},
  });
  expect(strikeCount).toBe(2);
  expect(history.events).toHaveLength(2);
});
