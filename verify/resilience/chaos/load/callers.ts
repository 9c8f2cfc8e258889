import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@assay/testing/run/random.ts';
import type { Mode } from '../check/history.ts';
import type { World } from '../world.ts';
import { type Client, openClient, untilDecided } from './client.ts';
import type { RealFile } from './files.ts';
import { arrive, type LoadLimits, openCallerPool, poissonGapMillis } from './load.ts';
import type { Planner } from './plans.ts';
import { type Plan, runSession, type Tally, uploadDirect } from './session.ts';

const simulationBlobCount = 4;
const finalReadersCount = 8;
const finalReadMillisMax = 120_000;
const pollMillis = 20;

export type Callers = ReturnType<typeof openCallers>;

/** Starts clients, and keeps all clients so far and the pool of active ones. */
export function openCallers({ address }: World, over: AbortSignal) {
  const { history } = address;
  const clients: Client[] = [];
  const tally: Tally = { acknowledged: 0, settled: 0, deleted: 0 };
  /** Clients whose submission is not settled. */
  const unsettled: Record<Mode, Set<number>> = { live: new Set(), sandbox: new Set() };
  /** For each kind, the start of the settled submission that was begun last. */
  const newestSettledMillis: Record<Mode, number> = { live: -1, sandbox: -1 };
  return {
    clients,
    tally,
    unsettled,
    pool: openCallerPool(),
    session(plan: Plan): Promise<void> {
      const { mode, client: number, cancelAfterMillis } = plan;
      const client = openClient(address, number, mode);
      clients.push(client);
      const begunMillis = history.nowMillis();
      unsettled[mode].add(number);
      return runSession(plan, client, tally, over, () => {
        unsettled[mode].delete(number);
        // A cancelled submission may have ended without a worker.
        if (cancelAfterMillis === undefined)
          newestSettledMillis[mode] = Math.max(newestSettledMillis[mode], begunMillis);
      }).finally(() => unsettled[mode].delete(number));
    },
    /** Whether a submission of each kind that was begun after this time has settled. */
    haveSettledSince: (millis: number) => Object.values(newestSettledMillis).every((newest) => newest > millis),
  };
}

/** Submits real files at the given rate, or as fast as they are settled, until it is stopped. */
export function offerLive(planner: Planner, callers: Callers, limits: LoadLimits) {
  return startCallers(callers, limits, () => {
    const plan = planner.live();
    return { plan, gapMillis: (plan.files.length / limits.perSecond) * 1000 };
  });
}

export function offerSandbox(planner: Planner, callers: Callers, limits: LoadLimits, random: Random) {
  return startCallers(callers, limits, () => ({
    plan: planner.sandbox(),
    gapMillis: poissonGapMillis(limits.perSecond, random),
  }));
}

function startCallers(
  { session, pool, unsettled }: Callers,
  limits: LoadLimits,
  next: () => { plan: Plan; gapMillis: number },
) {
  const end = new AbortController();
  let waitedMillis = 0;
  const arrivals = arrive(async () => {
    const { plan, gapMillis } = next();
    const begin = performance.now();
    while (unsettled[plan.mode].size >= limits.unsettledMax && !end.signal.aborted) await sleep(pollMillis);
    waitedMillis += performance.now() - begin;
    if (!end.signal.aborted) pool.start(() => session(plan));
    return gapMillis;
  }, end.signal);
  return {
    waitedSeconds: () => Math.round(waitedMillis / 1000),
    async stop(): Promise<void> {
      end.abort();
      await arrivals;
    },
  };
}

/** Uploads the files of the simulated runs. */
export async function uploadSimulationFiles(world: World, file: RealFile, over: AbortSignal): Promise<string[]> {
  const client = openClient(world.address, 0, 'sandbox');
  const paths: string[] = [];
  while (paths.length < simulationBlobCount) {
    const path = await uploadDirect(file, client, over);
    if (!path) throw new Error('could not upload a file for simulated runs');
    paths.push(path);
  }
  return paths;
}

/** Makes every client read its submission and the issues that it has seen once more. */
export async function readAgain(clients: Client[]): Promise<void> {
  const left = clients.filter((client) => client.created());
  const patience = AbortSignal.timeout(finalReadMillisMax);
  const reader = async () => {
    for (let client = left.pop(); client && !patience.aborted; client = left.pop()) {
      const { readIssues, withIssues } = client;
      const last = await untilDecided(client.read, patience);
      if (last?.status !== 200) continue;
      for (const [place, filename] of withIssues) await untilDecided(() => readIssues(place, filename), patience);
    }
  };
  await Promise.all(Array.from({ length: finalReadersCount }, reader));
  if (patience.aborted)
    throw new Error(`${left.length} submissions were not read again within ${finalReadMillisMax / 1000} s`);
}
