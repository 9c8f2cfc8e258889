import { type AssetErrorType, assetFailures } from '@assay/contract/asset-failures.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { refused } from '@assay/testing/service/refused.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  submitAndCancel,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const apiWithWorker = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const ownerDb = openOwnerDb();
const apiWithoutWorker = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const workspace = await apiWithWorker.makeWorkspace();
const live = apiWithWorker.client(workspace.liveKey);
const waitingClient = apiWithoutWorker.client(workspace.liveKey);
const sandboxClient = apiWithoutWorker.client(workspace.sandboxKey);
await openTestWorker(apiWithWorker.config);

const retryPath = (created: SubmissionIds, i = 0) => `${assetPath(created, i)}/retry`;
const assetOf = async ({ submissionId }: SubmissionIds, i = 0) => {
  const { body } = await waitingClient.get(`/submissions/${submissionId}`);
  return body.assets[i];
};

/** Fails the assets of a submission as an analysis would. */
async function failAs({ submissionId }: SubmissionIds, errorType: AssetErrorType): Promise<void> {
  const values = { error_type: errorType, status: 'failed', completed_at: new Date() };
  await apiWithoutWorker.handles.db
    .updateTable('assets')
    .set(values)
    .where('submission_id', '=', submissionId)
    .execute();
}

describe('POST /submissions/{submission_id}/assets/{asset_id}/retry', () => {
  describe('202: the retry is accepted', () => {
    test('the response has the form of a creation response, with all assets in order and a new workflowId (§4.8a, §3f)', async () => {
      const created = await submitAndCancel(waitingClient, 3);
      const { status, body } = await waitingClient.post(retryPath(created, 1));
      expect(status).toBe(202);
      expect(body).toEqual({ ...created, workflowId: created.workflowId.replace(/1$/, '2'), status: 'processing' });
      const { body: submission } = await waitingClient.get(`/submissions/${created.submissionId}`);
      expect(submission).toMatchObject({ workflowId: body.workflowId, status: 'processing', completedAt: null });
      expect(submission.errorMessage).toBeNull();
    });

    test('the retry stays accepted if the database fails right after the commit', async () => {
      const created = await submitAndCancel(waitingClient);
      await sql`
        create function hide_tier() returns trigger language plpgsql security definer as
        $$ begin alter table workspaces rename tier to hidden_tier; return null; end $$`.execute(ownerDb);
      // A deferred trigger: it runs at the end of the transaction, and later reads fail.
      await sql`
        create constraint trigger hide_tier after insert on runs_to_start deferrable initially deferred
        for each row execute function hide_tier()`.execute(ownerDb);
      const response = await waitingClient.post(retryPath(created));
      await sql`drop trigger hide_tier on runs_to_start`.execute(ownerDb);
      await sql`alter table workspaces rename hidden_tier to tier`.execute(ownerDb);
      expect(response.status).toBe(202);
      expect(await assetOf(created)).toMatchObject({ status: 'submitted', retryCount: 1 });
    });

    test('the asset starts again, and the other assets stay as they are (§2.2f)', async () => {
      const created = await submitAndCancel(waitingClient, 2);
      const bystander = await assetOf(created, 0);
      await waitingClient.post(retryPath(created, 1));
      expect(await assetOf(created, 1)).toMatchObject({
        status: 'submitted',
        progressPercent: 0,
        errorType: null,
        errorMessage: null,
        isRetryable: false,
        retryCount: 1,
      });
      expect(await assetOf(created, 0)).toEqual(bystander);
    });

    test.each([
      ['no body', {}],
      ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }],
      ['an empty object', { json: {} }],
    ])('a request with %s is accepted', async (_, request) => {
      const created = await submitAndCancel(waitingClient);
      expect(await waitingClient.send('POST', retryPath(created), request)).toMatchObject({ status: 202 });
    });

    test.each(Object.entries(assetFailures).filter(([, { isRetryable }]) => isRetryable))(
      'an asset that failed as %s, which is retryable, can be retried (§1f)',
      async (errorType) => {
        const created = await submitAndCancel(waitingClient);
        await failAs(created, errorType as AssetErrorType);
        expect(await assetOf(created)).toMatchObject({ errorType, isRetryable: true });
        expect(await waitingClient.post(retryPath(created))).toMatchObject({ status: 202 });
      },
    );

    test('a retried asset is analysed completely, and charged once', async () => {
      const created = await submitAndCancel(waitingClient);
      const before = (await live.get('/me')).body.credits.used;
      // The retry is sent to the API that has a worker, so that the run is processed.
      expect(await live.post(retryPath(created))).toMatchObject({ status: 202 });
      const submission = await untilFinished(live, created.submissionId);
      expect(submission).toMatchObject({ status: 'complete', progressPercent: 100 });
      expect(submission.assets[0]).toMatchObject({ retryCount: 1, issueCount: 0, errorType: null });
      expect((await live.get('/me')).body.credits.used).toBe(before + 1);
    });

    test('one asset of 50 is retried alone, and the 49 settled ones stay unchanged', async () => {
      const created = await submitAndCancel(waitingClient, 50);
      const { db } = apiWithoutWorker.handles;
      const rows = () =>
        db.selectFrom('assets').selectAll().where('submission_id', '=', created.submissionId).execute();
      const before = await rows();
      expect(await live.post(retryPath(created, 24))).toMatchObject({ status: 202, body: { status: 'processing' } });
      const submission = await untilFinished(live, created.submissionId);
      expect(submission).toMatchObject({ status: 'failed', errorMessage: '49 of 50 assets failed' });
      const isOther = ({ asset_id }: { asset_id: string }) => asset_id !== created.assets[24]?.assetId;
      expect((await rows()).filter(isOther)).toEqual(expect.arrayContaining(before.filter(isOther)));
      expect(submission.assets[24]).toMatchObject({ status: 'complete', retryCount: 1 });
    });

    test('a cancelled simulated run can be retried with a sandbox key', async () => {
      const created = await submitAndCancel(sandboxClient, 2);
      const sandbox = apiWithWorker.client(workspace.sandboxKey);
      for (const i of [0, 1]) expect(await sandbox.post(retryPath(created, i))).toMatchObject({ status: 202 });
      expect(await untilFinished(sandbox, created.submissionId)).toMatchObject({
        status: 'complete',
        assets: [{ retryCount: 1, issueCount: null }, { retryCount: 1 }],
      });
    });
  });

  describe('409: the asset cannot be retried now, or ever (§4.8b, §7k)', () => {
    test('asset_not_failed is returned for an asset that is waiting', async () => {
      const created = await submit(waitingClient, [await uploadText(waitingClient)]);
      expect(await waitingClient.post(retryPath(created))).toMatchObject(refused(409, 'asset_not_failed'));
    });

    test('asset_not_failed is returned for a complete asset, whether or not it was retried', async () => {
      const created = await submit(live, [await uploadText(live)]);
      await untilFinished(live, created.submissionId);
      expect(await live.post(retryPath(created))).toMatchObject(refused(409, 'asset_not_failed'));
      const retried = await submitAndCancel(waitingClient);
      await live.post(retryPath(retried));
      await untilFinished(live, retried.submissionId);
      expect(await live.post(retryPath(retried))).toMatchObject(refused(409, 'asset_not_failed'));
    });

    test.each(Object.entries(assetFailures).filter(([, { isRetryable }]) => !isRetryable))(
      'asset_not_retryable is returned for an asset that failed as %s',
      async (errorType) => {
        const created = await submitAndCancel(waitingClient);
        await failAs(created, errorType as AssetErrorType);
        expect(await assetOf(created)).toMatchObject({ isRetryable: false });
        expect(await waitingClient.post(retryPath(created))).toMatchObject(refused(409, 'asset_not_retryable'));
      },
    );

    test('asset_not_retryable is returned after an analysis that did not find the file', async () => {
      const blobPath = await uploadText(live);
      const created = await submit(waitingClient, [blobPath]);
      await waitingClient.post(`/submissions/${created.submissionId}/cancel`);
      await openContainer(apiWithWorker.config).getBlobClient(blobPath).delete();
      await live.post(retryPath(created));
      await untilFinished(live, created.submissionId);
      expect(await live.post(retryPath(created))).toMatchObject(refused(409, 'asset_not_retryable'));
    });

    test('asset_not_retryable is returned to a sandbox key for a live submission (§D2)', async () => {
      const created = await submitAndCancel(waitingClient);
      const response = await sandboxClient.post(retryPath(created));
      const detail = expect.stringContaining('with a live key');
      expect(response).toMatchObject({ status: 409, body: { code: 'asset_not_retryable', detail } });
      expect(await assetOf(created)).toMatchObject({ status: 'failed', retryCount: 0 });
    });

    test('retry_limit_reached is returned for the fourth retry', async () => {
      const created = await submitAndCancel(waitingClient);
      for (const retryCount of [1, 2, 3]) {
        expect(await waitingClient.post(retryPath(created))).toMatchObject({ status: 202 });
        await waitingClient.post(`/submissions/${created.submissionId}/cancel`);
        expect(await assetOf(created)).toMatchObject({ retryCount, isRetryable: retryCount < 3 });
      }
      expect(await waitingClient.post(retryPath(created))).toMatchObject(refused(409, 'retry_limit_reached'));
      expect(await assetOf(created)).toMatchObject({ status: 'failed', retryCount: 3 });
    });

    test('retry_in_flight is returned while the previous retry has not finished', async () => {
      const created = await submitAndCancel(waitingClient);
      await waitingClient.post(retryPath(created));
      expect(await waitingClient.post(retryPath(created))).toMatchObject(refused(409, 'retry_in_flight'));
    });
  });

  describe('422: an invalid request', () => {
    test.each([[{ force: true }], [[]], ['now'], [null]])(
      'validation_failed is returned for the body %j',
      async (json) => {
        const created = await submitAndCancel(waitingClient);
        expect(await waitingClient.post(retryPath(created), json)).toMatchObject(refused(422, 'validation_failed'));
        expect(await assetOf(created)).toMatchObject({ retryCount: 0 });
      },
    );
  });
});
