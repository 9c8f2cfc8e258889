import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

const bundle = join(root, 'apps', 'server', 'dist', 'workflows.js');
/** The hashes of what the bundle was made from, and of the bundle: `pnpm bundle` may have replaced it since. */
const hashFile = `${bundle}.hash`;
const sources = ['apps/server/src/**/*.ts', 'packages/contract/{src/**/*.ts,package.json}'];

/** The same as `pnpm bundle`, without which a worker does not start. Skipped if nothing changed since the last time. */
export function bundleWorkflows(): void {
  const inputs = hashOfInputs();
  const current = () => `${inputs} ${hash('sha256', readFileSync(bundle))}`;
  if (existsSync(hashFile) && existsSync(bundle) && readFileSync(hashFile, 'utf8') === current()) return;
  execFileSync(process.execPath, [join(root, 'apps', 'server', 'bundle-workflows.ts')], { stdio: 'inherit' });
  writeFileSync(hashFile, current());
}

function hashOfInputs(): string {
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const all = [...files.toSorted(), 'apps/server/bundle-workflows.ts', 'pnpm-lock.yaml'];
  return hash('sha256', all.map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`).join('\n'));
}
