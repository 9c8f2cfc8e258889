import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { root } from '@assay/testing/run/root.ts';

export const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)));
export const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
export const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'));
export const isTest = (file: string) => file.endsWith('.test.ts');
/** What is shipped: neither a test nor what tests share. */
export const isProduction = (file: string) =>
  /^(apps|packages)\//.test(file) && !isTest(file) && !/^packages\/testing\/|\/(samples|test)\//.test(file);

export const server = join('apps', 'server', 'src');
export const packageOf = (file: string) => file.split('/').slice(0, 3).join('/');
/** `apps/server/src/modules/webhooks` for a file at any depth below it, `apps/server/src/http` outside of modules. */
export const moduleFolderOf = (file: string) => /^(?:[^/]+\/){3}(?:modules\/)?[^/]+/.exec(file)?.[0] ?? file;
export const moduleOf = (file: string) => basename(moduleFolderOf(file)).replace(/\.ts$/, '');
export const inServer = sources.filter((file) => file.startsWith(server + sep) && !isTest(file));

/** What a file imports: paths for files of the repository, names for packages. */
export function importsOf(file: string): string[] {
  const text = textOf.get(file) ?? '';
  const specifiers = [...text.matchAll(/^(?:import|export)\s(?:[^;'"]*\sfrom\s)?\s*'([^']+)'/gm)].map(
    (match) => match[1] as string,
  );
  return specifiers.map((name) => pathOf(name, file));
}

/** The files of the repository that a file imports, also those of other packages. */
export function importedFilesOf(file: string): string[] {
  const folderOf = (name: string) =>
    ({ server: 'apps/server/src', stack: 'tools/stack' })[name] ?? `packages/${name}/src`;
  return importsOf(file)
    .map((name) => name.replace(/^@assay\/(\w+)(?=\/)/, (_, name: string) => folderOf(name)))
    .filter((target) => textOf.has(target));
}

/** `#http/api.ts` is a path below `src` of the same package, `#verify/…` in no package one below the root. */
function pathOf(name: string, file: string): string {
  if (name.startsWith('#')) return join(/^(apps|packages)\//.test(file) ? packageOf(file) : '', name.slice(1));
  return name.startsWith('.') ? normalize(join(dirname(file), name)) : name;
}

/** The imports without types. */
export function valueImportsOf(file: string): string[] {
  const text = textOf.get(file) ?? '';
  return [...text.matchAll(/^import\s(?!type\s)(?:[^;'"]*\sfrom\s)?\s*'([^']+)'/gm)].map((match) => match[1] as string);
}

/** The files among these whose text matches. */
export const mentions = (pattern: RegExp, among: string[]) =>
  among.filter((file) => pattern.test(textOf.get(file) ?? ''));
