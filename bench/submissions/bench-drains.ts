import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceRole } from '@assay/stack/instance.ts';
import { cpuMicrosOfFamily } from '@assay/testing/measure/cpu-clock.ts';
import { submit } from '@assay/testing/service/submissions.ts';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { compareRates } from '../measure/ratio.ts';
import { formatSlices } from '../measure/report.ts';
import type { ReportSection } from '../measure/section.ts';
import { inTurns, measureSlice, type Slice } from '../measure/slices.ts';
import type { SubmissionBench } from './submission-bench.ts';

const createdAtOnce = 16;
const pollMillis = 20;

type Worker = { pid: number; stop(): Promise<unknown> };
type Side = {
  name: string;
  /** Queues one run in the engine. */
  add(): Promise<unknown>;
  startWorker(): Promise<Worker>;
  /** An SQL query that returns whether any run is unfinished. */
  isLeft: string;
};

export type DrainSettings = { rounds: number; count: number; signal: AbortSignal };

/** Sandbox submissions through the engine and a worker, compared with bare workflows of the same structure. */
export async function benchDrains(
  bench: SubmissionBench,
  blobPath: string,
  { rounds, count, signal }: DrainSettings,
  required: number,
): Promise<ReportSection> {
  const ours: Side = {
    name: 'sandbox submissions',
    add: () => submit(bench.sandbox, [blobPath]),
    startWorker: () => bench.start('worker'),
    isLeft: `select exists (select from submissions where mode = 'sandbox' and completed_at is null) as left`,
  };
  const bare = await openBareSide(bench);
  const slices = await inTurns([bare, ours], rounds, (side) => measureDrain(bench, side, count, signal));
  const of = (side: Side) => slices.get(side) as Slice[];
  return {
    title: 'End to end',
    what:
      `${count} sandbox submissions with one asset are queued in the engine without a worker; then a worker process is started, ` +
      'and the time is measured from its readiness until the last submission is complete in the database. The bare side is ' +
      'a worker with the same settings and a workflow of two local activities, each one update by primary key.',
    table: formatSlices(slices, 'asset'),
    slices: [...slices.values()].flat(),
    ratio: compareRates('sandbox assets / bare workflows', of(ours), of(bare), required),
  };
}

async function measureDrain({ db, clocks }: SubmissionBench, side: Side, count: number, signal: AbortSignal) {
  let toAdd = count;
  const adder = async () => {
    while (toAdd-- > 0 && !signal.aborted) await side.add();
  };
  await Promise.all(Array.from({ length: createdAtOnce }, adder));
  const worker = await side.startWorker();
  const begin = performance.now();
  const { postgres, temporal } = clocks;
  const slice = await measureSlice({ worker: () => cpuMicrosOfFamily(worker.pid), postgres, temporal }, async () => {
    while ((await db.query(side.isLeft)).rows[0].left) await sleep(pollMillis, undefined, { signal });
    return { requests: count, micros: (performance.now() - begin) * 1000 };
  });
  await sleep(500); // the engine records the end of the last runs
  await worker.stop();
  return slice;
}

async function openBareSide({ db, config, closers, startBare, connectToEngine }: SubmissionBench): Promise<Side> {
  await db.query(`
    create table bare_runs (run_id uuid primary key, status text not null);
    grant all on bare_runs to ${serviceRole}`);
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  closers.defer(() => rmSync(folder, { recursive: true }));
  const bundlePath = join(folder, 'bare.js');
  writeFileSync(bundlePath, await bundleBareWorkflow());

  const client = await connectToEngine();
  const taskQueue = `${config.TEMPORAL_QUEUE_PREFIX}bare`;
  return {
    name: 'bare workflows',
    async add() {
      const runId = randomUUID();
      await db.query(`insert into bare_runs values ($1, 'submitted')`, [runId]);
      await client.workflow.start('bareRun', { workflowId: `bare:${runId}`, taskQueue, args: [runId] });
    },
    startWorker: () => startBare('submissions/bare-worker.ts', { QUEUE: taskQueue, BUNDLE: bundlePath }),
    isLeft: `select exists (select from bare_runs where status <> 'complete') as left`,
  };
}

async function bundleBareWorkflow(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'bare.workflow.ts'),
    logger: new DefaultLogger('WARN'),
  });
  return code;
}
