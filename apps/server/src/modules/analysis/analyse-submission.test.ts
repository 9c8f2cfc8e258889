import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { countInEngine } from '@assay/testing/service/engine-database.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { settle } from './settle.ts';

/** The same limit as `examinationSecondsMax` in open-try-tools.ts. */
const examinationHoursMax = 12;

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,document' });
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const { client: engine } = api.handles.workflows;
const container = openContainer(api.config);

// Two of the blobs are replaced or deleted before a worker reads them.
const changedBlob = await uploadText(client, 'changed.txt');
const missingBlob = await uploadText(client, 'missing.txt');
const intactBlob = await uploadText(client, 'intact.txt');
const damagedSubmission = await submit(client, [changedBlob, missingBlob, intactBlob]);
await container.getBlockBlobClient(changedBlob).upload('other', 5);
await container.getBlockBlobClient(missingBlob).delete();
const cancelledSubmission = await submit(client, [intactBlob]);
await engine.workflow.getHandle(cancelledSubmission.workflowId).cancel();
await openTestWorker(api.config);

describe('analyseSubmission', () => {
  test('a failed asset does not fail the others, and the submission states how many failed (§1c, §2.1h, §3d)', async () => {
    const { status, errorMessage, isRetryable, completedAt, assets } = await untilFinished(
      client,
      damagedSubmission.submissionId,
    );
    expect({ status, errorMessage, isRetryable }).toEqual({
      status: 'failed',
      errorMessage: '2 of 3 assets failed',
      isRetryable: false,
    });
    expect(completedAt).not.toBeNull();
    expect(assets).toMatchObject([
      { status: 'failed', errorType: 'blob_changed', errorMessage: expect.any(String), isRetryable: false },
      { status: 'failed', errorType: 'blob_missing', errorMessage: expect.any(String), issueCount: null },
      { status: 'complete', errorType: null, errorMessage: null, issueCount: 0, progressPercent: 100 },
    ]);
  });

  test('the assets of a cancelled run fail with the error type cancelled and can be retried', async () => {
    const { status, assets } = await untilFinished(client, cancelledSubmission.submissionId);
    expect(status).toBe('failed');
    expect(assets).toMatchObject([{ errorType: 'cancelled', isRetryable: true }]);
  });

  test('the findings in a PDF become issues and cost one credit, and settling the asset again changes nothing', async () => {
    const { body: before } = await client.get('/me');
    const pdf = await client.uploadFile('leaflet.pdf', makePdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>'));
    const { submissionId, assets } = await submit(client, [pdf.body.blobPath]);
    const assetId = assets[0]?.assetId as string;
    await untilFinished(client, submissionId);
    const read = async () => (await client.get(`/submissions/${submissionId}/assets/${assetId}/issues`)).body;
    const issues = await read();
    expect(issues.totalCount).toBeGreaterThan(0);

    const attempt = { workspaceId: workspace.workspaceId as never, submissionId, assetId, attempt: 1 };
    await settle(attempt, null, api.handles);
    await settle(attempt, 'internal_error', api.handles);
    expect(await read()).toEqual(issues);
    const { body: after } = await client.get('/me');
    expect(after.credits.used - before.credits.used).toBe(1);
  });
});

describe('the workflow engine', () => {
  test('stores ids only, never a file name, metadata or content (rule 4)', async () => {
    const [name, note, content] = [1, 2, 3].map(() => `canary${randomUUID()}`) as [string, string, string];
    const blobs = [
      await uploadText(client, `${name}.txt`, content),
      await uploadText(client, `${name}-gone.txt`, content),
    ];
    const { submissionId } = await submit(client, blobs, { metadata: { note, deep: { [note]: [note] } } });
    await untilFinished(client, submissionId);
    const broken = await submit(client, [blobs[1] as string], { metadata: { note } });
    await container.getBlockBlobClient(blobs[1] as string).delete();
    await untilFinished(client, broken.submissionId);
    const [ids, ...others] = await countInEngine(api.config.DATABASE_URL, [submissionId, name, note, content]);
    expect(ids).toBeGreaterThan(0); // shows that the search covers the engine's data
    expect(others).toEqual([0, 0, 0]);
  });

  test('rejects a second start of the same run, both during and after the run', async () => {
    const { submissionId, workflowId } = await submit(client, [intactBlob]);
    const options = { workflowId, taskQueue: 'x', args: [], workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
    await expect(engine.workflow.start('analyseSubmission', options)).rejects.toThrow(/already/i);
    await untilFinished(client, submissionId);
    await expect(engine.workflow.start('analyseSubmission', options)).rejects.toThrow(/already/i);
  });

  /** The timeouts and the maximum retry interval of the `examine` activity in a run, in seconds. */
  async function timesOf(workflowId: string) {
    const { events } = await engine.workflow.getHandle(workflowId).fetchHistory();
    const scheduled = events?.flatMap((event) => event.activityTaskScheduledEventAttributes ?? [])[0];
    const secondsOf = (time?: { seconds?: unknown } | null) => Number(time?.seconds);
    return {
      oneTry: secondsOf(scheduled?.startToCloseTimeout),
      allTries: secondsOf(scheduled?.scheduleToCloseTimeout),
      lostAfter: secondsOf(scheduled?.heartbeatTimeout),
      retryMax: secondsOf(scheduled?.retryPolicy?.maximumInterval),
    };
  }

  test('allows each try more time than any examination may take, and has a heartbeat timeout of 10 s', async () => {
    const { submissionId, workflowId } = await submit(client, [intactBlob]);
    await untilFinished(client, submissionId);
    const { oneTry, allTries, lostAfter, retryMax } = await timesOf(workflowId);
    expect(oneTry).toBeGreaterThan(examinationHoursMax * 3600);
    expect(allTries).toBeGreaterThan(oneTry);
    expect([lostAfter, retryMax]).toEqual([10, 15]);
  });

  test('applies the timeouts configured in the process that started the run', async () => {
    const { TEMPORAL_QUEUE_PREFIX } = api.config;
    const times = { WORKER_LOST_AFTER_SECONDS: '7', RETRY_SECONDS_MAX: '4' };
    const other = await openTestApi({ ...liftedLimits, ...times, TEMPORAL_QUEUE_PREFIX });
    const { submissionId, workflowId } = await submit(other.client(workspace.liveKey), [intactBlob]);
    await untilFinished(client, submissionId);
    expect(await timesOf(workflowId)).toMatchObject({ lostAfter: 7, retryMax: 4 });
  });

  test('applies a heartbeat timeout of 10 s and a retry interval of up to 15 s to a run started by an earlier version', async () => {
    const { submissionId, assets } = await submit(client, [intactBlob]);
    await untilFinished(client, submissionId);
    const asset = { assetId: assets[0]?.assetId, attempt: 1, category: 'document' };
    const workflowId = `earlier:${submissionId}`;
    await engine.workflow.execute('analyseSubmission', {
      workflowId,
      taskQueue: `${api.config.TEMPORAL_QUEUE_PREFIX}control`,
      args: [{ workspaceId: workspace.workspaceId, submissionId, run: 1, delaySeconds: 0, assets: [asset] }],
    });
    expect(await timesOf(workflowId)).toMatchObject({ lostAfter: 10, retryMax: 15 });
  });

  test('records fewer than 500 history events for a submission of 50 assets', async () => {
    const blobs = await Promise.all(Array.from({ length: 50 }, (_, i) => uploadText(client, `n${i}.txt`)));
    const { submissionId, workflowId } = await submit(client, blobs);
    expect((await untilFinished(client, submissionId)).status).toBe('complete');
    const { events } = await engine.workflow.getHandle(workflowId).fetchHistory();
    expect(events?.length).toBeLessThan(500);
  });
});

describe('starting a run', () => {
  test('a submission that was accepted while the engine was down is started by the sweeper', async () => {
    const withoutEngine = await openTestApi({
      ...liftedLimits,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      TEMPORAL_QUEUE_PREFIX: api.config.TEMPORAL_QUEUE_PREFIX,
    });
    const { submissionId } = await submit(withoutEngine.client(workspace.liveKey), [intactBlob]);
    expect((await client.get(`/submissions/${submissionId}`)).body.status).toBe('submitted');
    // Backdated, so that the sweeper considers the run due.
    await api.handles.db
      .updateTable('runs_to_start')
      .set({ created_at: new Date(Date.now() - 60_000) })
      .where('submission_id', '=', submissionId)
      .execute();
    expect((await untilFinished(client, submissionId)).status).toBe('complete');
    await untilStarted(submissionId);
  });

  test('a run that the engine has accepted is removed from runs_to_start', async () => {
    const { submissionId } = await submit(client, [intactBlob]);
    await untilStarted(submissionId);
  });

  async function untilStarted(submissionId: string): Promise<void> {
    const query = api.handles.db.selectFrom('runs_to_start').selectAll().where('submission_id', '=', submissionId);
    for (let turn = 0; (await query.execute()).length > 0; turn++) {
      if (turn === 100) expect.fail('the run is still in runs_to_start');
      await sleep(50);
    }
  }
});
