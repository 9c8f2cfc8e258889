import { basename, dirname, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  importedFilesOf,
  importsOf,
  inServer,
  isProduction,
  isTest,
  moduleFolderOf,
  moduleOf,
  packageOf,
  server,
  sources,
  textOf,
  valueImportsOf,
} from './sources.ts';

/** A part of the server → the parts that it may import, besides itself and the contract. Modules go by their names. */
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
  config: [],
};

/** A part of the server → what it may import from the packages that read media; others import nothing from them. */
const mayImportReaders: Record<string, RegExp> = {
  admin: /^@assay\/(jail\/|sidekicks\/profiles\/built-in-profiles\.ts$)/,
  analysis: /^@assay\/(jail|sidekicks)\//,
  profiles: /^@assay\/sidekicks\/(sidekick\/profile|profiles\/(built-in-profiles|validate-profile))\.ts$/,
  results: /^@assay\/sidekicks\/sidekick\/(catalogue|sidekick)\.ts$/,
  submissions: /^@assay\/sidekicks\/sidekick\/catalogue\.ts$/,
  sidekicks: /^@assay\/sidekicks\/sidekick\/(catalogue|sidekick)\.ts$/,
  uploads: /^@assay\/(jail\/(source\/random-access|anonymous-file)|sidekicks\/evidence\/file\/format\/recognise)\.ts$/,
};

describe('imports', () => {
  test('the server’s modules import only what the table allows', () => {
    const wrong = inServer.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith(server + sep))
        .filter(
          (target) => moduleOf(target) !== moduleOf(file) && !mayImport[moduleOf(file)]?.includes(moduleOf(target)),
        )
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('only the modules in the table import code that reads media, and each only what the table allows', () => {
    const wrong = inServer.flatMap((file) =>
      importsOf(file)
        .filter((name) => /^@assay\/(jail|sidekicks)\//.test(name) && !mayImportReaders[moduleOf(file)]?.test(name))
        .map((name) => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('a workflow imports only types, the contract and the engine’s own module', () => {
    const workflows = inServer.filter((file) => file.endsWith('.workflow.ts'));
    expect(workflows.length).toBeGreaterThan(0);
    const wrong = workflows.flatMap((file) =>
      valueImportsOf(file)
        .filter((name) => name !== '@temporalio/workflow' && !name.startsWith('@assay/contract/'))
        .map((name) => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the sidekicks depend neither on the database nor on HTTP', () => {
    const manifest = JSON.parse(textOf.get('packages/sidekicks/package.json') ?? '{}');
    expect(
      Object.keys(manifest.dependencies).filter((name) => /^(pg|kysely|fastify|ioredis|@azure|@temporalio)/.test(name)),
    ).toEqual([]);
  });

  test('every module is in the table', () => {
    expect([...new Set(inServer.map(moduleOf))].filter((module) => !mayImport[module])).toEqual([]);
  });

  test('a check imports no other check', () => {
    const checkOf = (path: string) =>
      /^(?:packages\/sidekicks\/src|@assay\/sidekicks)\/checks\/([^/]+)\//.exec(path)?.[1];
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => checkOf(file) && checkOf(target) && checkOf(file) !== checkOf(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('packages import no app, apps import no other app, and production code imports no test', () => {
    const wrong = sources.filter(isProduction).flatMap((file) => {
      const home = file.split('/').slice(0, 2).join('/');
      return importsOf(file)
        .filter((target) => /^((apps|bench|tools|verify)\/|@assay\/(server|stack|testing)\/)/.test(target))
        .filter((target) => !target.startsWith(home))
        .map((target) => `${file} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the contract imports only zod and Node', () => {
    const contract = sources.filter((file) => file.startsWith('packages/contract/src/') && !isTest(file));
    const packages = contract.flatMap(importsOf).filter((name) => !name.startsWith('packages/contract/'));
    expect(packages.filter((name) => name !== 'zod' && !name.startsWith('node:'))).toEqual([]);
  });

  test('the SDK imports only itself and what every runtime has, except for `@assay/sdk/node`', () => {
    const inSdk = sources.filter((file) => file.startsWith('packages/sdk/src/') && !isTest(file));
    const sdk = inSdk.filter((file) => file !== 'packages/sdk/src/node.ts');
    expect(sdk.length).toBe(inSdk.length - 1);
    expect(sdk.flatMap(importsOf).filter((name) => !name.startsWith('packages/sdk/src/'))).toEqual([]);
  });

  test('the command line imports only the client, the report, commander, string-width, wrap-ansi and Node', () => {
    const cli = sources.filter((file) => file.startsWith('apps/cli/src/') && !isTest(file));
    expect(cli.length).toBeGreaterThan(0);
    const allowed = /^(apps\/cli\/|node:|@assay\/(report\/|sdk(\/node)?$)|commander$|string-width$|wrap-ansi$)/;
    expect(cli.flatMap(importsOf).filter((name) => !allowed.test(name))).toEqual([]);
  });

  test('the report imports only types from the client, the timecodes of the contract, and `node:crypto` for the hash of its script', () => {
    const report = sources.filter((file) => file.startsWith('packages/report/src/') && isProduction(file));
    expect(report.length).toBeGreaterThan(0);
    const allowed = /^(\.|node:crypto$|@assay\/contract\/timecode\.ts$)/;
    expect(report.flatMap(valueImportsOf).filter((name) => !allowed.test(name))).toEqual([]);
  });

  test('the jail imports only the contract and Node', () => {
    const jail = sources.filter((file) => file.startsWith('packages/jail/src/') && isProduction(file));
    const allowed = /^(packages\/jail\/|node:|@assay\/contract\/)/;
    expect(jail.flatMap(importsOf).filter((name) => !allowed.test(name))).toEqual([]);
  });

  test('there is no import cycle', () => {
    const cycles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const target of importedFilesOf(file)) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test('two folders of a package import each other in one direction only', () => {
    const isShipped = (file: string) => /^(apps|packages)\/\w+\/src\//.test(file) && !isTest(file);
    const shipped = sources.filter(isShipped);
    const edges = new Set(
      shipped.flatMap((file) =>
        importedFilesOf(file)
          .filter((target) => packageOf(target) === packageOf(file) && dirname(target) !== dirname(file))
          .map((target) => `${dirname(file)} → ${dirname(target)}`),
      ),
    );
    // A package or a module may have files at its top that use its folders and are used by them.
    const isTopOf = (folder: string, other: string) =>
      other.startsWith(`${folder}/`) && [packageOf(folder), moduleFolderOf(folder)].includes(folder);
    const back = [...edges].filter((edge) => {
      const [from, to] = edge.split(' → ') as [string, string];
      return edges.has(`${to} → ${from}`) && !isTopOf(from, to) && !isTopOf(to, from);
    });
    expect(edges.size).toBeGreaterThan(50);
    expect(back).toEqual([]);
  });

  test('no file is named index.ts', () => {
    expect(sources.filter((file) => basename(file) === 'index.ts')).toEqual([]);
  });
});
