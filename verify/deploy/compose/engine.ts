import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';

export const composeProject = 'assay-compose-check';
const namespace = composeProject;
const settings = {
  CONTAINERS_CONF: join(import.meta.dirname, 'containers.conf'),
  DISABLE_HC_SYSTEMD: 'true', // without systemd, podman does not run health checks; `checkHealth` runs them
};

/** Arguments of nsenter that run a command in the engine's network namespace. */
export const inNamespace = (...command: string[]) => [`--net=/run/netns/${namespace}`, ...command];

/**
 * Starts podman with Docker's API on a socket, in a separate network namespace, where its bridges, firewall rules and
 * published ports do not affect the host.
 */
export async function openEngine(socket: string) {
  if (process.getuid?.() !== 0) throw new Error('pnpm compose-check creates a network namespace: run it as root.');
  removeLeftovers();
  execFileSync('ip', ['netns', 'add', namespace]);
  execFileSync('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
  // A bridge takes the lowest hardware address of its ports. When a container starts or stops, the others must be told
  // of the change, or they lose the DNS server for half a minute. Docker gives its bridges a fixed address.
  execFileSync('nsenter', inNamespace('sh', '-c', 'echo 1 >/proc/sys/net/ipv4/conf/all/arp_notify'));
  const service = spawn('nsenter', inNamespace('podman', 'system', 'service', '--time', '0', `unix://${socket}`), {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const agent = new Agent({ connect: { socketPath: socket } });
  const call = async (path: string) =>
    (await fetch(`http://podman/v4.0.0/libpod/${path}`, { dispatcher: agent })).json() as Promise<unknown>;

  for (let tries = 0; !existsSync(socket); tries += 1) {
    if (tries > 100 || service.exitCode !== null) throw new Error('podman system service does not start');
    await sleep(100);
  }
  let isOpen = true;
  const checking = checkHealth(call, () => isOpen);
  return {
    /** What Compose has created and not deleted. */
    listLeftovers,
    printLogs,
    async close(): Promise<void> {
      isOpen = false;
      await checking;
      await agent.close();
      if (service.kill('SIGTERM')) await once(service, 'exit');
      removeLeftovers();
    },
  };
}

/** Instead of systemd's timers: every second, for each container that is not healthy yet. */
async function checkHealth(call: (path: string) => Promise<unknown>, isOpen: () => boolean): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ status: ['running'], health: ['starting', 'unhealthy'] }));
  while (isOpen()) {
    // A failure of this command says nothing about health: the container has stopped meanwhile, or the engine is gone,
    // which the walk notices too.
    const containers = await call(`containers/json?filters=${filters}`).catch(() => []);
    await Promise.all(
      (containers as { Id: string }[]).map(({ Id }) => call(`containers/${Id}/healthcheck`).catch(() => {})),
    );
    await sleep(1000);
  }
}

const projectFilter = ['--filter', `label=com.docker.compose.project=${composeProject}`];

function listLeftovers(): string[] {
  return [
    ...podman('ps', '--all', '--quiet', ...projectFilter),
    ...podman('volume', 'ls', '--quiet', ...projectFilter),
    ...podman('network', 'ls', '--quiet', ...projectFilter),
  ];
}

function printLogs(): void {
  for (const name of podman('ps', '--all', '--format', '{{.Names}}', ...projectFilter)) {
    console.error(`\n== ${name}`);
    spawnSync('podman', ['logs', '--tail', '15', name], { stdio: 'inherit', env: { ...process.env, ...settings } });
  }
}

/** Removes what this run, or an earlier run that was killed, has left behind. */
function removeLeftovers(): void {
  if (!existsSync(`/run/netns/${namespace}`)) execFileSync('ip', ['netns', 'add', namespace]);
  const remove = (list: string[], ...command: string[]) => list.length > 0 && podman(...command, ...list);
  remove(podman('ps', '--all', '--quiet', ...projectFilter), 'rm', '--force', '--time', '0', '--depend');
  remove(podman('volume', 'ls', '--quiet', ...projectFilter), 'volume', 'rm');
  remove(podman('network', 'ls', '--quiet', ...projectFilter), 'network', 'rm');
  // Kills the DNS server of the network and processes left from health checks. Some may have exited meanwhile.
  spawnSync('kill', ['-KILL', ...linesOf(execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' }))]);
  execFileSync('ip', ['netns', 'delete', namespace]);
}

function podman(...args: string[]): string[] {
  const options = { encoding: 'utf8', env: { ...process.env, ...settings } } as const;
  return linesOf(execFileSync('nsenter', inNamespace('podman', ...args), options));
}

const linesOf = (text: string) => text.split('\n').filter(Boolean);
