import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTools, run } from './tools.ts';

const debianImage = 'docker.io/library/debian:12-slim';
const npmVersion = '11';

/** Folders that Debian's slim images leave out. */
const leftOut = ['doc', 'groff', 'info', 'linda', 'lintian', 'locale', 'man'];

/**
 * Makes stand-ins for the base images, for a machine that reaches Debian's mirrors and the npm registry but no image
 * registry. They have the same names, so that the Dockerfile needs no change.
 */
export function makeBases(): void {
  installTools('mmdebstrap');
  const scratch = mkdtempSync(join(tmpdir(), 'assay-bases-'));
  try {
    const archive = join(scratch, 'debian.tar');
    const options = [
      ...['--mode=root', '--variant=minbase', '--aptopt=APT::Install-Recommends "false"'],
      // Otherwise a package that merges /usr brings all of Perl with it.
      ...['--include=usr-is-merged', '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr'],
      ...leftOut.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
    ];
    run('mmdebstrap', ...options, 'bookworm', archive);
    run('podman', 'import', '--quiet', archive, debianImage);

    const local = join(scratch, 'root/usr/local');
    mkdirSync(join(local, 'bin'), { recursive: true });
    cpSync(process.execPath, join(local, 'bin/node')); // pnpm runs this script with the pinned version
    run('npm', 'install', '--global', '--silent', '--prefix', local, `npm@${npmVersion}`);
    symlinkSync('node', join(local, 'bin/nodejs'));
    writeFileSync(join(scratch, 'Dockerfile'), `FROM ${debianImage}\nCOPY root/ /\n`);
    const node = `docker.io/library/node:${process.versions.node}-bookworm-slim`;
    run('buildah', 'bud', '--quiet', '--pull-never', '--isolation', 'chroot', '--tag', node, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
