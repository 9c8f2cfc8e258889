import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult } from '../gate/step.ts';
import { formatTimes } from './format-times.ts';
import { lastRunFile } from './last-run.ts';

/** `pnpm test:times`: runs the gate and writes what it took into test/README.md; `--last` takes the gate's last run. */
const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'test', 'README.md');
const [begin, end] = ['<!-- times: written by `pnpm test:times` -->', '<!-- end of times -->'];

if (!process.argv.includes('--last')) execFileSync('bash', [join(root, '.ci', 'run')], { stdio: 'inherit' });
if (!existsSync(lastRunFile)) throw new Error('The gate has not run in this checkout: leave out --last.');
const results: StepResult[] = JSON.parse(readFileSync(lastRunFile, 'utf8'));
const text = readFileSync(page, 'utf8');
const [before = '', rest = ''] = text.split(begin);
const [, after = ''] = rest.split(end);
writeFileSync(page, `${before}${begin}\n\n${formatTimes(results)}\n\n${end}${after}`);
