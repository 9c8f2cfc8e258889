import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '../../bench/table.ts';
import type { StepResult } from '../gate/step.ts';
import { suiteRow } from '../nightly/format-suites.ts';
import { suites } from '../nightly/suites.ts';
import { formatTimes } from './format-times.ts';
import { lastRunFile } from './last-run.ts';

/**
 * `pnpm test:times`: runs the gate and writes its durations to test/README.md, with the list of nightly suites; `--last`
 * uses the last run of the gate in this checkout.
 */
const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'test', 'README.md');

if (!process.argv.includes('--last')) execFileSync('bash', [join(root, '.ci', 'run')], { stdio: 'inherit' });
if (!existsSync(lastRunFile)) throw new Error('The gate has not run in this checkout. Omit --last to run it.');
const results: StepResult[] = JSON.parse(readFileSync(lastRunFile, 'utf8'));
let text = readFileSync(page, 'utf8');
text = replaceBlock(text, 'times', formatTimes(results));
text = replaceBlock(text, 'suites', formatTable(suites.map(suiteRow)));
writeFileSync(page, text);

function replaceBlock(whole: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}: written by \`pnpm test:times\` -->`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = whole.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`test/README.md has no block ${name}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}
