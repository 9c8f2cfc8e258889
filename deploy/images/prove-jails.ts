import { spawnSync } from 'node:child_process';
import { nameOf } from './build-images.ts';
import { type Confinement, lockedUp } from './run-image.ts';
import { installTools, settings } from './tools.ts';

/** How a container is confined → the jail that must hold in it. */
const expected: Record<Confinement, string> = { docker: 'landlock', bubblewrap: 'bubblewrap' };
/** User → capabilities. Root gives them up for each tool, by changing to an ordinary user, which takes these two. */
const users = { '10001:10001': [], '0:0': ['--cap-add', 'SETUID', '--cap-add', 'SETGID'] };

/** Runs `jail-proof` in the worker's image, as an ordinary user and as root, in containers of both kinds. */
export function proveJails(): void {
  installTools();
  for (const confinement of Object.keys(expected) as Confinement[]) {
    for (const [user, capabilities] of Object.entries(users)) {
      const options = ['--rm', '--network', 'none', ...lockedUp('1g', confinement, user), ...capabilities];
      const { stdout, status } = spawnSync(
        'podman',
        ['run', ...options, `${nameOf('worker')}:latest`, 'jail-proof', expected[confinement]],
        { encoding: 'utf8', env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      console.log(`container for ${expected[confinement]}, user ${user}\n${stdout}`);
      if (status !== 0) process.exitCode = 1;
    }
  }
}
