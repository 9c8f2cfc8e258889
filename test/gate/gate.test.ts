import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runAgain } from './second-run.ts';
import { runStep, type Step, type StepResult, vitest } from './step.ts';
import { formatSummary, isGreen } from './summary.ts';

// Inside the repository, so that the samples find vitest.
mkdirSync(join(import.meta.dirname, 'dist'), { recursive: true });
const folder = mkdtempSync(join(import.meta.dirname, 'dist', 'sample-'));
afterAll(() => rmSync(folder, { recursive: true }));
const reporter = join(import.meta.dirname, 'reporter.ts');
const settings = `import { createOutcomeReporter } from ${JSON.stringify(reporter)};
  const reporters = [createOutcomeReporter(process.env.ASSAY_TEST_OUTCOME)];
  export default { test: { include: ['sample.ts'], reporters, experimental: { viteModuleRunner: false } } };`;
writeFileSync(join(folder, 'vitest.config.ts'), settings);

const sample: Step = { name: 'sample', command: vitest('--root', folder), hasTests: true, hasSecondRun: true };
const marker = join(folder, 'marker');
const markerText = JSON.stringify(marker);
const failsOnce = `if (!existsSync(${markerText})) { writeFileSync(${markerText}, ''); throw new Error('a reason'); }`;

/** The gate's result for a test file with this content. */
async function runSample(content: string): Promise<StepResult> {
  writeFileSync(join(folder, 'sample.ts'), `import { describe, test } from 'vitest';\n${content}`);
  return runStep(sample, true);
}

/** The same with a second run. The content can tell the runs apart by a marker file. */
async function runSampleTwice(content: string): Promise<StepResult> {
  rmSync(marker, { force: true });
  return runAgain(sample, await runSample(`import { existsSync, writeFileSync } from 'node:fs';\n${content}`));
}

const passing = `test('passes', () => {});`;
const lastLine = (text: string) => text.split('\n').at(-1);

describe('the gate', () => {
  test('passes if every test passed, and prints how many', async () => {
    const results = [await runSample(passing)];
    expect(isGreen(results, false)).toBe(true);
    expect(lastLine(formatSummary(results, false))).toBe('1 passed, 0 failed');
  });

  test('fails with a failed test, and names it', async () => {
    const results = [
      await runSample(`${passing} test('breaks', () => { throw new Error('a reason\\nand its place'); });`),
    ];
    expect(isGreen(results, false)).toBe(false);
    const summary = formatSummary(results, false);
    expect(summary).toContain('sample.ts: breaks\n    a reason\n    and its place');
    expect(lastLine(summary)).toBe('1 passed, 1 failed');
  });

  test.each([
    ['a test', `${passing} test.skip('is left out', () => {});`],
    ['a block', `${passing} describe.skipIf(true)('no tool:', () => { test('is left out', () => {}); });`],
    ['a test, while it runs', `${passing} test('is left out', ({ skip }) => skip('no tool'));`],
    ['a test marked as todo', `${passing} test.todo('is left out');`],
  ])('fails if it skips %s, unless skips are allowed', async (_, content) => {
    const results = [await runSample(content)];
    expect(isGreen(results, false)).toBe(false);
    expect(formatSummary(results, false)).toContain('is left out');
    expect(lastLine(formatSummary(results, false))).toBe('1 passed, 1 failed, 1 skipped');
    expect(isGreen(results, true)).toBe(true);
    expect(lastLine(formatSummary(results, true))).toBe('1 passed, 0 failed, 1 skipped');
  });

  test('reports a missing corpus without failing', async () => {
    const results = [await runSample(`${passing} test('clips', ({ skip }) => skip('missing corpus pse: not there'));`)];
    expect(isGreen(results, false)).toBe(true);
    const summary = formatSummary(results, false);
    expect(summary).toContain('sample.ts: clips (missing corpus pse: not there)');
    expect(lastLine(summary)).toBe('1 passed, 0 failed, 1 skipped');
  });

  test('runs a failed file a second time, and names what failed only once', async () => {
    const results = [await runSampleTwice(`${passing} test('breaks', () => { ${failsOnce} });`)];
    expect(isGreen(results, false)).toBe(true);
    const summary = formatSummary(results, false);
    expect(summary).toContain('Failed once, passed in a second run: find out why\nsample.ts: breaks\n    a reason');
    expect(lastLine(summary)).toBe('2 passed, 0 failed');
  });

  test.each([
    ['a test that fails in both runs', `test('breaks', () => { throw new Error('a reason'); });`],
    ['a test that is skipped in the second run', `test('breaks', ({ skip }) => { ${failsOnce} skip('no tool'); });`],
    ['an error outside of any test', `test('passes', () => { Promise.reject(new Error('a reason')); });`],
  ])('fails with %s', async (_, content) => {
    const results = [await runSampleTwice(`${passing} ${content}`)];
    expect(isGreen(results, false)).toBe(false);
    expect(formatSummary(results, false)).toContain('a reason');
  });

  test('fails with a failed step, and repeats its last output', async () => {
    const results = [await runStep({ name: 'sample', command: ['sh', '-c', 'echo a reason; exit 7'] }, true)];
    expect(isGreen(results, false)).toBe(false);
    expect(formatSummary(results, false)).toContain('sample\n    exit code 7\n    a reason');
  });

  test.each([
    ['cannot be imported', `throw new Error('a reason'); ${passing}`],
    ['has no test', ''],
    ['ends its process', 'process.kill(process.pid, "SIGKILL");'],
    ['leaves a rejection behind', `test('passes', () => { Promise.reject(new Error('a reason')); });`],
  ])('fails with a test file that %s', async (_, content) => {
    expect(isGreen([await runSample(content)], false)).toBe(false);
  });
});
