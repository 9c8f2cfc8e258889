import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const requireOfServer = createRequire(new URL('../../apps/server/package.json', import.meta.url));

/** The version of a package as the server resolves it. */
export function packageVersion(name: string): string {
  return (requireOfServer(`${name}/package.json`) as { version: string }).version;
}

export function wrkVersion(): string {
  const { stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' }); // wrk -v always exits with 1
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? 'unknown';
}
