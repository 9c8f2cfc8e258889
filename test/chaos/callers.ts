import { type Client, insist, openClient } from './client.ts';
import type { RealFile } from './files.ts';
import { arrive, openCallerPool, poissonGapMillis } from './load.ts';
import type { Planner } from './plans.ts';
import type { Random } from './random.ts';
import { type Plan, runSession, type Tally, uploadDirect } from './session.ts';
import type { World } from './world.ts';

const simulationBlobCount = 4;
const finalReadersCount = 8;
const finalReadMillisMax = 60_000;

export type Callers = ReturnType<typeof openCallers>;

/** All clients so far, and the pool of those that are active. */
export function openCallers({ address }: World, callersMax: number, over: AbortSignal) {
  const clients: Client[] = [];
  const tally: Tally = { acknowledged: 0, settled: 0, deleted: 0 };
  return {
    clients,
    tally,
    pool: openCallerPool(callersMax),
    session(plan: Plan): Promise<void> {
      const client = openClient(address, plan.client, plan.mode);
      clients.push(client);
      return runSession(plan, client, tally, over);
    },
  };
}

/** Submits real files at this rate, however long the previous ones take, until it is stopped. */
export function offerLive(planner: Planner, callers: Callers, filesPerSecond: number) {
  return offer(callers, () => {
    const plan = planner.live();
    return { plan, gapMillis: (plan.files.length / filesPerSecond) * 1000 };
  });
}

export function offerSandbox(planner: Planner, callers: Callers, perSecond: number, random: Random) {
  return offer(callers, () => ({ plan: planner.sandbox(), gapMillis: poissonGapMillis(perSecond, random) }));
}

function offer({ session, pool }: Callers, next: () => { plan: Plan; gapMillis: number }) {
  const end = new AbortController();
  const arrivals = arrive(() => {
    const { plan, gapMillis } = next();
    pool.start(() => session(plan));
    return gapMillis;
  }, end.signal);
  return {
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

/** Every client reads its submission once more, and the issues that it has seen. */
export async function readAgain(clients: Client[]): Promise<void> {
  const left = clients.filter((client) => client.created());
  const patience = AbortSignal.timeout(finalReadMillisMax);
  const reader = async () => {
    for (let client = left.pop(); client; client = left.pop()) {
      const { readIssues, withIssues } = client;
      const last = await insist(client.read, patience);
      if (last?.status !== 200) continue;
      for (const [place, filename] of withIssues) await insist(() => readIssues(place, filename), patience);
    }
  };
  await Promise.all(Array.from({ length: finalReadersCount }, reader));
}
