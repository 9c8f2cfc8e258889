import { spawnSync } from 'node:child_process';
import { imageNameOf } from './build-images.ts';
import { type Confinement, confinementOptions } from './run-image.ts';
import { installTools, settings } from './tools.ts';

/** How a container is confined → the jail that must work in it. */
const expected: Record<Confinement, string> = { docker: 'landlock', bubblewrap: 'bubblewrap' };
/** User → capabilities. Root needs these two to run each tool as an ordinary user without capabilities. */
const users = { '10001:10001': [], '0:0': ['--cap-add', 'SETUID', '--cap-add', 'SETGID'] };

/** Runs `jail-proof` in the worker's image, as an ordinary user and as root, in containers of both kinds. */
export function proveJails(): void {
  installTools();
  for (const confinement of Object.keys(expected) as Confinement[]) {
    for (const [user, capabilities] of Object.entries(users)) {
      const options = ['--rm', '--network', 'none', ...confinementOptions('1g', confinement, user), ...capabilities];
      const { stdout, status } = spawnSync(
        'podman',
        ['run', ...options, `${imageNameOf('worker')}:latest`, 'jail-proof', expected[confinement]],
        { encoding: 'utf8', env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      console.log(`container for ${expected[confinement]}, user ${user}\n${stdout}`);
      if (status !== 0) process.exitCode = 1;
    }
  }
}
