import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

/** Where the world’s end of the cable is, and its resolver. */
export const resolverAddress = '198.18.0.1';

export type Namespaces = {
  /** Where the service is. Whatever it sends to another machine goes down the cable. */
  service: string;
  /** At the other end: every address there is. Nothing leads out of it. */
  world: string;
  /** The command, run in one of them. `ip` becomes the command, so its process id is the command’s. */
  wrapIn(name: string): (command: string[]) => string[];
  close(): void;
};

/** Why no namespaces can be made here; undefined when they can. */
export function whyNoNamespaces(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root to make a network namespace';
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
  // Every address but those of the cable is the world's own: whoever listens there on all of them misses nobody. Not
  // in the table of local addresses, which is asked before the way back to the service is.
  for (const family of ['-4', '-6']) {
    runIp('-n', world, family, 'route', 'add', 'local', 'default', 'dev', 'lo', 'table', 'main');
  }
  // `ip netns exec` shows the files of this folder in /etc.
  mkdirSync(`/etc/netns/${service}`, { recursive: true });
  writeFileSync(`/etc/netns/${service}/resolv.conf`, `nameserver ${resolverAddress}\n`);
  return { service, world, wrapIn: (name) => (command) => ['ip', 'netns', 'exec', name, ...command], close };
}

function nameOf(role: string): string {
  return `assay-guard-${process.pid}-${randomBytes(3).toString('hex')}-${role}`;
}

/** With whoever is still in it. */
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
    // It was about to end by itself.
  }
}

/** Those of processes that were killed before they could tidy up. */
function removeStale(): void {
  for (const [name, pid] of runIp('netns', 'list').matchAll(/^assay-guard-(\d+)-\w+-\w+/gm)) {
    if (!existsSync(`/proc/${pid}`)) remove(name);
  }
}

function runIp(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
