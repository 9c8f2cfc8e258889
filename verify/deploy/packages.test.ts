import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { afterAll, describe, expect, test } from 'vitest';

/** The published packages as a user gets them: packed, unpacked, and run outside this repository. */
const temporaryFolder = mkdtempSync(join(tmpdir(), 'assay-packages-'));
afterAll(() => rmSync(temporaryFolder, { recursive: true }));
const node20 = join(root, 'node_modules/node-20/bin/node');

const sdk = unpackPackage('packages/sdk', '@assay/sdk');
const cli = unpackPackage('apps/cli', '@assay/cli');

function unpackPackage(from: string, name: string) {
  const scratch = mkdtempSync(join(temporaryFolder, 'pack-'));
  execFileSync('pnpm', ['pack', '--pack-destination', scratch], { cwd: join(root, from), stdio: 'pipe' });
  const folder = join(temporaryFolder, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  const [tarball = ''] = execFileSync('ls', [scratch], { encoding: 'utf8' }).split('\n');
  execFileSync('tar', ['-xzf', join(scratch, tarball), '--strip-components=1', '-C', folder]);
  const files = execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' }).trim().split('\n').sort();
  return { folder, files, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: temporaryFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('the packed @assay/sdk', () => {
  test('contains its scripts with their types, README, LICENSE and nothing else', () => {
    const others = sdk.files.filter((file) => !/^\.\/dist\/[\w./-]+\.(js|d\.ts)$/.test(file));
    expect(others).toEqual(['./LICENSE', './README.md', './package.json']);
    expect(sdk.files).toContain('./dist/assay.js');
    expect(sdk.files.filter((file) => file.includes('test'))).toEqual([]);
  });

  test('has no dependencies', () => {
    const { dependencies, peerDependencies, optionalDependencies } = sdk.manifest;
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
    const foreign = sdk.files
      .filter((file) => file !== './dist/node.js' && (file.endsWith('.js') || file.endsWith('.d.ts')))
      .flatMap((file) => [...readFileSync(join(sdk.folder, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)])
      .map(([, name]) => name ?? '')
      .filter((name) => !name.startsWith('.') || !name.endsWith('.js'));
    expect(foreign).toEqual([]);
  });

  test('can be imported in Node.js 20, including its entry points for files and webhooks', () => {
    const script = `
      import { Assay, NotFoundError } from '@assay/sdk';
      import { openFile } from '@assay/sdk/node';
      import { testHeaders, unwrap } from '@assay/sdk/webhooks';
      const secret = 'whsec_' + btoa('a secret of a test');
      const body = JSON.stringify({ type: 'asset.processing.completed' });
      const { type } = await unwrap(body, await testHeaders(body, secret), secret);
      const { name } = await openFile('use.mjs');
      console.log(typeof new Assay({ apiKey: 'a' }).submissions.createAndWait, NotFoundError.name, type, name);`;
    writeFileSync(join(temporaryFolder, 'use.mjs'), script);
    expect(run(node20, 'use.mjs')).toBe('function NotFoundError asset.processing.completed use.mjs\n');
  });

  test('has types that need no other package and reject incorrect use', () => {
    writeFileSync(
      join(temporaryFolder, 'use.ts'),
      `import { Assay, type Submission } from '@assay/sdk';
       import { unwrap } from '@assay/sdk/webhooks';
       const assay = new Assay();
       export const wait = async (): Promise<Submission> => assay.submissions.createAndWait({ assets: [{ blobPath: 'a' }] });
       // @ts-expect-error: an asset has a blobPath
       export const wrong = () => assay.submissions.create({ assets: [{}] });
       export const read = async (body: string) => (await unwrap(body, {}, 'a')).data.asset_id satisfies string;`,
    );
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    expect(run(join(root, 'node_modules/.bin/tsc'), '--ignoreConfig', ...options, '--types', '', 'use.ts')).toBe('');
  });
});

describe('the packed @assay/cli', () => {
  test('contains one script, README, LICENSE and nothing else', () => {
    expect(cli.files).toEqual(['./LICENSE', './README.md', './dist/assay.js', './package.json']);
    expect(cli.manifest.dependencies).toBeUndefined();
    expect(cli.manifest.bin).toEqual({ assay: './dist/assay.js' });
  });

  test('runs on Node.js 20 and prints its version', () => {
    expect(run(node20, join(cli.folder, 'dist/assay.js'), '--version').trim()).toBe(cli.manifest.version);
  });
});
