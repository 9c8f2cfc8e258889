import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { imageNameOf } from './build-images.ts';
import { installTools, readOutput, root, settings } from './tools.ts';

const seccompModule = 'github.com/moby/profiles/seccomp@v0.2.3';
const environmentFile = join(root, '.stack/dev/env');

export type Confinement = 'docker' | 'bubblewrap';
const wantedConfinement: Confinement = process.env.ASSAY_IMAGE_JAIL === 'bubblewrap' ? 'bubblewrap' : 'docker';

/**
 * The podman options for a container that is confined as by Docker with `--read-only --cap-drop ALL` and its default
 * system call filter. bubblewrap needs an unmasked /proc and a filter that permits namespaces, as podman's does.
 */
export function confinementOptions(memory: string, confinement = wantedConfinement, user = '10001:10001'): string[] {
  const option = confinement === 'bubblewrap' ? 'unmask=ALL' : `seccomp=${dockerSeccompProfile()}`;
  return [
    ...['--no-healthcheck', '--read-only', '--tmpfs', '/tmp:size=1g,mode=1777', '--user', user],
    ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--security-opt', option],
    ...['--memory', memory, '--memory-swap', memory],
  ];
}

/**
 * The options for access to the stack. The container shares the host network, because the stack listens on loopback.
 */
export function stackOptions(): string[] {
  return [
    ...['--network', 'host', '--env-file', environmentFile],
    ...['--env', 'API_HOST=127.0.0.1', '--env', 'METRICS_HOST=127.0.0.1'],
  ];
}

/** Runs a role in the foreground, and returns its exit code. */
export async function runImage([role = 'api', ...args]: string[]): Promise<number> {
  installTools();
  if (!existsSync(environmentFile)) throw new Error('the stack is not up: run pnpm stack up first');
  const image = `${imageNameOf(role === 'worker' ? 'worker' : 'api')}:latest`;
  const podman = spawn(
    'podman',
    ['run', '--rm', ...confinementOptions('1g'), ...stackOptions(), image, role, ...args],
    {
      stdio: 'inherit',
      env: { ...process.env, ...settings },
    },
  );
  const ignore = () => {}; // podman passes the signal on and exits with the container
  process.on('SIGINT', ignore).on('SIGTERM', () => podman.kill('SIGTERM'));
  const [code] = await once(podman, 'exit');
  return code ?? 1;
}

/** The path of Docker's default seccomp profile, from the Go module that Docker is built with. */
function dockerSeccompProfile(): string {
  const { Dir } = JSON.parse(readOutput('go', 'mod', 'download', '-json', seccompModule)) as { Dir: string };
  return join(Dir, 'default.json');
}
