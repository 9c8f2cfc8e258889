import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgain } from '../../stack/control.ts';
import type { Instance } from '../../stack/instance.ts';
import type { Part } from '../../stack/part.ts';
import { postgres } from '../../stack/parts/postgres.ts';
import { temporal } from '../../stack/parts/temporal.ts';
import { pidOf } from '../../stack/process.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import type { Program } from './keeper.ts';
import type { Target } from './schedule.ts';

const main = join(import.meta.dirname, '..', '..', 'apps', 'server', 'src', 'main.ts');
const stopMillisMax = 30_000;

const MiB = 1024 * 1024;
const temporalHeapBytesMax = 1024 * MiB;
const temporalDataBytesMax = 3 * temporalHeapBytesMax;

/** Temporal's memory grows with what it has seen: told to stay below the one limit, and ended by the other. */
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

/** A part of the stack, started again in place: its data and its ports stay. */
export function partProgram(instance: Instance, part: Part): Program {
  return {
    target: part.name as Target,
    pid: () => pidOf(instance, part.name),
    start: () => startAgain(instance, part),
    stop: async () => {}, // the stack goes down as a whole
    needsEmptyHouse: part.name === postgres.name,
  };
}

/** `main.ts migrate`, to its end. */
export async function runMigrate(environment: Record<string, string>): Promise<void> {
  const env = { ...nodeEnvironment, ...environment };
  const child = spawn(process.execPath, [main, 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`migrate ended with ${code}`);
}

/** The API or a worker as an operator starts it, at the same address each time; its output goes to a log. */
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
      // A worker is healthy before it has reached the engine, and ends if the engine is away: then it never was up.
      const saysThatItIsUp = () =>
        role === 'api' || readFileSync(logFile).subarray(earlierBytes).includes('worker is up');
      const started = spawn(process.execPath, [...preloads.flatMap((file) => ['--import', file]), main, role], {
        env: { ...nodeEnvironment, ...environment },
        stdio: ['ignore', log, log],
        detached: true, // what is sent to this process and its group is not meant for them
      });
      closeSync(log);
      child = started;
      while (!((await answers(healthUrl)) && saysThatItIsUp())) {
        if (!isRunning()) throw new Error(`${target} ended right after its start; its log is ${logFile}`);
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

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}
