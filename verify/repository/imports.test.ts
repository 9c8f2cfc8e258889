import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  importsOf,
  isProduction,
  isTest,
  moduleFolderOf,
  moduleOf,
  packageOf,
  serverFolder,
  serverSources,
  sources,
} from './sources.ts';

/**
 * What each module or other folder of the server may import from the server, besides itself. A name permits a whole
 * module or folder, a path a single file.
 */
const mayImport: Record<string, string[]> = {
  main: ['admin', 'start', 'config', 'platform'],
  admin: [
    ...['start', 'analysis', 'audit', 'submissions', 'profiles', 'webhooks', 'uploads', 'idempotency', 'workspaces'],
    ...['identity', 'call', 'config', 'platform'],
  ],
  start: [
    ...['analysis', 'sandbox', 'results', 'submissions', 'profiles', 'webhooks', 'uploads', 'sidekicks', 'workspaces'],
    ...['identity', 'http', 'config', 'platform'],
  ],
  http: ['identity', 'call', 'platform'],
  audit: ['call', 'platform'],
  analysis: ['results', 'submissions', 'profiles', 'webhooks', 'uploads', 'workspaces', 'call', 'platform'],
  sandbox: ['submissions', 'webhooks', 'call', 'platform'],
  results: ['submissions', 'webhooks', 'profiles', 'call', 'platform'],
  submissions: ['webhooks', 'uploads', 'profiles', 'identity', 'idempotency', 'call', 'platform'],
  profiles: ['workspaces', 'idempotency', 'call', 'platform'],
  webhooks: ['idempotency', 'call', 'platform'],
  uploads: ['call', 'platform'],
  sidekicks: ['call'],
  identity: ['call', 'platform'],
  idempotency: ['call', 'platform'],
  workspaces: ['call', 'platform'],
  call: [],
  platform: [],
  // Each object store defines its variables in a folder of its own.
  config: ['platform/storage/stores.ts'],
};

/** What each module or other folder of the server may import from the packages that read media, if anything. */
const mayImportReaders: Record<string, RegExp> = {
  admin: /^(jail\/|sidekicks\/src\/(profiles\/built-in-profiles|run\/examiner\/(examiner-paths|prove-examiner))\.ts$)/,
  main: /^jail\/src\/process\/process-module\.ts$/,
  analysis: /^(jail|sidekicks)\//,
  profiles:
    /^sidekicks\/src\/(sidekick\/(catalogue|cited-documents|profile)|profiles\/(built-in-profiles|validate-profile))\.ts$/,
  results: /^sidekicks\/src\/sidekick\/(catalogue|sidekick)\.ts$/,
  submissions: /^sidekicks\/src\/sidekick\/catalogue\.ts$/,
  sidekicks: /^sidekicks\/src\/sidekick\/(catalogue|sidekick)\.ts$/,
  uploads:
    /^(jail\/src\/(source\/random-access|anonymous-file)|sidekicks\/src\/evidence\/(file\/format\/(program-types|recognise)|media\/captions\/cue-file))\.ts$/,
};

const shippedFiles = sources.filter(isProduction);

/** What shipped files may import; with `values`, types may be imported from anywhere. */
const boundaries: [promise: string, files: RegExp, allowed: RegExp, restricted?: 'values'][] = [
  ['the contract imports only zod and Node', /^packages\/contract\//, /^(packages\/contract\/|zod$|node:)/],
  ['the jail imports only the contract and Node', /^packages\/jail\//, /^(packages\/(contract|jail)\/|node:)/],
  [
    'the sidekicks import neither a database nor HTTP',
    /^packages\/sidekicks\/src\//,
    /^(packages\/(contract|jail|sidekicks)\/|node:(?!https?$)|(file-type|saxes|strtok3)$)/,
  ],
  ['the SDK imports only itself, except in node.ts', /^packages\/sdk\/src\/(?!node\.ts$)/, /^packages\/sdk\/src\//],
  [
    'the command line imports only the SDK, the report, the version of the service, Node and three packages for its output',
    /^apps\/cli\/src\//,
    /^(apps\/cli\/|packages\/(report|sdk)\/|package\.json$|node:|(commander|string-width|wrap-ansi)$)/,
  ],
  ['packages import no app', /^packages\//, /^(?!apps\/)/],
  [
    'shipped code imports nothing that only tests and development use',
    /^(apps|packages)\//,
    /^(?!(bench|deploy|docs|tools|verify|packages\/testing)\/)/,
  ],
  [
    'the report imports only types, the contract’s timecodes, places and verdict, and `node:crypto` to hash its script',
    /^packages\/report\//,
    /^(packages\/(report\/|contract\/src\/(place-words|timecode|verdict)\.ts$)|node:crypto$)/,
    'values',
  ],
  [
    'a workflow imports only types, the contract and `@temporalio/workflow`',
    /\.workflow\.ts$/,
    /^(packages\/contract\/|@temporalio\/workflow$)/,
    'values',
  ],
];

/** The imports in these files that are not allowed. */
function findForbiddenImports(
  among: string[],
  isAllowed: (target: string, file: string) => boolean,
  restricted = 'all',
): string[] {
  return among.flatMap((file) =>
    importsOf(file)
      .filter(({ target, kind }) => !(kind === 'type' && restricted === 'values') && !isAllowed(target, file))
      .map(({ target }) => `${file} → ${target}`),
  );
}

describe('imports', () => {
  test.each(boundaries)('%s', (_, pattern, allowed, restricted) => {
    const among = shippedFiles.filter((file) => pattern.test(file));
    expect(among.length).toBeGreaterThan(0);
    expect(findForbiddenImports(among, (target) => allowed.test(target), restricted)).toEqual([]);
  });

  test('no app imports another app', () => {
    const appOf = (path: string) => /^apps\/[^/]+/.exec(path)?.[0];
    const isAllowed = (target: string, file: string) => !appOf(target) || appOf(target) === appOf(file);
    expect(
      findForbiddenImports(
        shippedFiles.filter((file) => appOf(file)),
        isAllowed,
      ),
    ).toEqual([]);
  });

  test('the server’s modules import from each other only what `mayImport` allows', () => {
    const isAllowed = (target: string, file: string) => {
      const allowed = [moduleOf(file), ...(mayImport[moduleOf(file)] ?? [])];
      return (
        !target.startsWith(`${serverFolder}/`) ||
        allowed.includes(moduleOf(target)) ||
        allowed.includes(target.slice(serverFolder.length + 1))
      );
    };
    expect(findForbiddenImports(serverSources, isAllowed)).toEqual([]);
    expect([...new Set(serverSources.map(moduleOf))].filter((module) => !mayImport[module])).toEqual([]);
  });

  test('the server’s modules import code that reads media only as `mayImportReaders` allows', () => {
    const readers = /^packages\/(?=jail\/|sidekicks\/)/;
    const isAllowed = (target: string, file: string) =>
      !readers.test(target) || !!mayImportReaders[moduleOf(file)]?.test(target.replace(readers, ''));
    expect(findForbiddenImports(serverSources, isAllowed)).toEqual([]);
  });

  test('a check imports no other check', () => {
    const checkOf = (path: string) => /^packages\/sidekicks\/src\/checks\/([^/]+)\//.exec(path)?.[1];
    const isAllowed = (target: string, file: string) => !checkOf(target) || checkOf(target) === checkOf(file);
    expect(
      findForbiddenImports(
        sources.filter((file) => checkOf(file)),
        isAllowed,
      ),
    ).toEqual([]);
  });

  test('no two folders of a package import each other, except the top of a package or module and its folders', () => {
    const edges = new Set(
      sources
        .filter((file) => /^(apps|packages)\/\w+\/src\//.test(file) && !isTest(file))
        .flatMap((file) =>
          importsOf(file)
            // A file that is imported dynamically may import from the folder of its importer.
            .filter(({ kind }) => kind !== 'dynamic')
            .filter(({ target }) => packageOf(target) === packageOf(file) && dirname(target) !== dirname(file))
            .map(({ target }) => `${dirname(file)} → ${dirname(target)}`),
        ),
    );
    // Files at the top of a package or module may import its folders and be imported by them. So may those of the
    // object stores: stores.ts imports each store's folder, which imports the type of a store.
    const isTopOf = (folder: string, other: string) =>
      other.startsWith(`${folder}/`) &&
      [packageOf(folder), moduleFolderOf(folder), join(serverFolder, 'platform', 'storage')].includes(folder);
    const back = [...edges].filter((edge) => {
      const [from, to] = edge.split(' → ') as [string, string];
      return edges.has(`${to} → ${from}`) && !isTopOf(from, to) && !isTopOf(to, from);
    });
    expect(edges.size).toBeGreaterThan(50);
    expect(back).toEqual([]);
  });

  test('every metrics.ts of the server is imported by open-metrics.ts, which creates its metrics at start', () => {
    const declares = (file: string) => file.endsWith('/metrics.ts') && file !== `${serverFolder}/platform/metrics.ts`;
    const imported = importsOf(`${serverFolder}/start/open-metrics.ts`).map(({ target }) => target);
    expect(imported.filter(declares).sort()).toEqual(serverSources.filter(declares).sort());
  });
});
