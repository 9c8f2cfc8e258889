import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

/** The world’s end of the veth pair, and the address of its resolver. */
export const resolverAddress = '198.18.0.1';

export type Namespaces = {
  /** The service’s namespace. Everything that it sends to another host goes through the veth pair. */
  service: string;
  /** The namespace at the other end of the veth pair, which has every address. There is no route out of it. */
  world: string;
  /** Runs the command in one of the namespaces. `ip` execs the command, so the process id is the command’s. */
  wrapIn(name: string): (command: string[]) => string[];
  close(): void;
};

/** Why namespaces cannot be created here; undefined if they can. */
export function whyNoNamespaces(): string | undefined {
  if (process.getuid?.() !== 0) return 'creating a network namespace needs root';
  const name = nameOf('trial');
  try {
    runIp('netns', 'add', name);
    runIp('netns', 'delete', name);
    execFileSync('openssl', ['version'], { stdio: 'pipe' });
  } catch (error) {
    return (error as Error).message;
  }
}

export function openNamespaces(): Namespaces {
  removeStale();
  const [service, world] = [nameOf('service'), nameOf('world')];
  const close = () => {
    process.off('exit', close);
    for (const name of [service, world]) remove(name);
  };
  process.on('exit', close);

  for (const name of [service, world]) {
    runIp('netns', 'add', name);
    runIp('-n', name, 'link', 'set', 'lo', 'up');
  }
  runIp('link', 'add', 'cable', 'netns', service, 'type', 'veth', 'peer', 'name', 'cable', 'netns', world);
  for (const [name, end] of [[service, 2] as const, [world, 1] as const]) {
    runIp('-n', name, 'address', 'add', `198.18.0.${end}/30`, 'dev', 'cable');
    runIp('-n', name, 'address', 'add', `2001:2::${end}/64`, 'dev', 'cable', 'nodad');
    runIp('-n', name, 'link', 'set', 'cable', 'up');
  }
  runIp('-n', service, 'route', 'add', 'default', 'via', resolverAddress);
  runIp('-n', service, '-6', 'route', 'add', 'default', 'via', '2001:2::1');
  // Every address except those of the veth pair is local to the world, so a listener on all addresses sees every
  // connection. The route is not in the table `local`, which would take precedence over the route back to the service.
  for (const family of ['-4', '-6']) {
    runIp('-n', world, family, 'route', 'add', 'local', 'default', 'dev', 'lo', 'table', 'main');
  }
  // `ip netns exec` mounts the files of this folder in /etc.
  mkdirSync(`/etc/netns/${service}`, { recursive: true });
  writeFileSync(`/etc/netns/${service}/resolv.conf`, `nameserver ${resolverAddress}\n`);
  return { service, world, wrapIn: (name) => (command) => ['ip', 'netns', 'exec', name, ...command], close };
}

function nameOf(role: string): string {
  return `assay-guard-${process.pid}-${randomBytes(3).toString('hex')}-${role}`;
}

/** Removes the namespace and kills all processes in it. */
function remove(name: string): void {
  rmSync(`/etc/netns/${name}`, { recursive: true, force: true });
  if (existsSync('/etc/netns') && readdirSync('/etc/netns').length === 0) rmSync('/etc/netns', { recursive: true });
  if (!existsSync(`/run/netns/${name}`)) return;
  for (const pid of runIp('netns', 'pids', name).split('\n').filter(Boolean)) kill(Number(pid));
  runIp('netns', 'delete', name);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited by itself.
  }
}

/** Removes namespaces of processes that were killed before they could clean up. */
function removeStale(): void {
  for (const [name, pid] of runIp('netns', 'list').matchAll(/^assay-guard-(\d+)-\w+-\w+/gm)) {
    if (!existsSync(`/proc/${pid}`)) remove(name);
  }
}

function runIp(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
