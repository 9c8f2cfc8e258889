import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examinerBundle } from '@assay/sidekicks/run/examiner/examiner-program.ts';
import { root } from './root.ts';

const bundle = join(root, 'apps', 'server', 'dist', 'workflows.js');
/** Contains the hashes of the sources and of the bundle itself, which `pnpm bundle` may have replaced since. */
const hashFile = `${bundle}.hash`;
const sources = ['apps/server/src/**/*.ts', 'packages/contract/{src/**/*.ts,package.json}'];

/** Does the same as `pnpm bundle`, without which no worker starts, unless the bundles are up to date. */
export function bundleCode(): void {
  if (!existsSync(examinerBundle())) run('packages', 'sidekicks', 'bundle-examiner.ts');
  bundleWorkflows();
}

function bundleWorkflows(): void {
  const inputs = hashOfInputs();
  const current = () => `${inputs} ${hash('sha256', readFileSync(bundle))}`;
  if (existsSync(hashFile) && existsSync(bundle) && readFileSync(hashFile, 'utf8') === current()) return;
  run('apps', 'server', 'bundle-workflows.ts');
  writeFileSync(hashFile, current());
}

function run(...path: string[]): void {
  execFileSync(process.execPath, [join(root, ...path)], { stdio: 'inherit' });
}

function hashOfInputs(): string {
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const all = [...files.toSorted(), 'apps/server/bundle-workflows.ts', 'pnpm-lock.yaml'];
  return hash('sha256', all.map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`).join('\n'));
}
