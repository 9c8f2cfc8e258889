import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assetsPerSubmissionMax } from '@assay/contract/limits.ts';
import { runForEach } from '@assay/server/platform/mechanisms/semaphore.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { describeMachine } from '@assay/testing/measure/machine.ts';
import { median } from '@assay/testing/measure/statistics.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { subscribe } from '@assay/testing/service/webhooks.ts';
import { Client, Connection } from '@temporalio/client';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { countingPostgres } from '../measure/statement-count.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';
import { requestUploadUrl, uploadCostFiles } from './cost-files.ts';
import { type Cost, type Measured, type MeasuredCase, mapCost, measuredFile } from './measured.ts';
import { type Meter, openMeter } from './meter.ts';
import { formatCosts, pollMillis } from './report-cost.ts';

const idleSeconds = 8;
const requests = { warmUpCount: 500, count: 2000, atOnce: 8 };
const sidekickName = 'File safety';
const toolJail = 'landlock';

type CostCase = Omit<
  MeasuredCase,
  'millis' | 'historyEvents' | 'historyBytes' | 'evidenceBytes' | 'cost' | 'submissionCount'
> & { blobPaths: string[]; warmUpCount: number; submissionCount: number };

type Setting = { bench: SubmissionBench; meter: Meter; signal: AbortSignal };

/** Measures what one submission costs. The costs are only reported; no limit is required. */
export async function benchCost(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const bench = await openSubmissionBench(countingPostgres, {
    SWEEP_SECONDS: '3600', // the sweeper's queries do not belong to any one submission
    // bubblewrap does not wait for the tools that it has started, so their CPU time would be missing from the worker's.
    TOOL_JAIL: toolJail,
  });
  const receiver = await openReceiver();
  try {
    const meter = await openMeter(bench);
    const [textCases, fileCases] = [await openTextCases(bench), await openFileCases(bench)];
    const setting: Setting = { bench, meter, signal };
    const cases: MeasuredCase[] = [];
    for (const one of [...textCases, ...fileCases]) cases.push(await measureCase(setting, one));
    const ofRequests = await measureRequests(setting, textCases[0] as CostCase);
    await subscribe(bench.live, receiver.url); // from here on, each live asset has a delivery
    cases.push(await measureCase(setting, withDelivery(textCases[0] as CostCase)));
    const measured: Measured = {
      date: new Date().toISOString().slice(0, 10),
      command: ['pnpm bench cost', ...args].join(' '),
      machine: describeMachine(),
      toolJail,
      versions: bench.versions,
      cases,
      requests: ofRequests,
    };
    publish(formatCosts(measured), args, 'cost/submission-cost.md');
    if (args.includes('--write')) writeFileSync(measuredFile, `${JSON.stringify(measured, undefined, 2)}\n`);
    return true;
  } finally {
    receiver.close();
    await bench.close();
  }
}

/** Small text files, checked by one sidekick: what a submission and an asset cost besides the examination. */
async function openTextCases(bench: SubmissionBench): Promise<CostCase[]> {
  const blobPaths: string[] = [];
  for (let i = 0; i < assetsPerSubmissionMax; i++) blobPaths.push(await uploadText(bench.live, `note-${i}.txt`));
  return (['live', 'sandbox'] as const).flatMap((mode) =>
    [1, assetsPerSubmissionMax].map((assetCount) => ({
      name: `${mode}, ${assetCount} ${assetCount === 1 ? 'asset' : 'assets'}`,
      mode,
      kind: 'text' as const,
      what: 'a text of 5 bytes',
      assetCount,
      checks: sidekickName,
      deliveryCount: 0,
      fileBytes: 5,
      blobPaths: blobPaths.slice(0, assetCount),
      warmUpCount: 5,
      submissionCount: 20,
    })),
  );
}

/** One file of each kind, checked by all default sidekicks. */
async function openFileCases(bench: SubmissionBench): Promise<CostCase[]> {
  return (await uploadCostFiles(bench.live)).map(({ kind, what, blobPath, bytes, seconds }) => ({
    name: `live, ${what}`,
    mode: 'live',
    kind,
    what,
    assetCount: 1,
    checks: 'default',
    deliveryCount: 0,
    fileBytes: bytes,
    ...(seconds && { fileSeconds: seconds }),
    blobPaths: [blobPath],
    warmUpCount: 1,
    submissionCount: seconds ? 5 : 10,
  }));
}

const withDelivery = (one: CostCase): CostCase => ({ ...one, name: `${one.name}, 1 webhook`, deliveryCount: 1 });

/** The idle load per second, including that of this bench's polling. It changes while the engine runs. */
async function measureIdle({ bench: { db }, meter, signal }: Setting): Promise<Cost> {
  await sleep(2000, undefined, { signal });
  const [before, begin] = [await meter(), performance.now()];
  while (performance.now() - begin < idleSeconds * 1000) {
    await isFinished(db, '00000000-0000-0000-0000-000000000000');
    await sleep(pollMillis, undefined, { signal });
  }
  const seconds = (performance.now() - begin) / 1000;
  return mapCost(await meter(), (now, resource) => (now - before[resource]) / seconds);
}

/** What each of `count` units of work costs, without the idle load. */
async function measureCost(setting: Setting, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const { meter, signal } = setting;
  const idle = await measureIdle(setting);
  const [before, begin] = [await meter(), performance.now()];
  await work();
  await sleep(1000, undefined, { signal }); // lets the engine record the last run
  const seconds = (performance.now() - begin) / 1000;
  const spent = await meter();
  return mapCost(spent, (now, name) => Math.max(0, now - before[name] - idle[name] * seconds) / count);
}

async function measureCase(setting: Setting, one: CostCase): Promise<MeasuredCase> {
  const { bench, signal } = setting;
  const { blobPaths, warmUpCount, ...described } = one;
  const ofOneSidekick = { sidekickIds: sidekicks.filter(({ name }) => name === sidekickName).map(({ id }) => id) };
  const runOne = async () => {
    const begin = performance.now();
    const rest = one.checks === 'default' ? {} : ofOneSidekick;
    const { submissionId, workflowId } = await submit(bench[one.mode], blobPaths, rest);
    while (!(await isFinished(bench.db, submissionId))) await sleep(pollMillis, undefined, { signal });
    return { submissionId, workflowId, millis: performance.now() - begin };
  };
  for (let i = 0; i < warmUpCount; i++) await runOne();
  const runs: Awaited<ReturnType<typeof runOne>>[] = [];
  const cost = await measureCost(setting, one.submissionCount, async () => {
    for (let i = 0; i < one.submissionCount; i++) runs.push(await runOne());
  });
  await requireComplete(bench, runs);
  return {
    ...described,
    millis: median(runs.map(({ millis }) => millis)),
    ...(await readHistories(bench, runs)),
    evidenceBytes: await readEvidenceBytes(bench, runs),
    cost,
  };
}

/** Costs of the requests that callers send besides the submission, some at a time. */
async function measureRequests(setting: Setting, { blobPaths }: CostCase): Promise<Measured['requests']> {
  const { live } = setting.bench;
  const { submissionId } = await submit(live, blobPaths);
  const costOf = async (send: () => Promise<unknown>) => {
    const sendMany = (count: number) => runForEach(Array.from({ length: count }), requests.atOnce, send);
    await sendMany(requests.warmUpCount);
    return measureCost(setting, requests.count, () => sendMany(requests.count));
  };
  return {
    uploadUrl: await costOf(() => requestUploadUrl(live, 'note.txt', 'text/plain')),
    readSubmission: await costOf(() => live.get(`/submissions/${submissionId}`)),
  };
}

async function isFinished(db: SubmissionBench['db'], submissionId: string): Promise<boolean> {
  const text = 'select completed_at is not null as finished from submissions where submission_id = $1';
  const { rows } = await db.query({ name: 'is finished', text, values: [submissionId] });
  return rows[0]?.finished ?? false;
}

type Run = { submissionId: string; workflowId: string };
const idsOf = (runs: Run[]) => runs.map(({ submissionId }) => submissionId);

/** A failed examination would look cheap. */
async function requireComplete({ db }: SubmissionBench, runs: Run[]): Promise<void> {
  const failed = await db.query(
    `select error_type from assets where submission_id = any($1::uuid[]) and status <> 'complete'`,
    [idsOf(runs)],
  );
  if (failed.rows.length > 0) throw new Error(`assets failed: ${JSON.stringify(failed.rows)}`);
}

async function readEvidenceBytes({ db }: SubmissionBench, runs: Run[]): Promise<number> {
  const { rows } = await db.query(
    `select (
      (select coalesce(sum(pg_column_size(jpeg)), 0) from stills where submission_id = any($1::uuid[]))
      + (select coalesce(sum(pg_column_size(series)), 0) from measurements where submission_id = any($1::uuid[]))
    )::float8 as bytes`,
    [idsOf(runs)],
  );
  return rows[0].bytes / runs.length;
}

async function readHistories({ config }: SubmissionBench, runs: Run[]) {
  const connection = await Connection.connect({ address: config.TEMPORAL_ADDRESS });
  const client = new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
  let [events, bytes] = [0, 0];
  for (const { workflowId } of runs) {
    const { historyLength, historySize = 0 } = await client.workflow.getHandle(workflowId).describe();
    events += historyLength;
    bytes += historySize;
  }
  await connection.close();
  return { historyEvents: events / runs.length, historyBytes: bytes / runs.length };
}
