import { setTimeout as sleep } from 'node:timers/promises';
import { assetsPerSubmissionMax } from '@assay/contract/limits.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { cpuMicrosOfFamily } from '@assay/testing/measure/cpu-clock.ts';
import { median } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { Client, Connection } from '@temporalio/client';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { countingPostgres, openStatementCount } from '../measure/statement-count.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';

const submissionCount = 20;
const warmUpCount = 5;
const idleSeconds = 5;
const pollMillis = 100;
const sidekickName = 'File safety';

type CostCase = { mode: 'live' | 'sandbox'; assetCount: number };
const costCases: CostCase[] = (['live', 'sandbox'] as const).flatMap((mode) =>
  [1, assetsPerSubmissionMax].map((assetCount) => ({ mode, assetCount })),
);

/** The amount of each resource used, in total or within a period. */
type ResourcesUsed = Record<string, number>;
type Meter = () => Promise<ResourcesUsed>;

/** Measures what one submission costs. The costs are only reported; no limit is required. */
export async function benchCost(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  // The sweeper's queries do not belong to any one submission.
  const bench = await openSubmissionBench(countingPostgres, { SWEEP_SECONDS: '3600' });
  try {
    const meter = await openMeter(bench);
    const blobPaths: string[] = [];
    for (let i = 0; i < assetsPerSubmissionMax; i++) blobPaths.push(await uploadText(bench.live, `note-${i}.txt`));
    const idle = await measureIdle(bench, meter, signal);
    const rows = [];
    for (const one of costCases) rows.push(await costOf(bench, one, blobPaths, { meter, idle, signal }));
    const text = [
      formatHead({
        title: 'What one submission costs',
        command: ['pnpm bench cost', ...args].join(' '),
        settings: `the mean of ${submissionCount} submissions, one after another`,
        versions: bench.versions,
      }),
      formatTable(rows),
      [
        `Live is a small text file checked by ${sidekickName}; sandbox has no delay. CPU is in milliseconds, from the request to`,
        'the end, minus the idle load of the parts. SQL counts every statement, including `begin` and `commit`;',
        '“engine SQL” is what Temporal sends to its own databases. Time is the median until the submission is finished, polled',
        `every ${pollMillis} ms.`,
      ].join('\n'),
    ].join('\n\n');
    publish(text, args, 'cost/submission-cost.md');
    return true;
  } finally {
    await bench.close();
  }
}

async function openMeter(bench: SubmissionBench): Promise<Meter> {
  const { api, clocks, db } = bench;
  const worker = await bench.start('worker');
  const countStatements = await openStatementCount(db);
  const all = { api: () => cpuMicrosOfFamily(api.pid), worker: () => cpuMicrosOfFamily(worker.pid), ...clocks };
  return async () => {
    const { service, engine } = await countStatements();
    const millis = Object.entries(all).map(([name, clock]) => [`${name} ms`, clock() / 1000] as const);
    return { SQL: service, 'engine SQL': engine, ...Object.fromEntries(millis) };
  };
}

/** Measures the idle load per second, including that of this bench's polling. */
async function measureIdle({ db }: SubmissionBench, meter: Meter, signal: AbortSignal): Promise<ResourcesUsed> {
  await sleep(2000, undefined, { signal });
  const [before, begin] = [await meter(), performance.now()];
  while (performance.now() - begin < idleSeconds * 1000) {
    await isFinished(db, '00000000-0000-0000-0000-000000000000');
    await sleep(pollMillis, undefined, { signal });
  }
  const seconds = (performance.now() - begin) / 1000;
  return mapResources(await meter(), (now, name) => (now - (before[name] ?? 0)) / seconds);
}

async function costOf(
  bench: SubmissionBench,
  { mode, assetCount }: CostCase,
  blobPaths: string[],
  { meter, idle, signal }: { meter: Meter; idle: ResourcesUsed; signal: AbortSignal },
): Promise<Record<string, string>> {
  const sidekickIds = sidekicks.filter(({ name }) => name === sidekickName).map(({ id }) => id);
  const runOne = async () => {
    const begin = performance.now();
    const { submissionId, workflowId } = await submit(bench[mode], blobPaths.slice(0, assetCount), { sidekickIds });
    while (!(await isFinished(bench.db, submissionId))) await sleep(pollMillis, undefined, { signal });
    return { workflowId, millis: performance.now() - begin };
  };
  for (let i = 0; i < warmUpCount; i++) await runOne();
  await sleep(1000, undefined, { signal });
  const [before, begin] = [await meter(), performance.now()];
  const runs = [];
  for (let i = 0; i < submissionCount; i++) runs.push(await runOne());
  await sleep(1000, undefined, { signal }); // lets the engine record the last run
  const seconds = (performance.now() - begin) / 1000;
  const spent = mapResources(
    await meter(),
    (now, name) => Math.max(0, now - (before[name] ?? 0) - (idle[name] ?? 0) * seconds) / submissionCount,
  );
  const events = await countEvents(
    bench,
    runs.map(({ workflowId }) => workflowId),
  );
  return {
    submission: `${mode}, ${assetCount} ${assetCount === 1 ? 'asset' : 'assets'}`,
    'time ms': median(runs.map(({ millis }) => millis)).toFixed(0),
    'history events': (events / submissionCount).toFixed(1),
    ...Object.fromEntries(Object.entries(spent).map(([name, value]) => [name, value.toFixed(1)])),
  };
}

async function isFinished(db: SubmissionBench['db'], submissionId: string): Promise<boolean> {
  const text = 'select completed_at is not null as finished from submissions where submission_id = $1';
  const { rows } = await db.query({ name: 'is finished', text, values: [submissionId] });
  return rows[0]?.finished ?? false;
}

async function countEvents({ config }: SubmissionBench, workflowIds: string[]): Promise<number> {
  const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS });
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  let count = 0;
  for (const id of workflowIds) count += (await client.workflow.getHandle(id).fetchHistory()).events?.length ?? 0;
  await connection.close();
  return count;
}

function mapResources(spent: ResourcesUsed, change: (value: number, name: string) => number): ResourcesUsed {
  return Object.fromEntries(Object.entries(spent).map(([name, value]) => [name, change(value, name)]));
}
