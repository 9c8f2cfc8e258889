import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CrashLogEntry } from '@assay/testing/faults/crash-at.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { normaliseRows, readSubmissionRows, type SubmissionRows } from '@assay/testing/service/submission-rows.ts';
import { assetPath, type SubmissionIds, submit } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

type Mode = 'live' | 'sandbox';
type Point = { number: number; when: 'before' | 'after' };

const crashAt = join(root, 'packages/testing/src/faults/crash-at.ts');
/**
 * `CRASH_POINTS=all` in the nightly run. Each point takes two processes, so by default every 25th is tested: an odd number,
 * because points before and after a statement alternate.
 */
const stride = process.env.CRASH_POINTS === 'all' ? 1 : 25;
const pointMillisMax = 300_000;

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document,sandbox' }); // no worker polls the queues of this API
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const { db } = api.handles;
const pdf = makePdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>');
const { blobPath } = (await client.uploadFile('leaflet.pdf', pdf)).body;

/**
 * Runs one submission from creation to the end of its workflow. If `point` is given, its worker dies there and another
 * worker takes over.
 */
async function runSubmission(
  fixture: WorkerFixture,
  point?: Point,
): Promise<{ rows: SubmissionRows; observed: CrashLogEntry[] }> {
  const observed: CrashLogEntry[] = [];
  const onEntry = (entry: object) => void ('statement' in entry && observed.push(entry as CrashLogEntry));
  const crash: Record<string, string> = point ? { CRASH_AT: String(point.number), CRASH_WHEN: point.when } : {};
  const first = await fixture.startWorker(crash, { preload: crashAt, onEntry });
  const created = await fixture.submit(blobPath);
  const told = fixture.untilWorkflowEnds(created);
  if (point) {
    const [, signal] = await Promise.race([first.ended, told.then(() => [0, null] as const)]);
    expect(signal, 'what ended the first worker').toBe('SIGKILL');
    await fixture.startWorker();
  }
  await told;
  return { rows: normaliseRows(await readSubmissionRows(db, created)), observed };
}

async function runUndisturbed(mode: Mode) {
  const fixture = await openWorkerFixture(workspace, mode);
  return runSubmission(fixture).finally(fixture.close);
}

const [live, sandbox] = await Promise.all([runUndisturbed('live'), runUndisturbed('sandbox')]);

describe('a run without a crash', () => {
  test('of a live submission leaves issues, topics, one credit and no unfinished examination', () => {
    const { submissions, assets, issues, examinations, credits } = live.rows;
    expect(submissions).toMatchObject([{ mode: 'live', status: 'complete' }]);
    expect(assets).toMatchObject([{ status: 'complete', issue_count: issues.length, topics: expect.anything() }]);
    expect(issues.length).toBeGreaterThan(0);
    expect(credits).toMatchObject([{ credits: 1 }]);
    expect(examinations).toEqual([]);
    expect(new Set(live.observed.map(({ activity }) => activity))).toEqual(new Set(['examine', 'settle']));
  });

  test('of a sandbox submission leaves a complete asset without results and costs nothing', () => {
    const { submissions, assets, issues, credits } = sandbox.rows;
    expect(submissions).toMatchObject([{ mode: 'sandbox', status: 'complete' }]);
    expect(assets).toMatchObject([{ status: 'complete', issue_count: null, topics: null }]);
    expect([issues, credits]).toEqual([[], []]);
    const activities = sandbox.observed.map(({ activity }) => activity);
    expect(new Set(activities)).toEqual(new Set(['beginRehearsal', 'endRehearsal']));
  });
});

describe.concurrent.each([
  ['live', live],
  ['sandbox', sandbox],
] as const)('a worker killed in a %s run', (mode, undisturbed) => {
  const { observed, rows } = undisturbed;
  const points = observed.flatMap(({ number, activity, statement }) =>
    (['before', 'after'] as const).map((when) => ({ number, when, activity, statement })),
  );

  test.for(points.filter((_, i) => i % stride === 0))(
    `$when statement $number of ${observed.length} in $activity ($statement) is replaced by a second worker, and the rows equal those of an undisturbed run`,
    { timeout: pointMillisMax },
    async (point, { onTestFinished }) => {
      const fixture = await openWorkerFixture(workspace, mode);
      onTestFinished(fixture.close);
      const disturbed = await runSubmission(fixture, point);
      const { number, activity, statement } = point;
      expect(disturbed.observed.at(-1)).toEqual({ msg: 'signal sent', number, activity, statement });
      expect(disturbed.rows).toEqual(rows);
    },
  );
});

describe('activities executed more than once', async () => {
  const servedPrefix = `${randomUUID()}:`;
  await openTestWorker({ ...api.config, TEMPORAL_QUEUE_PREFIX: servedPrefix, SWEEP_SECONDS: 3600 });

  /** Makes the engine run one activity of the worker, outside any workflow. */
  const run = (queue: string, activity: string, ...args: unknown[]): Promise<void> =>
    api.handles.workflows.client.activity.execute(activity, {
      id: randomUUID(),
      taskQueue: servedPrefix + queue,
      args,
      startToCloseTimeout: '20 seconds',
      retry: { maximumAttempts: 1 },
    });

  /** The steps of an attempt at the one asset of a submission. */
  const stepsOf = ({ submissionId, assets }: SubmissionIds, attempt = 1) => {
    const assetId = assets[0]?.assetId as string;
    const { workspaceId } = workspace;
    const simulatedRun = {
      workspaceId,
      submissionId,
      run: attempt,
      assets: [{ assetId, attempt, category: 'document' }],
    };
    return {
      // A try beside others is a suspect, because they may have killed their workers. It ends if it is not the only one.
      examine: () =>
        run('document', 'examine', { workspaceId, submissionId, assetId, attempt }).catch((error) => {
          if (error.cause?.type !== 'engine_unavailable') throw error;
        }),
      settle: (failure: string | null = null) =>
        run('control', 'settle', { workspaceId, submissionId, assetId, attempt }, failure),
      beginRehearsal: () => run('sandbox', 'beginRehearsal', simulatedRun),
      endRehearsal: () => run('sandbox', 'endRehearsal', simulatedRun),
    };
  };

  /** Everything that a late worker may still send for an attempt that has already ended. */
  const beLate = async (created: SubmissionIds, attempt: number) => {
    const { examine, settle } = stepsOf(created, attempt);
    await examine();
    await settle();
    await settle('internal_error');
    await Promise.all([examine(), settle(), settle('cancelled')]);
  };

  const ways: [string, (step: () => Promise<void>) => Promise<unknown>][] = [
    ['once', (step) => step()],
    ['twice in a row', async (step) => [await step(), await step()]],
    ['twice at once', (step) => Promise.all([step(), step()])],
    // Three at most, because a new try counts the unfinished ones as lost, and after three lost tries the asset fails.
    ['three times at once', (step) => Promise.all([step(), step(), step()])],
  ];

  test.each(ways)(
    'examine and settle, executed %s, leave the same rows as one run, with one credit',
    async (_, times) => {
      const created = await submit(client, [blobPath]);
      const { examine, settle } = stepsOf(created);
      await times(examine);
      await times(settle);
      expect(normaliseRows(await readSubmissionRows(db, created))).toEqual(live.rows);
      const settled = await readSubmissionRows(db, created);
      await beLate(created, 1);
      expect(await readSubmissionRows(db, created)).toEqual(settled);
    },
  );

  test.each(ways)(
    'settle, called with a failure and executed %s, fails the asset once and charges no credit',
    async (_, times) => {
      const created = await submit(client, [blobPath]);
      const { examine, settle } = stepsOf(created);
      await times(() => settle('analysis_timeout'));
      const settled = await readSubmissionRows(db, created);
      expect(settled.assets).toMatchObject([{ status: 'failed', error_type: 'analysis_timeout' }]);
      expect(settled.credits).toEqual([]);
      await times(examine);
      await beLate(created, 1);
      expect(await readSubmissionRows(db, created)).toEqual(settled);
    },
  );

  test.each(ways)(
    'beginRehearsal and endRehearsal, executed %s, leave the same rows as one simulated run',
    async (_, times) => {
      const created = await submit(api.client(workspace.sandboxKey), [blobPath]);
      const { beginRehearsal, endRehearsal } = stepsOf(created);
      await times(beginRehearsal);
      await times(endRehearsal);
      expect(normaliseRows(await readSubmissionRows(db, created))).toEqual(sandbox.rows);
      const settled = await readSubmissionRows(db, created);
      await Promise.all([beginRehearsal(), endRehearsal()]);
      expect(await readSubmissionRows(db, created)).toEqual(settled);
    },
  );

  test('late activities of a cancelled, retried or deleted attempt change nothing', async () => {
    const created = await submit(client, [blobPath]);
    await stepsOf(created).examine(); // its findings are stored but not settled yet
    expect((await readSubmissionRows(db, created)).examinations).toHaveLength(1);
    expect((await client.post(`/submissions/${created.submissionId}/cancel`)).status).toBe(202);
    const cancelled = await readSubmissionRows(db, created);
    expect(cancelled).toMatchObject({ assets: [{ error_type: 'cancelled' }], examinations: [], credits: [] });
    await beLate(created, 1);
    expect(await readSubmissionRows(db, created)).toEqual(cancelled);

    expect((await client.post(`${assetPath(created)}/retry`)).status).toBe(202);
    const retried = await readSubmissionRows(db, created);
    expect(retried.assets).toMatchObject([{ status: 'submitted', attempt: 2 }]);
    await beLate(created, 1);
    expect(await readSubmissionRows(db, created)).toEqual(retried);

    const { examine, settle } = stepsOf(created, 2);
    await Promise.all([examine(), examine(), beLate(created, 1)]);
    await Promise.all([settle(), settle(), beLate(created, 1)]);
    const settled = await readSubmissionRows(db, created);
    expect(settled).toMatchObject({ assets: [{ status: 'complete' }], examinations: [], credits: [{ attempt: 2 }] });
    expect(normaliseRows(settled).issues).toEqual(live.rows.issues);
    await beLate(created, 1);
    await beLate(created, 2);
    expect(await readSubmissionRows(db, created)).toEqual(settled);

    expect((await client.delete(`/submissions/${created.submissionId}`)).status).toBe(204);
    const { groups, credits } = settled;
    const gone = { submissions: [], assets: [], issues: [], examinations: [], versions: [], groups, credits };
    await beLate(created, 1);
    await beLate(created, 2);
    expect(await readSubmissionRows(db, created)).toEqual(gone);
  });
});
