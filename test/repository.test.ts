import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, matchesGlob, normalize, sep } from 'node:path';
import { refusals } from '@assay/contract/refusals.ts';
import { paramsOf, type Route, refusalsOf } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { describe, expect, test } from 'vitest';
import { groupOf, tests as testsOfGroups } from './gate/groups.ts';
import { readSuites } from './nightly/suites.ts';

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)));
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'));
const isTest = (file: string) => file.endsWith('.test.ts');

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

const server = join('apps', 'server', 'src');
const packageOf = (file: string) => file.split('/').slice(0, 3).join('/');
/** `apps/server/src/modules/webhooks` for a file at any depth below it, `apps/server/src/http` outside of modules. */
const moduleFolderOf = (file: string) => /^(?:[^/]+\/){3}(?:modules\/)?[^/]+/.exec(file)?.[0] ?? file;
const moduleOf = (file: string) => basename(moduleFolderOf(file)).replace(/\.ts$/, '');
const inServer = sources.filter((file) => file.startsWith(server + sep) && !isTest(file));

/** A module → what it may import from the sidekicks package; other modules import nothing. */
const mayImportSidekicks: Record<string, RegExp> = {
  admin: /^@assay\/sidekicks\/(built-in-profiles|evidence\/jail\/(levels|prove-jail))\.ts$/,
  analysis: /^@assay\/sidekicks\//,
  profiles: /^@assay\/sidekicks\/(profile|built-in-profiles|check-profile)\.ts$/,
  results: /^@assay\/sidekicks\/(catalogue|sidekick)\.ts$/,
  submissions: /^@assay\/sidekicks\/(catalogue)\.ts$/,
  sidekicks: /^@assay\/sidekicks\/(catalogue|sidekick)\.ts$/,
  uploads: /^@assay\/sidekicks\/evidence\/(format\/recognise|source\/random-access|jail\/anonymous-file)\.ts$/,
};

/** What a file imports: paths for files of the repository, names for packages. */
function importsOf(file: string): string[] {
  const text = textOf.get(file) ?? '';
  const specifiers = [...text.matchAll(/^(?:import|export)\s(?:[^;'"]*\sfrom\s)?\s*'([^']+)'/gm)].map(
    (match) => match[1] as string,
  );
  return specifiers.map((name) => pathOf(name, file));
}

/** `#http/api.ts` is a path below `src` of the same package. */
function pathOf(name: string, file: string): string {
  if (name.startsWith('#')) return `${packageOf(file)}/${name.slice(1)}`;
  return name.startsWith('.') ? normalize(join(dirname(file), name)) : name;
}

/** Strings are matched first, because they may contain what looks like a comment, such as a URL. */
function withoutComments(text: string): string {
  return text.replaceAll(/('(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/.*|\/\*[\s\S]*?\*\//g, '$1');
}

/** The imports without types. */
function valueImportsOf(file: string): string[] {
  const text = textOf.get(file) ?? '';
  return [...text.matchAll(/^import\s(?!type\s)(?:[^;'"]*\sfrom\s)?\s*'([^']+)'/gm)].map((match) => match[1] as string);
}

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

  test('only the modules in the table import the sidekicks, and each only what it may', () => {
    const wrong = inServer.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('@assay/sidekicks/') && !mayImportSidekicks[moduleOf(file)]?.test(name))
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

  test('a packages folder imports no app, an app no other app, and production code no test', () => {
    const wrong = sources
      .filter((file) => /^(apps|packages)\//.test(file) && !isTest(file) && !/\/test\//.test(file))
      .flatMap((file) => {
        const home = file.split('/').slice(0, 2).join('/');
        return importsOf(file)
          .filter((target) => /^(apps|test|stack|bench)\//.test(target) || target.startsWith('@assay/server'))
          .filter((target) => !target.startsWith(home))
          .map((target) => `${file} → ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  test('the contract imports zod only', () => {
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

  test('the command line imports the client, commander, string-width, wrap-ansi and Node alone', () => {
    const cli = sources.filter((file) => file.startsWith('apps/cli/src/') && !isTest(file));
    expect(cli.length).toBeGreaterThan(0);
    const allowed = /^(apps\/cli\/|node:|@assay\/sdk(\/node)?$|commander$|string-width$|wrap-ansi$)/;
    expect(cli.flatMap(importsOf).filter((name) => !allowed.test(name))).toEqual([]);
  });

  test('there is no cycle', () => {
    const cycles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const target of importsOf(file)) if (textOf.has(target)) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test('folders of a package import each other in one direction', () => {
    const isShipped = (file: string) => /^(apps|packages)\/\w+\/src\//.test(file) && !isTest(file);
    const shipped = sources.filter(isShipped);
    const repositoryPathOf = (name: string) => name.replace(/^@assay\/(\w+)\//, 'packages/$1/src/');
    const edges = new Set(
      shipped.flatMap((file) =>
        importsOf(file)
          .map(repositoryPathOf)
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

  test('no index.ts only re-exports', () => {
    expect(sources.filter((file) => basename(file) === 'index.ts')).toEqual([]);
  });
});

/** `a/{b,c}.ts` → `a/b.ts`, `a/c.ts` */
function expandBraces(pattern: string): string[] {
  const [whole, choices] = /\{([^{}]+)\}/.exec(pattern) ?? [];
  if (!whole || !choices) return [pattern];
  return choices.split(',').flatMap((choice) => expandBraces(pattern.replace(whole, choice)));
}

describe('groups of tests', () => {
  const tests = files.filter(isTest);

  test('what a group lists is there', () => {
    const patterns = Object.values(testsOfGroups).flat().flatMap(expandBraces);
    const idle = patterns.filter((pattern) => !tests.some((file) => matchesGlob(file, pattern)));
    expect(idle).toEqual([]);
  });

  test('a unit test imports nothing that starts a part of the stack or needs its address', () => {
    const startsParts = (file: string) =>
      file === 'stack/control.ts' || /inject\('environment'\)/.test(textOf.get(file) ?? '');
    const reached = (file: string, seen: Set<string>): Set<string> => {
      if (!textOf.has(file) || seen.has(file)) return seen;
      seen.add(file);
      for (const name of importsOf(file))
        reached(
          name.replace(/^@assay\/(server|\w+)\//, (_, app) => `${app === 'server' ? 'apps' : 'packages'}/${app}/src/`),
          seen,
        );
      return seen;
    };
    const wrong = tests.filter((file) => groupOf(file) === 'unit' && [...reached(file, new Set())].some(startsParts));
    expect(wrong).toEqual([]);
  });

  test('every test file that is not in the gate is run by a nightly suite', () => {
    const commands = readSuites().map(({ command }) => command);
    const isRun = (file: string) => commands.some((command) => command.includes(file.replace('.test.ts', '')));
    expect(tests.filter((file) => groupOf(file) === 'nightly' && !isRun(file))).toEqual([]);
  });
});

describe('one place for each thing', () => {
  const mentions = (pattern: RegExp, among: string[]) => among.filter((file) => pattern.test(textOf.get(file) ?? ''));

  test('only run-tool.ts starts programs that read media, so that all of them are jailed', () => {
    const production = sources.filter(
      (file) => /^(apps|packages)\//.test(file) && !isTest(file) && !/\/(samples|test)\//.test(file),
    );
    expect(mentions(/\bchild_process\b/, production).sort()).toEqual([
      `${server}/platform/postgres/migrate.ts`, // applies migrations, never reads a caller's file
      'packages/sidekicks/build-kernel.ts', // compiles our own source
      'packages/sidekicks/src/evidence/jail/run-tool.ts',
      'packages/sidekicks/src/examiner/examiner.ts', // starts the sidekicks themselves
    ]);
  });

  test('only config.ts reads the environment', () => {
    expect(mentions(/process\.env/, inServer)).toEqual([`${server}/config/config.ts`]);
  });

  test('only the modules workspaces and identity, and `pnpm admin`, create workspace ids', () => {
    const creators = ['workspaces', 'identity', 'admin'];
    expect(mentions(/as WorkspaceId/, inServer).filter((file) => !creators.includes(moduleOf(file)))).toEqual([]);
  });

  test('SQL is only in stores and the platform', () => {
    const pattern = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/;
    const wrong = mentions(pattern, inServer).filter(
      (file) => !/\bstore\.ts$/.test(file) && moduleOf(file) !== 'platform',
    );
    expect(wrong).toEqual([]);
  });
});

describe('names and sizes', () => {
  test('no file is longer than 400 lines', () => {
    const long = sources.filter((file) => (textOf.get(file) ?? '').split('\n').length > 400);
    expect(long).toEqual([]);
  });

  test('no folder of an app or a package has more than 20 source files', () => {
    const counts = new Map<string, number>();
    for (const file of sources.filter((one) => /^(apps|packages)\//.test(one) && !isTest(one)))
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  test('files are kebab-case and have no meaningless name', () => {
    const empty = /^(utils?|helpers?|common|shared|misc|core|base)$/;
    const wrong = sources.filter((file) => {
      const parts = file.replace(/(\.test|\.config|\.workflow|\.activities)?\.ts$/, '').split('/');
      return !/^[a-z0-9-]+$/.test(parts.at(-1) ?? '') || parts.some((part) => empty.test(part));
    });
    expect(wrong).toEqual([]);
  });

  test('no type or class has a meaningless suffix or the prefix I', () => {
    const pattern =
      /^(?:export )?(?:class|interface|type|const) (?:I[A-Z][a-z]\w*|\w+(?:Dto|Schema|Service|Repository|Manager|Impl))\b/m;
    const wrong = sources
      .filter((file) => !file.startsWith('test/'))
      .flatMap((file) => pattern.exec(textOf.get(file) ?? '')?.[0] ?? []);
    expect(wrong).toEqual([]);
  });

  test('nothing in the repository looks like a real key', () => {
    const wrong = files.filter((file) =>
      /sk_(live|test)_[0-9a-f]{16,}|whsec_[A-Za-z0-9+/]{20,}/.test(textOf.get(file) ?? ''),
    );
    expect(wrong).toEqual([]);
  });
});

describe('every declared status has its own test block', () => {
  // 401, 402, 405, 429 and what no route accepts are tested for all routes together, 500 and 502 once per dependency.
  const statusesTestedTogether = [401, 500, 502];
  const codesTestedTogether = ['unsupported_content_encoding', 'request_too_large'];
  const testedAlone = (route: Route) =>
    refusalsOf(route).filter((code) => {
      if (statusesTestedTogether.includes(refusals[code].status) || codesTestedTogether.includes(code)) return false;
      return code !== 'validation_failed' || route.body || route.query || paramsOf(route).length > 0;
    });
  // A code that only a comment mentions is not tested.
  const tests = files.filter(isTest).map((file) => withoutComments(textOf.get(file) ?? ''));

  test.each(Object.values<Route>(routes))('$method $path', (route) => {
    const text = tests.find((candidate) => candidate.includes(`describe('${route.method} ${route.path}'`));
    if (!text) return expect.fail('no test file describes this route');
    const statuses = new Set([route.success.status, ...testedAlone(route).map((code) => refusals[code].status)]);
    for (const status of statuses) expect(text, `a block for ${status}`).toContain(`describe('${status}: `);
    for (const code of testedAlone(route)) expect(text, `a test of ${code}`).toContain(code);
  });

  test.each(['401: ', '402: ', '405: ', '422: ', '429: '])('%s for every route', (block) => {
    const everyRoute = textOf.get('test/every-route.test.ts') ?? '';
    expect(everyRoute).toContain(`describe('${block}`);
    expect(everyRoute).toMatch(/Object\.values<Route>\(routes\)/);
  });

  test.each(['500: PostgreSQL', '502: PostgreSQL', '500: object storage', '502: object storage'])('%s', (block) => {
    expect(textOf.get('test/faults.test.ts')).toMatch(new RegExp(`describe(Once)?\\('${block}`));
  });
});
