import { execFileSync, spawnSync } from 'node:child_process';

/** Installs missing Debian packages that `./setup` leaves out because few people need them. */
export function installPackages(...names: string[]): void {
  const missing = names.filter((name) => spawnSync('dpkg-query', ['-W', name]).status !== 0);
  if (missing.length === 0) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
  const apt = (...args: string[]) => {
    const [program = '', ...rest] = [...asRoot, 'apt-get', ...args];
    execFileSync(program, rest, { stdio: 'inherit' });
  };
  console.log(`apt: installing ${missing.join(' ')}`);
  apt('update', '--quiet=2');
  apt('install', '--yes', '--quiet=2', '--no-install-recommends', ...missing);
}
