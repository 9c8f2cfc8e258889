import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicrosOfEndedChildren, cpuMicrosOfMachine } from './cpu-clock.ts';
import { type Load, type LoadSettings, type Request, sendLoad } from './load.ts';

/** What is measured: a request, and a clock for the CPU time of every process that takes part. */
export type Target = { name: string; request: Request; clocks: Record<string, () => number> };

export type Slice = {
  requests: number;
  requestsPerSecond: number;
  /** Name of a process → what one request cost it. */
  cpuMicros: Record<string, number>;
  /** What everyone else on the machine took meanwhile, as a share of all cores: the noise. */
  foreignShare: number;
};

export type SliceSettings = LoadSettings & {
  rounds: number;
  /** Each target answers so many first: V8 gives code its last form only after tens of thousands of calls. */
  warmUpRequests: number;
};

/** Short slices of load in turns. */
export async function runSlices(targets: Target[], settings: SliceSettings): Promise<Map<Target, Slice[]>> {
  await warmUp(targets, settings);
  return inTurns(targets, settings.rounds, (target) => runSlice(target, settings));
}

/**
 * Each in its turn, round by round, so that whatever slows the machine for a while slows all alike. Each round
 * takes another order: what one leaves behind (dirty pages, garbage) then meets each of the others.
 */
export async function inTurns<T, Result>(
  items: T[],
  rounds: number,
  run: (item: T) => Promise<Result>,
): Promise<Map<T, Result[]>> {
  const results = new Map<T, Result[]>(items.map((item) => [item, []]));
  const orders = ordersOf(items);
  for (let round = 0; round < rounds; round++) {
    for (const item of orders[round % orders.length] ?? []) results.get(item)?.push(await run(item));
  }
  return results;
}

async function warmUp(targets: Target[], settings: SliceSettings): Promise<void> {
  let cold = targets.map((target) => ({ target, answered: 0 }));
  while (cold.length > 0) {
    for (const one of cold) one.answered += (await runSlice(one.target, settings)).requests;
    cold = cold.filter((one) => one.answered < settings.warmUpRequests);
  }
}

async function runSlice(target: Target, settings: SliceSettings): Promise<Slice> {
  await sleep(300, undefined, { signal: settings.signal }); // the target before ends its own work
  // wrk is a child that has ended when it is looked at.
  const clocks = { ...target.clocks, wrk: () => cpuMicrosOfEndedChildren(process.pid) };
  return measure(clocks, () => sendLoad(target.request, settings));
}

/** What a piece of work took from these processes, and how fast it was done. */
export async function measure(clocks: Target['clocks'], work: () => Promise<Load>): Promise<Slice> {
  const read = () => Object.entries(clocks).map(([name, clock]) => [name, clock()] as const);
  const [machineBefore, before] = [cpuMicrosOfMachine(), read()];
  const { requests, micros } = await work();
  const spent = read().map(([name, now], i) => [name, now - (before[i]?.[1] ?? 0)] as const);
  const foreign = cpuMicrosOfMachine() - machineBefore - spent.reduce((sum, [, cpu]) => sum + cpu, 0);
  return {
    requests,
    requestsPerSecond: requests / (micros / 1e6),
    cpuMicros: Object.fromEntries(spent.map(([name, cpu]) => [name, cpu / requests])),
    foreignShare: Math.max(0, foreign) / (micros * availableParallelism()),
  };
}

/** All orders there are, each followed by its reverse, so that an even number of rounds leaves nobody always first. */
function ordersOf<T>(items: T[]): T[][] {
  const indexOf = (item: T | undefined) => items.indexOf(item as T);
  const half = permute(items).filter((order) => indexOf(order[0]) <= indexOf(order.at(-1)));
  return half.flatMap((order) => [order, order.toReversed()]);
}

function permute<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first, i) => permute(items.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}
