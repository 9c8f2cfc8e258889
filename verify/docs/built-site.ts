import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cachedSync } from '@assay/testing/run/cached.ts';
import { root } from '@assay/testing/run/root.ts';
import { siteMap } from '../../docs/make/site-map.ts';

const docsFolder = join(root, 'docs');
const buildSecondsMax = 180;

export type BuiltSite = ReturnType<typeof buildSite>;

/** Builds the site as an installation does, or reuses one that was built from the same inputs. */
export function buildSite() {
  const run = (...args: string[]) =>
    execFileSync(join(root, 'node_modules/.bin/node'), args, {
      cwd: docsFolder,
      timeout: buildSecondsMax * 1000,
      stdio: 'pipe',
    });
  run('make-pages.ts');
  const folder = cachedSync('docs-site', '', readBuildInputs(), (path) =>
    run(join(docsFolder, 'node_modules/vitepress/bin/vitepress.js'), 'build', '.', '--outDir', path),
  );
  return {
    folder,
    /** Every page, by its public path, such as `/docs/errors/asset_failed`. */
    pages: readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && name !== '404.html')
      .map((name) => `/docs/${relative('.', name).replace(/(^|(?<=\/))index\.html$|\.html$/, '')}`),
    fileAt: (pathname: string) => fileAt(folder, pathname),
  };
}

/** Everything that determines the built site: pages, settings, theme, and the version of VitePress. */
function readBuildInputs(): unknown {
  const names = globSync('{*,*/**/*,.vitepress/**/*}', {
    cwd: docsFolder,
    exclude: ['node_modules', '.vitepress/{dist,cache}'],
  });
  const files = names.filter((name) => statSync(join(docsFolder, name)).isFile()).sort();
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'));
  return { lockfile, siteMap: siteMap(), files: files.map((name) => [name, readFileSync(join(docsFolder, name))]) };
}

function fileAt(folder: string, pathname: string): string | undefined {
  if (!pathname.startsWith('/docs/')) return undefined;
  const path = join(folder, pathname.slice('/docs/'.length));
  const isFile = (file: string) => existsSync(file) && statSync(file).isFile();
  // Clean URLs: `/a/` is only a/index.html, and `/a` is a file or a.html.
  return pathname.endsWith('/') ? [join(path, 'index.html')].find(isFile) : [path, `${path}.html`].find(isFile);
}
