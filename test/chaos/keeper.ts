import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';
import { familyOf, isAlive, type Process, peakBytesOf } from './process-table.ts';
import { signalOf, type Target } from './schedule.ts';

/** A program that can be started: a part of the stack, or a process of the service. */
export type Program = {
  target: Target;
  /** Of the running one. */
  pid(): number | undefined;
  /** Resolves once it answers, rejects when it ends before. */
  start(): Promise<void>;
  /** How it ended, where that is known. */
  ending?(): string;
  stop(): Promise<void>;
  /** Held still for the moment before it is killed, so that nothing is started which is not known of. */
  isHeldFirst?: boolean;
  /** What it had started must be gone before it can start again. */
  needsEmptyHouse?: boolean;
};

export type Keeper = {
  target: Target;
  pid(): number | undefined;
  isUp(): boolean;
  /** Kills it as soon as it runs, and starts it again after so long. */
  strike(downMillis: number): Promise<void>;
  /** Stops it, with all that it has started, and lets it go on after so long. */
  pause(millis: number): Promise<void>;
  /** Its clock is wrong for so long; of API and workers, which listen to SIGUSR2. */
  jumpClock(millis: number): Promise<void>;
  /** What it had started when it was struck. */
  struckFamilies: Process[];
  peakBytes(): number;
  stop(): Promise<void>;
};

const lookMillis = 50;
const startPauseMillis = 500;
const familyMillisMax = 10_000;

/** Starts a program whenever it does not run, as whoever runs a service lets its supervisor do. */
export function keep(program: Program, history: History): Keeper {
  const { target } = program;
  const struckFamilies: Process[] = [];
  let isStopping = false;
  let isUp = program.pid() !== undefined;
  let wasStruck = false;
  let pauseMillis = startPauseMillis;
  let peakBytes = 0;

  const startOnce = async () => {
    const begin = history.nowMillis();
    if (program.needsEmptyHouse) await waitForFamily(struckFamilies);
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
        // A worker ends with 1 while Temporal is away, Temporal while PostgreSQL is: it is tried again.
        if (!isStopping) await startOnce().catch(() => {});
      } else {
        await sleep(lookMillis);
      }
    }
  };
  const ended = loop();
  const untilRunning = async () => {
    let pid = program.pid();
    for (; pid === undefined || !isUp; pid = program.pid()) await sleep(lookMillis);
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
      for (; pid === undefined; pid = program.pid()) await sleep(lookMillis);
      const signal = signalOf(target);
      peakBytes = Math.max(peakBytes, peakBytesOf(pid));
      if (program.isHeldFirst) process.kill(pid, 'SIGSTOP');
      struckFamilies.push(...familyOf(pid));
      wasStruck = true;
      pauseMillis = downMillis;
      process.kill(pid, signal);
      history.record({ atMillis: history.nowMillis(), op: 'kill', target, signal, pid });
      while (program.pid() === pid) await sleep(lookMillis);
    },
    async pause(millis) {
      const pid = await untilRunning();
      const all = [pid, ...familyOf(pid).map((one) => one.pid)];
      for (const one of all) signal(one, 'SIGSTOP');
      await sleep(millis);
      for (const one of all) signal(one, 'SIGCONT');
    },
    async jumpClock(millis) {
      const pid = await untilRunning();
      signal(pid, 'SIGUSR2');
      await sleep(millis);
      if (program.pid() === pid) signal(pid, 'SIGUSR2'); // one that was started since has the right time
    },
    async stop() {
      isStopping = true;
      await program.stop(); // one that is on its way up would else be waited for
      await ended;
      await program.stop();
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended meanwhile
  }
}

// PostgreSQL's own children notice that it died and leave; until then its shared memory is taken.
async function waitForFamily(family: Process[]): Promise<void> {
  for (const deadline = Date.now() + familyMillisMax; Date.now() < deadline; await sleep(lookMillis))
    if (!family.some(isAlive)) return;
}
