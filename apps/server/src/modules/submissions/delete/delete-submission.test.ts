import { randomUUID } from 'node:crypto';
import { addStill } from '@assay/testing/media/give-still.ts';
import { liftedLimits, openTestApi, openTestWorker, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  assetPath,
  submit,
  submitAndCancel,
  untilFinished,
  uploadPdf,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { purgeMedia } from '#modules/uploads/retention/purge-media.ts';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const apiWithoutWorker = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const { live, sandbox, ...workspace } = await openWorkspace(api);
const waitingClient = apiWithoutWorker.client(workspace.liveKey);
await openTestWorker({ ...api.config, SWEEP_SECONDS: 3600 }); // the tests purge the blobs themselves

const retentionPeriods = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const submissionPath = ({ submissionId }: { submissionId: string }) => `/submissions/${submissionId}`;
// The purge job processes the whole database, so another test file may have just claimed this blob.
const purgeWait = { timeout: 20_000 };
const blobExists = (blobPath: string) => openContainer(api.config).getBlobClient(blobPath).exists();

describe('DELETE /submissions/{submission_id}', () => {
  describe('204: the submission is deleted', () => {
    test('the response is empty, and every path of the submission returns 404 from then on', async () => {
      const created = await submit(live, [await uploadText(live)]);
      await untilFinished(live, created.submissionId);
      const response = await live.delete(submissionPath(created));
      expect(response).toMatchObject({ status: 204, body: '' });
      const paths = ['', '/issues', '/topics', '/changes'].map((rest) => assetPath(created) + rest);
      for (const path of [submissionPath(created), `${submissionPath(created)}/versions`, ...paths]) {
        expect(await live.get(path)).toMatchObject(refused(404, 'submission_not_found'));
      }
      const { body } = await live.get('/submissions?limit=100');
      expect(body.submissions.map(submissionPath)).not.toContain(submissionPath(created));
    });

    test('failed and simulated submissions can be deleted too', async () => {
      expect(await waitingClient.delete(submissionPath(await submitAndCancel(waitingClient)))).toMatchObject({
        status: 204,
      });
      const simulated = await submit(sandbox, [await uploadText(sandbox)]);
      await untilFinished(sandbox, simulated.submissionId);
      expect(await sandbox.delete(submissionPath(simulated))).toMatchObject({ status: 204 });
    });

    test('the media of the submission are deleted as well, and their paths are no longer accepted', async () => {
      const blobPath = await uploadText(live);
      const created = await submit(live, [blobPath]);
      await untilFinished(live, created.submissionId);
      await live.delete(submissionPath(created));
      await purgeMedia(api.handles, retentionPeriods);
      await expect.poll(() => blobExists(blobPath), purgeWait).toBe(false);
      expect(await live.post('/submissions', { assets: [{ blobPath }] })).toMatchObject({ status: 403 });
      expect(await live.post('/uploads/renew', { blobPath })).toMatchObject({ status: 403 });
    });

    test('a file that several submissions use is deleted with the last of them', async () => {
      const blobPath = await uploadText(live);
      const both = [await submit(live, [blobPath]), await submit(live, [blobPath])];
      for (const [i, created] of both.entries()) {
        await untilFinished(live, created.submissionId);
        await live.delete(submissionPath(created));
        await purgeMedia(api.handles, retentionPeriods);
        await expect.poll(() => blobExists(blobPath), purgeWait).toBe(i === 0);
      }
    });

    test('deleting a sandbox submission deletes a file that was uploaded with a sandbox key, and keeps one that was uploaded with a live key', async () => {
      for (const [uploader, isKept] of [[live, true] as const, [sandbox, false] as const]) {
        const blobPath = await uploadText(uploader);
        const created = await submit(sandbox, [blobPath]);
        await untilFinished(sandbox, created.submissionId);
        await sandbox.delete(submissionPath(created));
        await purgeMedia(api.handles, retentionPeriods);
        await expect.poll(() => blobExists(blobPath), purgeWait).toBe(isKept);
      }
    });

    test('version numbers are not reused, and the remaining versions stay unchanged', async () => {
      const first = await submit(live, [await uploadText(live)]);
      const next = async (previousSubmissionId: string) => {
        const created = await submit(live, [{ blobPath: await uploadText(live), previousSubmissionId }]);
        await untilFinished(live, created.submissionId);
        return created;
      };
      const second = await next(first.submissionId);
      await live.delete(submissionPath(second));
      const third = await next(first.submissionId);
      expect(third.assets[0]).toMatchObject({
        versionNumber: 3,
        versionGroupId: first.assets[0]?.versionGroupId,
      });
      const { body } = await live.get(`${submissionPath(third)}/versions`);
      expect(body.versions.map(({ versionNumber }: { versionNumber: number }) => versionNumber)).toEqual([1, 3]);
      const blobPath = await uploadText(live);
      const onDeleted = { assets: [{ blobPath, previousSubmissionId: second.submissionId }] };
      expect(await live.post('/submissions', onDeleted)).toMatchObject({ status: 404 });
    });

    test('credits stay charged, and the response to an Idempotency-Key is still replayed', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const json = { assets: [{ blobPath: await uploadText(live) }] };
      const { body: created } = await live.post('/submissions', json, { headers });
      await untilFinished(live, created.submissionId);
      const { credits } = (await live.get('/me')).body;
      await live.delete(submissionPath(created));
      expect((await live.get('/me')).body.credits).toEqual(credits);
      expect(await live.post('/submissions', json, { headers })).toMatchObject({ status: 201, body: created });
      expect(await live.get(submissionPath(created))).toMatchObject({ status: 404 });
    });

    test('no row of the submission or its assets is left in the tables', async () => {
      const created = await submit(live, [await uploadPdf(live)]);
      await untilFinished(live, created.submissionId);
      const { db } = api.handles;
      const [issue] = (await live.get(assetPath(created))).body.issues;
      const key = { submissionId: created.submissionId, assetId: created.assets[0]?.assetId as string };
      await addStill(db, key, issue.id);
      await live.patch(`${assetPath(created)}/issues/${issue.id}`, { status: 'DISMISSED', note: 'known' });
      await live.delete(submissionPath(created));
      const tables = [
        'submissions',
        'assets',
        'asset_versions',
        'issues',
        'issue_decisions',
        'stills',
        'measurements',
        'examinations',
        'runs_to_start',
      ] as const;
      for (const table of tables) {
        const rows = db.selectFrom(table).selectAll().where('submission_id', '=', created.submissionId);
        expect(await rows.execute(), table).toEqual([]);
      }
    });
  });

  describe('403: the key is a sandbox key and the submission is live', () => {
    test('live_submission is returned, and the submission is kept', async () => {
      const created = await submitAndCancel(waitingClient);
      expect(await sandbox.delete(submissionPath(created))).toMatchObject(refused(403, 'live_submission'));
      expect((await live.get(submissionPath(created))).status).toBe(200);
    });
  });

  describe('409: the submission has not finished', () => {
    test('submission_in_progress is returned while the submission is waiting or being retried', async () => {
      const created = await submit(waitingClient, [await uploadText(waitingClient)]);
      const inProgress = refused(409, 'submission_in_progress');
      expect(await waitingClient.delete(submissionPath(created))).toMatchObject(inProgress);
      await waitingClient.post(`${submissionPath(created)}/cancel`);
      await waitingClient.post(`${assetPath(created)}/retry`);
      expect(await waitingClient.delete(submissionPath(created))).toMatchObject(inProgress);
      expect((await waitingClient.get(submissionPath(created))).status).toBe(200);
    });
  });
});
