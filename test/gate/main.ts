import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { lastRunFile } from '../times/last-run.ts';
import { runAgain } from './second-run.ts';
import { runStep, type Step, type StepResult, vitest } from './step.ts';
import { formatSummary, isGreen } from './summary.ts';

/**
 * The gate, after `./setup` has installed everything. Stages run one after another; the steps of a stage run
 * concurrently. Steps that measure time or memory have their own stage.
 */
const stages: Step[][] = [
  [
    { name: 'types', command: ['pnpm', 'typecheck'] },
    { name: 'lint and format', command: ['pnpm', 'lint'] },
    { name: 'stack', command: ['pnpm', 'stack', 'up', '--instance', 'test'] },
  ],
  [{ name: 'unit tests', command: vitest('--project', 'unit'), hasTests: true }],
  [
    { name: 'service tests', command: vitest('--project', 'service'), hasTests: true, hasSecondRun: true },
    { name: 'schemathesis', command: ['pnpm', 'schemathesis', '--quick'] }, // sends one request at a time and keeps one core busy
  ],
  [{ name: 'storage tests on S3', command: vitest('--project', 's3'), hasTests: true, hasSecondRun: true }],
  [{ name: 'slow tests', command: vitest('--project', 'slow'), hasTests: true, hasSecondRun: true }],
  [{ name: 'chaos, short run', command: ['pnpm', 'chaos', '--quick'] }],
  ...['pipeline', 'submissions', 'webhooks', 'evidence', 'check'].map((bench) => [
    { name: `${bench} bench, short run`, command: ['pnpm', 'bench', bench, '--quick'], hasSecondRun: true },
  ]),
];

const beganAt = performance.now();
const results: StepResult[] = [];
for (const stage of stages) {
  const seconds = Math.round((performance.now() - beganAt) / 1000);
  console.log(`\n== ${stage.map(({ name }) => name).join(', ')} (at ${seconds} s)`);
  const stageResults = await Promise.all(stage.map((step) => runStep(step, stage.length === 1)));
  for (const [i, step] of stage.entries()) results.push(await runAgain(step, stageResults[i] as StepResult));
}
for (const instance of ['test', 'faults', 'bench', 'chaos'])
  await runStep({ name: 'reset', command: ['pnpm', 'stack', 'reset', '--instance', instance] }, true);

mkdirSync(dirname(lastRunFile), { recursive: true });
writeFileSync(lastRunFile, JSON.stringify(results));
const areSkipsAllowed = process.env.ASSAY_ALLOW_SKIPS === '1';
console.log(formatSummary(results, areSkipsAllowed));
process.exitCode = isGreen(results, areSkipsAllowed) ? 0 : 1;
