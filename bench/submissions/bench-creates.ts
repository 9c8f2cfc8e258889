import { setTimeout as sleep } from 'node:timers/promises';
import { serviceRole } from '@assay/stack/instance.ts';
import { cpuMicrosOf } from '@assay/testing/measure/cpu-clock.ts';
import { compareRates } from '../measure/ratio.ts';
import { formatSlices } from '../measure/report.ts';
import type { ReportSection } from '../measure/section.ts';
import { type LoadTarget, runSlices, type Slice, type SliceSettings } from '../measure/slices.ts';
import type { SubmissionBench } from './submission-bench.ts';

/** POST /submissions, compared with a bare server that does the same steps and nothing else. */
export async function benchCreates(
  bench: SubmissionBench,
  blobPath: string,
  settings: SliceSettings,
  required: number,
): Promise<ReportSection> {
  await bench.db.query(`
    create table bare_submissions (submission_id uuid primary key, created_at timestamptz not null default now());
    create table bare_assets (
      asset_id uuid primary key, submission_id uuid not null, blob_path text not null, etag text not null,
      size_bytes bigint not null
    );
    create table bare_outbox (submission_id uuid primary key, created_at timestamptz not null default now());
    grant all on bare_submissions, bare_assets, bare_outbox to ${serviceRole}`);
  const queue = `${bench.config.TEMPORAL_QUEUE_PREFIX}nobody`;
  const bareServer = await bench.startBare('submissions/bare-create.ts', { QUEUE: queue });
  const request = createRequest(bench, blobPath);
  const bare: LoadTarget = {
    name: 'the bare sequence',
    request: { ...request, url: `${bareServer.firstLine}/submissions` },
    clocks: { server: () => cpuMicrosOf(bareServer.pid), ...bench.clocks },
  };
  const ours: LoadTarget = {
    name: 'POST /submissions',
    request,
    clocks: { server: () => cpuMicrosOf(bench.api.pid), ...bench.clocks },
  };
  const slices = await runSlices([bare, ours], settings);
  await bareServer.stop();
  await assertAllStarted(bench);
  const of = (target: LoadTarget) => slices.get(target) as Slice[];
  return {
    title: 'Creating',
    what:
      'A submission with one asset, a live key and no sidekicks, without a worker, so that nothing is processed ' +
      `meanwhile; ${settings.connections} connections. The bare sequence is Fastify with one HEAD and one ranged GET of ` +
      '64 KiB by the same SDK, one transaction of three inserts, and one workflow start.',
    table: formatSlices(slices),
    slices: [...slices.values()].flat(),
    ratio: compareRates('POST /submissions / bare sequence', of(ours), of(bare), required),
  };
}

function createRequest({ apiUrl, workspace }: SubmissionBench, blobPath: string): LoadTarget['request'] {
  const body = { assets: [{ blobPath }], sidekickIds: [] };
  return { method: 'POST', url: `${apiUrl}/submissions`, apiKey: workspace.liveKey, body };
}

// If a workflow cannot be started, the API still responds with 201 and leaves the start to the sweeper; such requests
// would count as too cheap.
async function assertAllStarted({ db }: SubmissionBench): Promise<void> {
  await sleep(1000);
  const { rows } = await db.query('select count(*)::int as left from runs_to_start');
  if (rows[0].left > 0)
    throw new Error(`${rows[0].left} submissions were answered, but their workflow was not started`);
}
