import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from '@assay/stack/install-packages.ts';

export const root = join(import.meta.dirname, '..', '..');

/** Packages that only `pnpm image` needs, so ./setup does not install them. */
const packages = ['buildah', 'podman', 'runc'];

/** Runs a program with its output on the terminal; throws if it fails. */
export function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...settings } });
}

export function readOutput(program: string, ...args: string[]): string {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, ...settings } } as const;
  return execFileSync(program, args, options).trim();
}

export const settings = { CONTAINERS_CONF: join(import.meta.dirname, 'containers.conf') };

/** Installs missing packages that `pnpm image` needs, and the given ones. */
export const installTools = (...more: string[]) => installPackages(...packages, ...more);
