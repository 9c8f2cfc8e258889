import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { parseSync } from 'rolldown/utils';

export const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)));
export const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
export const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.generated.ts'));
export const isTest = (file: string) => /\.test\.tsx?$/.test(file);
/** Whether a file is shipped: it is neither a test nor code that only tests use. */
export const isProduction = (file: string) =>
  /^(apps|packages)\//.test(file) && !isTest(file) && !/^packages\/testing\/|\/(samples|test)\//.test(file);

export const serverFolder = 'apps/server/src';
export const packageOf = (file: string) => file.split('/').slice(0, 3).join('/');
/** `apps/server/src/modules/webhooks` for a file at any depth below it, `apps/server/src/http` outside of modules. */
export const moduleFolderOf = (file: string) => /^(?:[^/]+\/){3}(?:modules\/)?[^/]+/.exec(file)?.[0] ?? file;
export const moduleOf = (file: string) => basename(moduleFolderOf(file)).replace(/\.ts$/, '');
export const serverSources = sources.filter((file) => file.startsWith(`${serverFolder}/`) && !isTest(file));

/** `target` is a path for a file of the repository, otherwise the name that is imported. */
type Import = { target: string; kind: 'value' | 'type' | 'dynamic' };

/** The imports of a file, and its exports from other files. */
export function importsOf(file: string): Import[] {
  const known = importsOfFile.get(file);
  if (known) return known;
  const text = textOf.get(file) ?? '';
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const imports: Import[] = [];
  for (const { start, moduleRequest } of [...staticImports, ...staticExports.flatMap(({ entries }) => entries)]) {
    const kind = /^(im|ex)port type\b/.test(text.slice(start)) ? 'type' : 'value';
    if (moduleRequest) imports.push({ target: resolveName(moduleRequest.value, file), kind });
  }
  for (const { moduleRequest } of dynamicImports) {
    const [, name] = /^'(.*)'$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? [];
    if (name) imports.push({ target: resolveName(name, file), kind: 'dynamic' });
  }
  importsOfFile.set(file, imports);
  return imports;
}
const importsOfFile = new Map<string, Import[]>();

function resolveName(name: string, file: string): string {
  return /^([.#]|@assay\/)/.test(name) ? relative(root, createRequire(join(root, file)).resolve(name)) : name;
}

/** Returns the given files whose text matches the pattern. */
export const filesMatching = (pattern: RegExp, among: string[]) =>
  among.filter((file) => pattern.test(textOf.get(file) ?? ''));
