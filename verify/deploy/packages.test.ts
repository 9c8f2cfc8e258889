import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packPackages } from '#deploy/release/pack.ts';
import service from '../../package.json' with { type: 'json' };

/** The published packages as a user gets them: packed, installed by npm without a registry, and run outside this repository. */
const temporaryFolder = mkdtempSync(join(tmpdir(), 'assay-packages-'));
afterAll(() => rmSync(temporaryFolder, { recursive: true }));
const nodes = [
  ['20', join(root, 'node_modules/node-20/bin/node')],
  ['22', join(root, 'node_modules/node-22/bin/node')],
  ['24', process.execPath],
] as const;

const [sdkTarball = '', cliTarball = ''] = packPackages(join(temporaryFolder, 'tarballs'));
const sdk = installAlone(sdkTarball, '@assay/sdk');
const cli = installAlone(cliTarball, '@assay/cli');

/** Installs a tarball in an empty folder, with an empty cache and no registry. */
function installAlone(tarball: string, name: string) {
  const project = mkdtempSync(join(temporaryFolder, 'project-'));
  const cache = join(temporaryFolder, 'cache');
  const options = ['--offline', '--cache', cache, '--no-audit', '--no-fund', '--no-update-notifier'];
  execFileSync('npm', ['install', tarball, ...options], { cwd: project, stdio: 'pipe' });
  const folder = join(project, 'node_modules', name);
  const files = execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' }).trim().split('\n').sort();
  const installed = execFileSync('ls', [join(project, 'node_modules/@assay')], { encoding: 'utf8' }).trim();
  return {
    project,
    folder,
    files,
    installed,
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  };
}

function run(cwd: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test.each([
  ['@assay/sdk', sdk],
  ['@assay/cli', cli],
])(
  'the packed %s has the version of the service, compiled code, and nothing that only its build needs',
  (_, packed) => {
    expect(packed.manifest.version).toBe(service.version);
    expect(packed.manifest).not.toHaveProperty('scripts');
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])
      expect(packed.manifest).not.toHaveProperty(kind);
    expect(packed.files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  },
);

describe('the packed @assay/sdk', () => {
  test('contains its scripts with their types, README, LICENSE and nothing else', () => {
    const others = sdk.files.filter((file) => !/^\.\/dist\/[\w./-]+\.(js|d\.ts)$/.test(file));
    expect(others).toEqual(['./LICENSE', './README.md', './package.json']);
    expect(sdk.files).toContain('./dist/assay.js');
    expect(sdk.files.filter((file) => file.includes('test'))).toEqual([]);
  });

  test('imports no other package', () => {
    const foreign = sdk.files
      .filter((file) => file !== './dist/node.js' && (file.endsWith('.js') || file.endsWith('.d.ts')))
      .flatMap((file) => [...readFileSync(join(sdk.folder, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)])
      .map(([, name]) => name ?? '')
      .filter((name) => !name.startsWith('.') || !name.endsWith('.js'));
    expect(foreign).toEqual([]);
  });

  test.each(nodes)('can be imported in Node.js %s, including its entry points for files and webhooks', (_, node) => {
    const script = `
      import { Assay, NotFoundError } from '@assay/sdk';
      import { openFile } from '@assay/sdk/node';
      import { testHeaders, unwrap } from '@assay/sdk/webhooks';
      const secret = 'whsec_' + btoa('a secret of a test');
      const body = JSON.stringify({ type: 'asset.processing.completed' });
      const { type } = await unwrap(body, await testHeaders(body, secret), secret);
      const { name } = await openFile('use.mjs');
      console.log(typeof new Assay({ apiKey: 'a' }).submissions.createAndWait, NotFoundError.name, type, name);`;
    writeFileSync(join(sdk.project, 'use.mjs'), script);
    expect(run(sdk.project, node, 'use.mjs')).toBe('function NotFoundError asset.processing.completed use.mjs\n');
  });

  test('has types that need no other package and reject incorrect use', () => {
    writeFileSync(
      join(sdk.project, 'use.ts'),
      `import { Assay, type Submission } from '@assay/sdk';
       import { unwrap } from '@assay/sdk/webhooks';
       const assay = new Assay();
       export const wait = async (): Promise<Submission> => assay.submissions.createAndWait({ assets: [{ blobPath: 'a' }] });
       // @ts-expect-error: an asset has a blobPath
       export const wrong = () => assay.submissions.create({ assets: [{}] });
       export const read = async (body: string) => (await unwrap(body, {}, 'a')).data.submission_id satisfies string;`,
    );
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    expect(
      run(sdk.project, join(root, 'node_modules/.bin/tsc'), '--ignoreConfig', ...options, '--types', '', 'use.ts'),
    ).toBe('');
  });
});

describe('the packed @assay/cli', () => {
  test('contains one script, README, LICENSE and nothing else, and is the only package that is installed', () => {
    expect(cli.files).toEqual(['./LICENSE', './README.md', './dist/assay.js', './package.json']);
    expect(cli.manifest.bin).toEqual({ assay: './dist/assay.js' });
    expect(cli.installed).toBe('cli');
  });

  test.each(nodes)('runs on Node.js %s and prints the version of the service', (_, node) => {
    expect(run(cli.project, node, 'node_modules/.bin/assay', '--version').trim()).toBe(service.version);
  });
});

test('the documentation names the tarballs of this version', () => {
  const pages = ['README.md', 'docs/guides/{cli,sdk}.md', 'apps/cli/README.md', 'packages/sdk/README.md'];
  const named = globSync(pages, { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/assay-(?:cli|sdk)-(\d[\w.-]*)\.tgz/g)].map(
      ([, version]) => version,
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect([...new Set(named)]).toEqual([service.version]);
});

describe('the pipelines in the guide of the command line', () => {
  const guide = readFileSync(join(root, 'docs/guides/cli.md'), 'utf8');
  const samples = [...guide.matchAll(/```yaml \[(.+?)\]\n([\s\S]*?)```/g)].map(
    ([, name, text]) => [name, text] as const,
  );

  /** The commands of a sample: those of the steps of GitHub Actions, or the script of GitLab. */
  function commandsOf(text: string): string[] {
    const sample = parse(text);
    const steps: { run?: string }[] = sample.jobs?.check.steps ?? [];
    return [...steps.flatMap(({ run }) => run ?? []), ...(sample.media?.script ?? [])];
  }

  test('are those for GitHub and GitLab', () => {
    expect(samples.map(([name]) => name)).toEqual(['GitHub Actions', 'GitLab']);
  });

  test.each(samples)(
    'run the tarball on %s, in a project that has nothing but the tarball and media',
    (_, text = '') => {
      const project = mkdtempSync(join(temporaryFolder, 'pipeline-'));
      mkdirSync(join(project, 'media'));
      mkdirSync(join(project, 'tools'));
      execFileSync('cp', [cliTarball, join(project, 'tools')]);
      writeFileSync(join(project, 'media', 'note.txt'), 'Spring is here.');
      const script = commandsOf(text).join('\n');
      const environment = {
        PATH: process.env.PATH,
        HOME: project,
        npm_config_offline: 'true',
        npm_config_cache: join(project, '.npm'),
        ASSAY_API_KEY: 'none',
        ASSAY_BASE_URL: 'http://127.0.0.1:9',
      };
      const options = { cwd: project, env: environment, encoding: 'utf8', stdio: 'pipe' } as const;
      // The service is unreachable here, so the command must get as far as asking for it.
      expect(() => execFileSync('bash', ['-e', '-c', script], options)).toThrow(
        expect.objectContaining({ status: 6, stderr: expect.stringContaining('127.0.0.1:9') }),
      );
    },
  );
});
