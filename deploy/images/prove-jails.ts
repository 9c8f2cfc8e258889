import { spawnSync } from 'node:child_process';
import { imageNameOf } from './build-images.ts';
import { type Confinement, confinementOptions } from './run-image.ts';
import { installTools, settings } from './tools.ts';

/** The jail that must work in a container of each kind. */
const expectedJails: Record<Confinement, string> = { docker: 'landlock', bubblewrap: 'bubblewrap' };
/** The capabilities of each user. Root needs two, to run each tool as an ordinary user without capabilities. */
const capabilityOptions = { '10001:10001': [], '0:0': ['--cap-add', 'SETUID', '--cap-add', 'SETGID'] };

/** Runs `jail-proof` in the worker's image, as an ordinary user and as root, in containers of both kinds. */
export function proveJails(): void {
  installTools();
  for (const confinement of Object.keys(expectedJails) as Confinement[]) {
    for (const [user, capabilities] of Object.entries(capabilityOptions)) {
      const options = ['--rm', '--network', 'none', ...confinementOptions('1g', confinement, user), ...capabilities];
      const { stdout, status } = spawnSync(
        'podman',
        ['run', ...options, `${imageNameOf('worker')}:latest`, 'jail-proof', expectedJails[confinement]],
        { encoding: 'utf8', env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      console.log(`container for ${expectedJails[confinement]}, user ${user}\n${stdout}`);
      if (status !== 0) process.exitCode = 1;
    }
  }
}
