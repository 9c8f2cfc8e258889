import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgain } from '@assay/stack/control.ts';
import type { Instance } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { temporal } from '@assay/stack/parts/temporal.ts';
import { pidOf } from '@assay/stack/process.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { root } from '@assay/testing/run/root.ts';
import type { Target } from './load/schedule.ts';
import type { Program } from './supervisor.ts';

const main = join(root, 'apps', 'server', 'src', 'main.ts');
const stopMillisMax = 30_000;

const MiB = 1024 * 1024;
const temporalHeapBytesMax = 1024 * MiB;
const temporalDataBytesMax = 3 * temporalHeapBytesMax;

/**
 * Temporal's memory grows over time: `GOMEMLIMIT` is a target for its garbage collector, and exceeding the data limit
 * ends it.
 */
export const boundTemporal: Part = {
  ...temporal,
  command(instance) {
    const { program, args, env, ...rest } = temporal.command(instance);
    return {
      ...rest,
      program: 'prlimit',
      args: [`--data=${temporalDataBytesMax}`, program, ...args],
      env: { ...env, GOMEMLIMIT: String(temporalHeapBytesMax) },
    };
  },
};

/** A part of the stack, restarted in place with the same data and ports. */
export function partProgram(instance: Instance, part: Part): Program {
  return {
    target: part.name as Target,
    pid: () => pidOf(instance, part.name),
    start: () => startAgain(instance, part),
    stop: async () => {}, // the whole stack is stopped at the end
    waitsForChildren: part.name === postgres.name,
  };
}

/** Runs `main.ts migrate` and waits for it. */
export async function runMigrate(environment: Record<string, string>): Promise<void> {
  const env = { ...nodeEnvironment, ...environment };
  const child = spawn(process.execPath, [main, 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`migrate exited with ${code}`);
}

/** The API or a worker, started as an operator does, always at the same address; its output goes to a log. */
export function serverProgram(
  target: Target,
  role: 'api' | 'worker',
  environment: Record<string, string>,
  { healthUrl, logFile, preloads }: { healthUrl: string; logFile: string; preloads: string[] },
): Program {
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    target,
    pid: () => (isRunning() ? child?.pid : undefined),
    isHeldFirst: true,
    ending: () => `code ${child?.exitCode}, signal ${child?.signalCode}`,
    async start() {
      const log = openSync(logFile, 'a');
      const earlierBytes = statSync(logFile).size;
      // A worker reports healthy before it has reached the engine, and exits if the engine is down; such a worker was
      // never up.
      const saysThatItIsUp = () =>
        role === 'api' || readFileSync(logFile).subarray(earlierBytes).includes('worker is up');
      const started = spawn(process.execPath, [...preloads.flatMap((file) => ['--import', file]), main, role], {
        env: { ...nodeEnvironment, ...environment },
        stdio: ['ignore', log, log],
        detached: true, // signals to this process group must not reach the program
      });
      closeSync(log);
      child = started;
      while (!((await isResponding(healthUrl)) && saysThatItIsUp())) {
        if (!isRunning()) throw new Error(`${target} exited right after it was started; see ${logFile}`);
        await sleep(100);
      }
    },
    async stop() {
      if (!child || !isRunning()) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), stopMillisMax);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function isResponding(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.ok,
    () => false,
  );
}
