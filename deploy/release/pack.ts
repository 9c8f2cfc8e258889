import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const published = ['packages/sdk', 'apps/cli'];

/**
 * Writes a tarball of the SDK and of the command line to this folder, and returns their paths. Each installs alone: the
 * SDK has no dependencies, and those of the command line are bundled. Both have the version of the service.
 */
export function packPackages(folder: string): string[] {
  const { version } = readManifest(root);
  mkdirSync(folder, { recursive: true });
  return published.map((from) => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-pack-'));
    try {
      execFileSync('pnpm', ['pack', '--pack-destination', scratch], { cwd: join(root, from), stdio: 'pipe' });
      const [packed = ''] = readdirSync(scratch);
      execFileSync('tar', ['-xzf', join(scratch, packed), '-C', scratch]);
      const contents = join(scratch, 'package');
      // What remains is for those who install the package; the rest is for those who build it.
      const { devDependencies: _, scripts: __, ...manifest } = readManifest(contents);
      writeFileSync(join(contents, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
      const tarball = join(resolve(folder), `${manifest.name.replace('@', '').replace('/', '-')}-${version}.tgz`);
      execFileSync('tar', ['-czf', tarball, '-C', scratch, 'package']);
      return tarball;
    } finally {
      rmSync(scratch, { recursive: true });
    }
  });
}

function readManifest(folder: string): { name: string; version: string; devDependencies?: object; scripts?: object } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
