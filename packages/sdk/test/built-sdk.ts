import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedSync } from '@assay/testing/run/cached.ts';

const sdk = join(import.meta.dirname, '..');
const root = join(sdk, '..', '..');

/** The folder with the compiled scripts that are published. They are compiled again only if an input has changed. */
export function builtSdk(): string {
  const sources = globSync('src/**/*.ts', { cwd: sdk, exclude: ['src/**/*.test.ts'] }).sort();
  const files = [...sources, 'tsconfig.build.json', '../../tsconfig.json', '../../pnpm-lock.yaml'];
  const builtFrom = files.map((name) => [name, readFileSync(join(sdk, name))]);
  return cachedSync('built-sdk', '', builtFrom, (folder) =>
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json', '--outDir', folder], { cwd: sdk }),
  );
}
