import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** Only `pnpm image` needs them, so ./setup does not install them. */
const packages = ['buildah', 'podman', 'runc'];

/** Runs a program with its output on the terminal; throws if it fails. */
export function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...settings } });
}

export function read(program: string, ...args: string[]): string {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, ...settings } } as const;
  return execFileSync(program, args, options).trim();
}

export const settings = { CONTAINERS_CONF: join(import.meta.dirname, 'containers.conf') };

/** Installs what is missing, with apt. */
export function installTools(...more: string[]): void {
  const isMissing = (name: string) => spawnSync('dpkg-query', ['-W', name]).status !== 0;
  const missing = [...packages, ...more].filter(isMissing);
  if (missing.length === 0) return;
  const apt = (...args: string[]) =>
    process.getuid?.() === 0 ? run('apt-get', ...args) : run('sudo', 'apt-get', ...args);
  apt('update', '--quiet=2');
  apt('install', '--yes', '--quiet=2', '--no-install-recommends', ...missing);
}
