import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf, isAlive, type Process, peakBytesOf } from '@assay/testing/faults/process-table.ts';
import type { History } from './check/history.ts';
import { signalOf, type Target } from './load/schedule.ts';

/** A program that can be started: a part of the stack or a process of the service. */
export type Program = {
  target: Target;
  /** Undefined while the program does not run. */
  pid(): number | undefined;
  /** Resolves once the program responds; rejects if it exits first. */
  start(): Promise<void>;
  /** How the program exited, if known. */
  ending?(): string;
  stop(): Promise<void>;
  /** Whether the program is paused just before it is killed, so that it cannot start child processes unnoticed. */
  isHeldFirst?: boolean;
  /** Whether its child processes must have exited before it can be restarted. */
  waitsForChildren?: boolean;
};

export type Supervisor = {
  target: Target;
  pid(): number | undefined;
  isUp(): boolean;
  /** Kills it as soon as it runs, and restarts it after this time. */
  strike(downMillis: number): Promise<void>;
  /** Pauses it and all its child processes for this time. */
  pause(millis: number): Promise<void>;
  /** Makes its clock wrong for this time; only for the API and workers, which listen to SIGUSR2. */
  jumpClock(millis: number): Promise<void>;
  /** The child processes that the program had each time it was killed. */
  struckFamilies: Process[];
  peakBytes(): number;
  stop(): Promise<void>;
};

const pollMillis = 50;
const startPauseMillis = 500;
const familyMillisMax = 10_000;

/** Restarts a program whenever it is not running, like the supervisor of a production service. */
export function supervise(program: Program, history: History): Supervisor {
  const { target } = program;
  const struckFamilies: Process[] = [];
  let isStopping = false;
  let isUp = program.pid() !== undefined;
  let wasStruck = false;
  let pauseMillis = startPauseMillis;
  let peakBytes = 0;

  const startOnce = async () => {
    const begin = history.nowMillis();
    if (program.waitsForChildren) await waitForFamily(struckFamilies);
    if (isStopping) return;
    await program.start();
    isUp = true;
    history.record({ atMillis: history.nowMillis(), op: 'up', target, millis: history.nowMillis() - begin });
  };
  const noteEnd = () => {
    if (!wasStruck && isUp && !isStopping)
      history.record({ atMillis: history.nowMillis(), op: 'ended by itself', target, how: program.ending?.() ?? '' });
    isUp = false;
    wasStruck = false;
  };
  const loop = async () => {
    while (!isStopping) {
      const pid = program.pid();
      if (pid === undefined) {
        noteEnd();
        await sleep(pauseMillis);
        pauseMillis = startPauseMillis;
        // A worker exits with 1 while Temporal is down, Temporal while PostgreSQL is down: try again.
        if (!isStopping) await startOnce().catch(() => {});
      } else {
        await sleep(pollMillis);
      }
    }
  };
  const ended = loop();
  const untilRunning = async () => {
    let pid = program.pid();
    for (; pid === undefined || !isUp; pid = program.pid()) await sleep(pollMillis);
    return pid;
  };

  return {
    target,
    pid: program.pid,
    isUp: () => isUp && program.pid() !== undefined,
    struckFamilies,
    peakBytes: () => Math.max(peakBytes, peakBytesOf(program.pid() ?? 0)),
    async strike(downMillis) {
      let pid = program.pid();
      for (; pid === undefined; pid = program.pid()) await sleep(pollMillis);
      const signal = signalOf(target);
      peakBytes = Math.max(peakBytes, peakBytesOf(pid));
      if (program.isHeldFirst) process.kill(pid, 'SIGSTOP');
      struckFamilies.push(...descendantsOf(pid));
      wasStruck = true;
      pauseMillis = downMillis;
      process.kill(pid, signal);
      history.record({ atMillis: history.nowMillis(), op: 'kill', target, signal, pid });
      while (program.pid() === pid) await sleep(pollMillis);
    },
    async pause(millis) {
      const pid = await untilRunning();
      const all = [pid, ...descendantsOf(pid).map((one) => one.pid)];
      for (const one of all) signal(one, 'SIGSTOP');
      await sleep(millis);
      for (const one of all) signal(one, 'SIGCONT');
    },
    async jumpClock(millis) {
      const pid = await untilRunning();
      signal(pid, 'SIGUSR2');
      await sleep(millis);
      if (program.pid() === pid) signal(pid, 'SIGUSR2'); // a process that was started since has the right time
    },
    async stop() {
      isStopping = true;
      await program.stop(); // otherwise this would wait for a program that is still starting
      await ended;
      await program.stop();
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has exited
  }
}

// PostgreSQL's child processes exit once they notice that their parent died; until then its shared memory is in use.
async function waitForFamily(family: Process[]): Promise<void> {
  for (const deadline = Date.now() + familyMillisMax; Date.now() < deadline; await sleep(pollMillis))
    if (!family.some(isAlive)) return;
}
