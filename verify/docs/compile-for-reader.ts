import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';

/** Strict, but Express has no types; the SDK's sources, which are compiled too, need the last option. */
const readersOptions = {
  ...{ target: 'es2022', module: 'nodenext', lib: ['esnext', 'dom'], types: ['node'], noEmit: true },
  ...{ strict: true, noImplicitAny: false, skipLibCheck: true, allowImportingTsExtensions: true },
  exactOptionalPropertyTypes: true,
};

/** Compiles programs of the documentation with the usual options of a reader. Returns the errors. */
export function compileForReader(folder: string, programs: { name: string; text: string }[]): string {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of programs) writeFileSync(join(folder, `${name.replaceAll('/', '-')}.ts`), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: readersOptions, include: ['*.ts'] }));
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8', timeout: 60_000 });
  return tsc.status === 0 ? tsc.stdout : `exit code ${tsc.status}\n${tsc.stdout}${tsc.stderr}`;
}
