import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root as rootOfThis } from '@assay/testing/run/root.ts';
import type { Version } from './version.ts';

const git = (...args: string[]) => execFileSync('git', args, { cwd: rootOfThis, encoding: 'utf8' }).trim();

/** The newest release before this commit, or the parent commit if there is no tag. */
export function findPrevious(): string {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^');
  } catch {
    return 'HEAD^';
  }
}

/**
 * Checks out a version next to this one and installs it as an operator does. An earlier checkout that was kept is
 * reused.
 */
export function checkOut(revision: string): Version & { remove(): void } {
  const commit = git('rev-parse', '--short', `${revision}^{commit}`);
  const root = join(tmpdir(), `assay-upgrade-${commit}`);
  if (!existsSync(root)) git('worktree', 'add', '--detach', root, commit);
  // The environment without the variables that pnpm sets for scripts of this checkout.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_/i.test(name)));
  const pnpm = (...args: string[]) => execFileSync('pnpm', args, { cwd: root, env, stdio: ['ignore', 'ignore', 2] });
  try {
    pnpm('install', '--frozen-lockfile', '--offline');
  } catch {
    pnpm('install', '--frozen-lockfile'); // its dependencies differ from those of this version
  }
  pnpm('kernel');
  pnpm('bundle');
  return { name: 'previous', commit, root, remove: () => void git('worktree', 'remove', '--force', root) };
}

/** This checkout, with its uncommitted changes. */
export function describeThis(): Version {
  const isChanged = git('status', '--porcelain') !== '';
  return {
    name: 'new',
    commit: git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : ''),
    root: rootOfThis,
  };
}
