import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Group } from './groups.ts';
import { createOutcome, type Outcome } from './reporter.ts';
import { runCommand, vitest } from './run-command.ts';
import { type GroupResult, runGroup } from './run-group.ts';
import { formatSummary, isGreen } from './summary.ts';

// Inside the repository, so that the samples find vitest.
mkdirSync(join(import.meta.dirname, 'dist'), { recursive: true });
const sampleFolder = mkdtempSync(join(import.meta.dirname, 'dist', 'sample-'));
afterAll(() => rmSync(sampleFolder, { recursive: true }));
const [reporter, measureFile] = ['reporter.ts', 'measure-file.ts'].map((name) => join(import.meta.dirname, name));

const sampleFiles = {
  'passes.ts': `test('passes', () => { const start = process.cpuUsage(); while (process.cpuUsage(start).user < 200_000); });`,
  'fails.ts': `test('breaks', () => { throw new Error('a reason\\nand its place'); });`,
  'skips-a-test.ts': `test.skip('is left out', () => {});`,
  'skips-a-block.ts': `describe.skipIf(true)('no tool:', () => { test('is left out', () => {}); });`,
  'skips-while-it-runs.ts': `test('is left out', ({ skip }) => skip('no tool'));`,
  'is-not-written.ts': `test.todo('is left out');`,
  'misses-a-corpus.ts': `test('clips', ({ skip }) => skip('missing corpus pse: not there'));`,
  'cannot-be-imported.ts': `throw new Error('a reason'); test('passes', () => {});`,
  'has-no-test.ts': '',
  'ends-its-process.ts': `process.kill(process.pid, 'SIGKILL');`,
  'fails-outside.ts': `test('passes outside', () => { Promise.reject(new Error('nobody waits')); });`,
};
for (const [name, content] of Object.entries(sampleFiles))
  writeFileSync(join(sampleFolder, name), `import { describe, test } from 'vitest';\n${content}`);
writeFileSync(
  join(sampleFolder, 'vitest.config.ts'),
  `import { createOutcomeReporter } from ${JSON.stringify(reporter)};
  const reporters = [createOutcomeReporter(process.env.ASSAY_TEST_OUTCOME)];
  export default { test: { include: ['*.ts'], exclude: ['vitest.config.ts'], setupFiles: [${JSON.stringify(measureFile)}],
    reporters, experimental: { viteModuleRunner: false } } };`,
);

test('the outcome reporter records every kind of failed or skipped test file', async () => {
  const { passed, failures, skips, missingCorpora, files } = await runCommand(vitest('--root', sampleFolder));
  expect(passed).toBe(2);
  expect(failures.map(({ text }) => text)).toContain('fails.ts: breaks\n    a reason\n    and its place');
  const outside = failures.filter(({ file }) => file === undefined).map(({ text }) => text);
  expect(outside).toContain('outside of any test\n    nobody waits');
  expect(outside).toHaveLength(2); // the other one is reported for ends-its-process.ts
  expect(failures.flatMap(({ file }) => file ?? []).sort()).toEqual([
    'cannot-be-imported.ts',
    'fails.ts',
    'has-no-test.ts',
  ]);
  expect(skips).toHaveLength(4);
  expect(missingCorpora).toEqual(['misses-a-corpus.ts: clips (missing corpus pse: not there)']);
  const cost = Object.fromEntries(files.map(({ file, cpuSeconds }) => [file, cpuSeconds]));
  expect(cost['passes.ts']).toBeGreaterThan(0.1);
});

const passingOutcome: Outcome = { ...createOutcome(), passed: 1, files: [{ file: 'a.test.ts', cpuSeconds: 1 }] };
const failingOutcome: Outcome = { ...passingOutcome, failures: [{ file: 'a.test.ts', text: 'a.test.ts: breaks' }] };

/** Runs a group whose first and second runs report these outcomes. */
function runSample(cpuSecondsMax: number, ...outcomes: Outcome[]): Promise<GroupResult> {
  return runGroup(sampleOf(cpuSecondsMax, ...outcomes));
}

function sampleOf(cpuSecondsMax: number, ...outcomes: Outcome[]): Group {
  outcomes.forEach((outcome, i) => {
    writeFileSync(join(sampleFolder, `outcome-${i}`), JSON.stringify(outcome));
  });
  const script = `cd ${sampleFolder}; for i in ${outcomes.map((_, i) => i).join(' ')}; do
    [ -e outcome-$i ] && exec mv outcome-$i "$ASSAY_TEST_OUTCOME"; done`;
  return { name: 'sample', commands: { tests: ['sh', '-c', script] }, cpuSecondsMax };
}

const summaryOf = (result: GroupResult, areSkipsAllowed = false) => formatSummary([result], [], areSkipsAllowed);
const lastLineOf = (text: string) => text.split('\n').at(-1);

describe('the gate', () => {
  test('passes if every test passed, and prints the number of tests', async () => {
    const result = await runSample(1e6, passingOutcome);
    expect(isGreen([result], false)).toBe(true);
    expect(lastLineOf(summaryOf(result))).toBe('1 passed, 0 failed');
  });

  test('fails if a test fails in both runs, and names the test', async () => {
    const result = await runSample(1e6, failingOutcome, failingOutcome);
    expect(isGreen([result], false)).toBe(false);
    expect(summaryOf(result)).toContain('== Failed\na.test.ts: breaks');
    expect(lastLineOf(summaryOf(result))).toBe('1 passed, 1 failed');
  });

  test('passes if a test fails only in the first run, and names the test', async () => {
    const result = await runSample(1e6, failingOutcome, { ...passingOutcome, passed: 2 });
    expect(isGreen([result], false)).toBe(true);
    expect(summaryOf(result)).toContain('Failed once, passed in a second run: find out why\na.test.ts: breaks');
    expect(lastLineOf(summaryOf(result))).toBe('2 passed, 0 failed');
  });

  test('fails if a test fails in the first run and is skipped in the second', async () => {
    expect(
      isGreen([await runSample(1e6, failingOutcome, { ...passingOutcome, skips: ['a.test.ts: breaks'] })], false),
    ).toBe(false);
  });

  test('fails if a test is skipped, unless skips are allowed', async () => {
    const result = await runSample(1e6, { ...passingOutcome, skips: ['a.test.ts: is left out'] });
    expect([isGreen([result], false), isGreen([result], true)]).toEqual([false, true]);
    expect(lastLineOf(summaryOf(result))).toBe('1 passed, 1 failed, 1 skipped');
    expect(lastLineOf(summaryOf(result, true))).toBe('1 passed, 0 failed, 1 skipped');
  });

  test('fails if a test run contains no tests', async () => {
    expect(isGreen([await runSample(1e6, { ...passingOutcome, passed: 0 })], false)).toBe(false);
  });

  test('fails if a command fails, and repeats the last output of the command', async () => {
    const commands = { sample: ['sh', '-c', 'echo a reason; exit 7'] };
    const result = await runGroup({ name: 'sample', commands, cpuSecondsMax: 1e6 });
    expect(isGreen([result], false)).toBe(false);
    expect(summaryOf(result)).toContain('exit code 7\n    a reason');
  });

  test('fails if a group or a file exceeds its CPU time budget, even if every test passed', async () => {
    expect(summaryOf(await runSample(-1, passingOutcome))).toMatch(/The group sample used \d+ CPU seconds of -1\./);
    const result = await runSample(1e6, { ...passingOutcome, files: [{ file: 'a.test.ts', cpuSeconds: 300 }] });
    expect(isGreen([result], false)).toBe(false);
    expect(summaryOf(result)).toMatch(/a\.test\.ts used \d+ CPU seconds of 35\./);
  });

  test('does not enforce budgets in the first run on a machine, which also makes the sample media', async () => {
    expect(isGreen([await runGroup(sampleOf(-1, passingOutcome), true)], false)).toBe(true);
    expect(isGreen([await runGroup(sampleOf(1e6, failingOutcome, failingOutcome), true)], false)).toBe(false);
  });
});
