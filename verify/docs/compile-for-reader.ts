import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';

/**
 * The options are strict, except that Express has no types. The SDK's sources are compiled too, and need the last
 * option.
 */
const usualOptions = {
  ...{ target: 'es2022', module: 'nodenext', lib: ['esnext', 'dom'], types: ['node'], noEmit: true },
  ...{ strict: true, noImplicitAny: false, skipLibCheck: true, allowImportingTsExtensions: true },
  exactOptionalPropertyTypes: true,
};

/** Compiles programs from the documentation with a reader's usual options. Returns the compiler's output. */
export function findCompilerErrors(folder: string, programs: { name: string; text: string }[]): string {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of programs) writeFileSync(join(folder, `${name.replaceAll('/', '-')}.ts`), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: usualOptions, include: ['*.ts'] }));
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8', timeout: 60_000 });
  return tsc.status === 0 ? tsc.stdout : `exit code ${tsc.status}\n${tsc.stdout}${tsc.stderr}`;
}
