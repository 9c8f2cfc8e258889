import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { liftedLimits, openTestApi, openTestWorker } from '../../../../test/support/api.ts';
import { openContainer } from '../../../../test/support/blobs.ts';
import { giveStill } from '../../../../test/support/give-still.ts';
import { makePdf } from '../../../../test/support/samples.ts';
import { assetPath, submit, submitAndCancel, untilOver, uploadText } from '../../../../test/support/submissions.ts';
import { lookAfterBlobs } from './look-after-blobs.ts';

const api = await openTestApi(liftedLimits);
const idle = await openTestApi(liftedLimits); // nobody serves its queues: what is submitted there waits
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const waiting = idle.client(workspace.liveKey);
await openTestWorker({ ...api.config, SWEEP_SECONDS: 3600 }); // the tests look after the blobs themselves

const keep = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const submissionPath = ({ submissionId }: { submissionId: string }) => `/submissions/${submissionId}`;
// Whoever looks after the blobs does so for the whole database: another test file may have taken this one a moment ago.
const patience = { timeout: 20_000 };
const blobExists = (blobPath: string) => openContainer(api.config).getBlobClient(blobPath).exists();

describe('DELETE /submissions/{submission_id}', () => {
  describe('204: it is gone', () => {
    test('with an empty answer, and every path below it is 404 from then on', async () => {
      const created = await submit(live, [await uploadText(live)]);
      await untilOver(live, created.submissionId);
      const answer = await live.delete(submissionPath(created));
      expect(answer).toMatchObject({ status: 204, body: '' });
      const paths = ['', '/issues', '/topics', '/changes'].map((rest) => assetPath(created) + rest);
      for (const path of [submissionPath(created), `${submissionPath(created)}/versions`, ...paths]) {
        expect(await live.get(path)).toMatchObject({ status: 404, body: { code: 'submission_not_found' } });
      }
      const { body } = await live.get('/submissions?limit=100');
      expect(body.submissions.map(submissionPath)).not.toContain(submissionPath(created));
    });

    test('a failed one and a rehearsed one too', async () => {
      expect(await waiting.delete(submissionPath(await submitAndCancel(waiting)))).toMatchObject({ status: 204 });
      const rehearsed = await submit(sandbox, [await uploadText(sandbox)]);
      await untilOver(sandbox, rehearsed.submissionId);
      expect(await sandbox.delete(submissionPath(rehearsed))).toMatchObject({ status: 204 });
    });

    test('its media are gone as well, and their paths are no longer accepted', async () => {
      const blobPath = await uploadText(live);
      const created = await submit(live, [blobPath]);
      await untilOver(live, created.submissionId);
      await live.delete(submissionPath(created));
      await lookAfterBlobs(api.handles, keep);
      await expect.poll(() => blobExists(blobPath), patience).toBe(false);
      expect(await live.post('/submissions', { assets: [{ blobPath }] })).toMatchObject({ status: 403 });
      expect(await live.post('/uploads/renew', { blobPath })).toMatchObject({ status: 403 });
    });

    test('a file that another submission also uses goes with the last of them', async () => {
      const blobPath = await uploadText(live);
      const both = [await submit(live, [blobPath]), await submit(live, [blobPath])];
      for (const [i, created] of both.entries()) {
        await untilOver(live, created.submissionId);
        await live.delete(submissionPath(created));
        await lookAfterBlobs(api.handles, keep);
        await expect.poll(() => blobExists(blobPath), patience).toBe(i === 0);
      }
    });

    test('a sandbox submission of a live upload leaves the file; one of its own upload takes it along', async () => {
      for (const [uploader, isKept] of [[live, true] as const, [sandbox, false] as const]) {
        const blobPath = await uploadText(uploader);
        const created = await submit(sandbox, [blobPath]);
        await untilOver(sandbox, created.submissionId);
        await sandbox.delete(submissionPath(created));
        await lookAfterBlobs(api.handles, keep);
        await expect.poll(() => blobExists(blobPath), patience).toBe(isKept);
      }
    });

    test('version numbers are not given again, and the versions that are left stand alone', async () => {
      const first = await submit(live, [await uploadText(live)]);
      const next = async (previousSubmissionId: string) => {
        const created = await submit(live, [{ blobPath: await uploadText(live), previousSubmissionId }]);
        await untilOver(live, created.submissionId);
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

    test('what was spent stays spent, and an answered key stays answered', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const json = { assets: [{ blobPath: await uploadText(live) }] };
      const { body: created } = await live.post('/submissions', json, { headers });
      await untilOver(live, created.submissionId);
      const { credits } = (await live.get('/me')).body;
      await live.delete(submissionPath(created));
      expect((await live.get('/me')).body.credits).toEqual(credits);
      expect(await live.post('/submissions', json, { headers })).toMatchObject({ status: 201, body: created });
      expect(await live.get(submissionPath(created))).toMatchObject({ status: 404 });
    });

    test('nothing of it is left in any table but ids and numbers', async () => {
      const script = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');
      const created = await submit(live, [(await live.uploadFile('leaflet.pdf', script)).body.blobPath]);
      await untilOver(live, created.submissionId);
      const { db } = api.handles;
      const [issue] = (await live.get(assetPath(created))).body.issues;
      const key = { submissionId: created.submissionId, assetId: created.assets[0]?.assetId as string };
      await giveStill(db, key, issue.id);
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

  describe('403: a live submission with a sandbox key', () => {
    test('live_submission', async () => {
      const created = await submitAndCancel(waiting);
      const answer = await sandbox.delete(submissionPath(created));
      expect(answer).toMatchObject({ status: 403, body: { code: 'live_submission' } });
      expect((await live.get(submissionPath(created))).status).toBe(200);
    });
  });

  describe('404: not in the workspace, or deleted before', () => {
    test('submission_not_found', async () => {
      const created = await submitAndCancel(waiting);
      const twice = [await live.delete(submissionPath(created)), await live.delete(submissionPath(created))];
      expect(twice).toMatchObject([{ status: 204 }, { status: 404, body: { code: 'submission_not_found' } }]);
    });
  });

  describe('409: it is not over', () => {
    test('submission_in_progress: waiting, or being retried', async () => {
      const created = await submit(waiting, [await uploadText(waiting)]);
      const refused = { status: 409, body: { code: 'submission_in_progress' } };
      expect(await waiting.delete(submissionPath(created))).toMatchObject(refused);
      await waiting.post(`${submissionPath(created)}/cancel`);
      await waiting.post(`${assetPath(created)}/retry`);
      expect(await waiting.delete(submissionPath(created))).toMatchObject(refused);
      expect((await waiting.get(submissionPath(created))).status).toBe(200);
    });
  });

  describe('422: not the documented shape', () => {
    test('validation_failed', async () => {
      expect(await live.delete('/submissions/1')).toMatchObject({ body: { code: 'validation_failed' } });
    });
  });
});
