import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const main = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src', 'main.ts');

export type ServerProcess = {
  child: ChildProcess;
  pid: number;
  url: string;
  metricsUrl: string;
  /** Resident memory now. */
  rssBytes(): number;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** The service as an operator starts it: a process of its own, ready once it says so. */
export async function startServerProcess(
  role: 'api' | 'worker',
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, role], {
    env: { PATH: process.env.PATH, ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; metricsUrl: string }>();
  lines.on('line', (line) => {
    const entry = JSON.parse(line);
    if (entry.msg === `${role} is up`) resolve(entry);
  });
  ended.then(([code]) => reject(new Error(`${role} ended with ${code} before it was up`)));
  const { url, metricsUrl } = await promise;
  const pid = child.pid as number;
  return {
    child,
    pid,
    url,
    metricsUrl,
    rssBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
