import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { root as rootOfThis } from '@assay/testing/run/root.ts';
import { type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';

export type VersionName = 'previous' | 'new';
export type Version = { name: VersionName; commit: string; root: string };
export type Role = 'api' | 'worker';
type Environment = Record<string, string>;

const errorLevels = ['error', 'fatal'];

/** Runs a command of `main.ts` to its end and returns its output. */
export async function runCommand({ root }: Version, args: string[], environment: Environment): Promise<string> {
  const main = join(root, 'apps', 'server', 'src', 'main.ts');
  const env = { ...nodeEnvironment, ...environment };
  return (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout;
}

/** Starts processes of both versions and collects the errors that they log. */
export function createStarter(environment: Environment, logFile: string) {
  const running = new Set<ServerProcess>();
  /** The version of each worker, by its pid. */
  const workers = new Map<number, VersionName>();
  const errors: string[] = [];
  // None of the processes may outlive this one, even if it is interrupted.
  process.on('exit', () => {
    for (const { child } of running) child.kill();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  return {
    workers,
    errors,
    async start({ name, root }: Version, role: Role): Promise<ServerProcess> {
      const one = await startServerProcess(role, environment, {
        wrap: (command) =>
          command.map((word) => (word.startsWith(rootOfThis) ? root + word.slice(rootOfThis.length) : word)),
        onEntry(entry) {
          appendFileSync(logFile, `${JSON.stringify({ process: `${name} ${role}`, ...entry })}\n`);
          if (errorLevels.includes(entry.level as string)) errors.push(`${name} ${role}: ${describeError(entry)}`);
        },
      });
      running.add(one);
      if (role === 'worker') workers.set(one.pid, name);
      void one.ended.then(([code, signal]) => {
        running.delete(one);
        if (code !== 0) errors.push(`${name} ${role}: exited with ${code ?? signal}`);
      });
      return one;
    },
    async stopAll(): Promise<void> {
      await Promise.all([...running].map((one) => one.stop()));
    },
  };
}

function describeError({ msg, err }: Record<string, unknown>): string {
  const reason = (err as { message?: string } | undefined)?.message;
  return reason ? `${msg} (${reason})` : String(msg);
}
