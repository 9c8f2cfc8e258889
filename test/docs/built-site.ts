import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const docs = join(root, 'docs');
const buildSecondsMax = 180;

export type BuiltSite = ReturnType<typeof buildSite>;

/** Builds the site like an installation. */
export function buildSite() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-docs-'));
  const run = (...args: string[]) =>
    execFileSync(join(root, 'node_modules/.bin/node'), args, {
      cwd: docs,
      timeout: buildSecondsMax * 1000,
      stdio: 'pipe',
    });
  run('make-pages.ts');
  run(join(docs, 'node_modules/vitepress/bin/vitepress.js'), 'build', '.', '--outDir', folder);
  return {
    folder,
    /** Every page by its public path: `/docs/errors/asset_failed`. */
    pages: readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => `/docs/${relative('.', name).replace(/(^|(?<=\/))index\.html$|\.html$/, '')}`),
    fileAt: (pathname: string) => fileAt(folder, pathname),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function fileAt(folder: string, pathname: string): string | undefined {
  if (!pathname.startsWith('/docs/')) return undefined;
  const path = join(folder, pathname.slice('/docs/'.length));
  const isFile = (file: string) => existsSync(file) && statSync(file).isFile();
  // With clean URLs, so that no page has two paths.
  return pathname.endsWith('/') ? [join(path, 'index.html')].find(isFile) : [path, `${path}.html`].find(isFile);
}
