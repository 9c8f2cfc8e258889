import { createRandom } from '@assay/testing/run/random.ts';
import type { History } from '../chaos/check/history.ts';
import { openClient } from '../chaos/load/client.ts';
import { makeFiles } from '../chaos/load/files.ts';
import { arrive, openCallerPool, poissonGapMillis } from '../chaos/load/load.ts';
import { createPlanner } from '../chaos/load/plans.ts';
import { type Plan, runSession, type Tally, uploadDirect } from '../chaos/load/session.ts';

const livePerSecond = 0.6;
const sandboxPerSecond = 1;
const simulationBlobCount = 4;
/** Long enough for many runs to begin with one version and end with the other. */
const delaysSeconds = [0, 2, 10, 20];

export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Callers that upload, submit, poll, cancel, retry, read issues and delete, at a steady rate until it is stopped. */
export async function startLoad(url: string, keys: { live: string; sandbox: string }, history: History, seed: number) {
  const address = { nextUrl: () => url, keys, history };
  const random = createRandom(seed);
  const over = new AbortController();
  const ending = new AbortController();
  // A worker examines one video at a time, so on a busy host videos would still be waiting at the end.
  const files = makeFiles().filter(({ contentType }) => !contentType.startsWith('video/'));
  const simulationPaths = await uploadForSimulations();
  const planner = createPlanner(random, files, simulationPaths, { noteShare: 0, cancelledShare: 0.2 });
  const pool = openCallerPool();
  const tally: Tally = { acknowledged: 0, settled: 0, deleted: 0 };

  const begin = (plan: Plan) => {
    const client = openClient(address, plan.client, plan.mode);
    pool.start(() => runSession(plan, client, tally, over.signal));
  };
  const sandboxPlan = (): Plan => {
    const plan = planner.sandbox();
    return plan.cancelAfterMillis === undefined ? { ...plan, delaySeconds: random.pick(delaysSeconds) } : plan;
  };
  // One submission of each of these files is kept, so that no deletion removes its last use.
  for (const blobPath of simulationPaths) begin({ ...planner.plain(), blobPaths: [blobPath] });
  const offer = (next: () => Plan, perSecond: number) =>
    arrive(() => {
      begin(next());
      return poissonGapMillis(perSecond, random);
    }, ending.signal);
  const arrivals = Promise.all([offer(planner.live, livePerSecond), offer(sandboxPlan, sandboxPerSecond)]);

  async function uploadForSimulations(): Promise<string[]> {
    const client = openClient(address, 0, 'sandbox');
    const uploads = files.slice(0, simulationBlobCount).map((file) => uploadDirect(file, client, over.signal));
    return (await Promise.all(uploads)).map((blobPath) => blobPath ?? '');
  }

  return {
    tally,
    size: pool.size,
    /** Starts no new callers; active ones finish, or give up after this time. */
    async stop(millisMax: number): Promise<void> {
      ending.abort();
      await arrivals;
      const timer = setTimeout(() => over.abort(), millisMax);
      await pool.ended();
      clearTimeout(timer);
    },
  };
}
