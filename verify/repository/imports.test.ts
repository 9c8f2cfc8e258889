import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  importsOf,
  inServer,
  isProduction,
  isTest,
  moduleFolderOf,
  moduleOf,
  packageOf,
  server,
  sources,
} from './sources.ts';

/**
 * A part of the server → the parts that it may import, besides itself and the contract. Modules go by their names; a path
 * permits one file.
 */
const mayImport: Record<string, string[]> = {
  main: ['admin', 'start', 'config', 'platform'],
  admin: ['start', 'analysis', 'uploads', 'webhooks', 'workspaces', 'identity', 'call', 'config', 'platform'],
  start: [
    ...['analysis', 'sandbox', 'results', 'submissions', 'profiles', 'webhooks', 'uploads', 'sidekicks', 'workspaces'],
    ...['identity', 'http', 'config', 'platform'],
  ],
  http: ['identity', 'call', 'platform'],
  analysis: ['results', 'submissions', 'profiles', 'webhooks', 'uploads', 'workspaces', 'call', 'platform'],
  sandbox: ['submissions', 'webhooks', 'call', 'platform'],
  results: ['submissions', 'profiles', 'call', 'platform'],
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
  // The variables of each object store are in the store's folder.
  config: ['platform/storage/stores.ts'],
};

/** A part of the server → what it may import from the packages that read media; others import nothing from them. */
const mayImportReaders: Record<string, RegExp> = {
  admin: /^(jail\/|sidekicks\/src\/profiles\/built-in-profiles\.ts$)/,
  analysis: /^(jail|sidekicks)\//,
  profiles: /^sidekicks\/src\/(sidekick\/profile|profiles\/(built-in-profiles|validate-profile))\.ts$/,
  results: /^sidekicks\/src\/sidekick\/(catalogue|sidekick)\.ts$/,
  submissions: /^sidekicks\/src\/sidekick\/catalogue\.ts$/,
  sidekicks: /^sidekicks\/src\/sidekick\/(catalogue|sidekick)\.ts$/,
  uploads:
    /^(jail\/src\/(source\/random-access|anonymous-file)|sidekicks\/src\/evidence\/file\/format\/recognise)\.ts$/,
};

const shipped = sources.filter(isProduction);

/** What shipped files may import; with `values`, they may import any type. */
const boundaries: [promise: string, files: RegExp, allowed: RegExp, restricted?: 'values'][] = [
  ['the contract imports only zod and Node', /^packages\/contract\//, /^(packages\/contract\/|zod$|node:)/],
  ['the jail imports only the contract and Node', /^packages\/jail\//, /^(packages\/(contract|jail)\/|node:)/],
  [
    'the sidekicks import neither a database nor HTTP',
    /^packages\/sidekicks\//,
    /^(packages\/(contract|jail|sidekicks)\/|node:(?!https?$)|(file-type|saxes|strtok3)$)/,
  ],
  ['the SDK imports only itself, except in node.ts', /^packages\/sdk\/src\/(?!node\.ts$)/, /^packages\/sdk\/src\//],
  [
    'the command line imports only the client, the report, Node and three packages for its output',
    /^apps\/cli\/src\//,
    /^(apps\/cli\/|packages\/(report|sdk)\/|node:|(commander|string-width|wrap-ansi)$)/,
  ],
  ['packages import no app', /^packages\//, /^(?!apps\/)/],
  [
    'what is shipped imports nothing that only tests and development use',
    /^(apps|packages)\//,
    /^(?!(bench|deploy|docs|tools|verify|packages\/testing)\/)/,
  ],
  [
    'the report imports only types from the client, the timecodes of the contract, and `node:crypto` for the hash of its script',
    /^packages\/report\//,
    /^(packages\/(report\/|contract\/src\/timecode\.ts$)|node:crypto$)/,
    'values',
  ],
  [
    'a workflow imports only types, the contract and `@temporalio/workflow`',
    /\.workflow\.ts$/,
    /^(packages\/contract\/|@temporalio\/workflow$)/,
    'values',
  ],
];

/** The imports of these files that are not allowed. */
function findWrong(
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
    const among = shipped.filter((file) => pattern.test(file));
    expect(among.length).toBeGreaterThan(0);
    expect(findWrong(among, (target) => allowed.test(target), restricted)).toEqual([]);
  });

  test('no app imports another app', () => {
    const appOf = (path: string) => /^apps\/[^/]+/.exec(path)?.[0];
    const isAllowed = (target: string, file: string) => !appOf(target) || appOf(target) === appOf(file);
    expect(
      findWrong(
        shipped.filter((file) => appOf(file)),
        isAllowed,
      ),
    ).toEqual([]);
  });

  test('the server’s modules import only what the table allows', () => {
    const isAllowed = (target: string, file: string) => {
      const allowed = [moduleOf(file), ...(mayImport[moduleOf(file)] ?? [])];
      return (
        !target.startsWith(`${server}/`) ||
        allowed.includes(moduleOf(target)) ||
        allowed.includes(target.slice(server.length + 1))
      );
    };
    expect(findWrong(inServer, isAllowed)).toEqual([]);
    expect([...new Set(inServer.map(moduleOf))].filter((module) => !mayImport[module])).toEqual([]);
  });

  test('only the modules in the table import code that reads media, and each only what the table allows', () => {
    const readers = /^packages\/(?=jail\/|sidekicks\/)/;
    const isAllowed = (target: string, file: string) =>
      !readers.test(target) || !!mayImportReaders[moduleOf(file)]?.test(target.replace(readers, ''));
    expect(findWrong(inServer, isAllowed)).toEqual([]);
  });

  test('a check imports no other check', () => {
    const checkOf = (path: string) => /^packages\/sidekicks\/src\/checks\/([^/]+)\//.exec(path)?.[1];
    const isAllowed = (target: string, file: string) => !checkOf(target) || checkOf(target) === checkOf(file);
    expect(
      findWrong(
        sources.filter((file) => checkOf(file)),
        isAllowed,
      ),
    ).toEqual([]);
  });

  test('two folders of a package import each other in one direction only', () => {
    const edges = new Set(
      sources
        .filter((file) => /^(apps|packages)\/\w+\/src\//.test(file) && !isTest(file))
        .flatMap((file) =>
          importsOf(file)
            // A file that is only loaded when it is needed may import from the folder of the file that loads it.
            .filter(({ kind }) => kind !== 'dynamic')
            .filter(({ target }) => packageOf(target) === packageOf(file) && dirname(target) !== dirname(file))
            .map(({ target }) => `${dirname(file)} → ${dirname(target)}`),
        ),
    );
    // A package or a module may have files at its top that use its folders and are used by them. So may the object
    // stores: the table imports the folder of each store, which imports the type of a store.
    const isTopOf = (folder: string, other: string) =>
      other.startsWith(`${folder}/`) &&
      [packageOf(folder), moduleFolderOf(folder), join(server, 'platform', 'storage')].includes(folder);
    const back = [...edges].filter((edge) => {
      const [from, to] = edge.split(' → ') as [string, string];
      return edges.has(`${to} → ${from}`) && !isTopOf(from, to) && !isTopOf(to, from);
    });
    expect(edges.size).toBeGreaterThan(50);
    expect(back).toEqual([]);
  });
});
