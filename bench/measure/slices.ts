import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicrosOfEndedChildren, cpuMicrosOfMachine } from '@assay/testing/measure/cpu-clock.ts';
import { type Load, type LoadRequest, type LoadSettings, sendLoad } from './load.ts';

/** What is measured: a request, and the CPU clock of every process involved. */
export type LoadTarget = { name: string; request: LoadRequest; clocks: Record<string, () => number> };

export type Slice = {
  requests: number;
  requestsPerSecond: number;
  /** The CPU time per request in each process. */
  cpuMicros: Record<string, number>;
  /** CPU used by all other programs meanwhile, as a share of all cores: the noise. */
  foreignShare: number;
};

export type SliceSettings = LoadSettings & {
  rounds: number;
  /** Requests to each target before measuring: V8 finishes optimising only after tens of thousands of calls. */
  warmUpRequests: number;
};

/** Short slices of load, alternating between the targets. */
export async function runSlices(targets: LoadTarget[], settings: SliceSettings): Promise<Map<LoadTarget, Slice[]>> {
  await warmUp(targets, settings);
  return inTurns(targets, settings.rounds, (target) => runSlice(target, settings));
}

const sliceFailuresMax = 2;

/**
 * Alternates between the targets round by round, so that a temporary disturbance affects all of them. Each round has
 * a different order, so that what one target leaves behind (dirty pages, garbage) affects each of the others.
 */
export async function inTurns<T, Result>(
  items: T[],
  rounds: number,
  run: (item: T) => Promise<Result>,
): Promise<Map<T, Result[]>> {
  const results = new Map<T, Result[]>(items.map((item) => [item, []]));
  const orders = ordersOf(items);
  for (let round = 0; round < rounds; round++) {
    for (const item of orders[round % orders.length] ?? [])
      results.get(item)?.push(await repeatFailed(() => run(item)));
  }
  return results;
}

/**
 * Requests fail when a shared host stands still for seconds, which says nothing about the target, so the slice is
 * repeated.
 */
async function repeatFailed<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let failureCount = 0; ; failureCount++) {
    try {
      return await run();
    } catch (error) {
      if (failureCount === sliceFailuresMax) throw error;
      console.log(`Repeating a slice: ${(error as Error).message}`);
    }
  }
}

async function warmUp(targets: LoadTarget[], settings: SliceSettings): Promise<void> {
  let cold = targets.map((target) => ({ target, answered: 0 }));
  while (cold.length > 0) {
    for (const one of cold) one.answered += (await repeatFailed(() => runSlice(one.target, settings))).requests;
    cold = cold.filter((one) => one.answered < settings.warmUpRequests);
  }
}

async function runSlice(target: LoadTarget, settings: SliceSettings): Promise<Slice> {
  await sleep(300, undefined, { signal: settings.signal }); // lets the previous target finish its work
  // wrk is a child process that has exited by now.
  const clocks = { ...target.clocks, wrk: () => cpuMicrosOfEndedChildren(process.pid) };
  return measureSlice(clocks, () => sendLoad(target.request, settings));
}

/** Measures the CPU time that a piece of work takes in these processes, and its rate. */
export async function measureSlice(clocks: LoadTarget['clocks'], work: () => Promise<Load>): Promise<Slice> {
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

/** All permutations, each followed by its reverse, so that in an even number of rounds no target is always first. */
function ordersOf<T>(items: T[]): T[][] {
  const indexOf = (item: T | undefined) => items.indexOf(item as T);
  const half = permutationsOf(items).filter((order) => indexOf(order[0]) <= indexOf(order.at(-1)));
  return half.flatMap((order) => [order, order.toReversed()]);
}

function permutationsOf<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first, i) => permutationsOf(items.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}
