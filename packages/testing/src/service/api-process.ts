import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeEnvironment } from '../run/node-environment.ts';
import { root } from '../run/root.ts';

const main = join(root, 'apps', 'server', 'src', 'main.ts');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The Node flags that `pnpm start` uses. */
const nodeFlags: string[] = scripts['start:api'].match(/--max\S+/g);

export type ServerProcess = {
  child: ChildProcess;
  pid: number;
  url: string;
  metricsUrl: string;
  /** Resolves with exit code and signal once the process has exited. */
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  /** Current resident memory. */
  rssBytes(): number;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

export type ProcessOptions = {
  /** A module that is loaded before the service. */
  preload?: string;
  /** Wraps the command, for example to run the service as a different user. */
  wrap?(command: string[]): string[];
  /** Called with every entry of the service's log. */
  onEntry?(entry: Record<string, unknown>): void;
};

/** Starts the service in its own process, as an operator does. Resolves once it logs that it is up. */
export async function startServerProcess(
  role: 'api' | 'worker',
  environment: Record<string, string>,
  { preload, wrap = (command) => command, onEntry = () => {} }: ProcessOptions = {},
): Promise<ServerProcess> {
  const [program = '', ...args] = wrap([
    process.execPath,
    ...nodeFlags,
    ...(preload ? ['--import', preload] : []),
    main,
    role,
  ]);
  const child = spawn(program, args, {
    env: { ...nodeEnvironment, ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as ServerProcess['ended'];
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; metricsUrl: string }>();
  lines.on('line', (line) => {
    const entry = JSON.parse(line);
    onEntry(entry);
    if (entry.msg === `${role} is up`) resolve(entry);
  });
  void ended.then(([code]) => reject(new Error(`${role} exited with ${code} before it was up`)));
  const { url, metricsUrl } = await promise;
  const pid = child.pid as number;
  return {
    child,
    pid,
    url,
    metricsUrl,
    ended,
    rssBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
