import { randomUUID } from 'node:crypto';
import { noVerdict } from '@assay/contract/no-verdict.ts';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText, versionOf } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

// No worker runs here: submissions stay `submitted` unless a test changes them.
const api = await openTestApi(liftedLimits);
const { live: client, sandbox, ...workspace } = await openWorkspace(api);
const stranger = api.client((await api.makeWorkspace()).liveKey);

const uploadTwo = () => Promise.all(['a.txt', 'b.txt'].map((name) => uploadText(client, name)));

/** Puts an asset into a state, as the engine would. */
async function setAsset(submissionId: string, assetId: string | undefined, state: object): Promise<void> {
  await api.handles.db
    .updateTable('assets')
    .set(state)
    .where('submission_id', '=', submissionId)
    .where('asset_id', '=', assetId as string)
    .execute();
}

describe('GET /submissions/{submission_id}', () => {
  describe('200: the submission with the status of each asset', () => {
    test('a new submission has exactly the documented members (§2.1a, §2.1e, §2.2a, §3a, §4.4b)', async () => {
      const metadata = { campaign: 'spring' };
      const created = await submit(client, await uploadTwo(), { metadata });
      const { status, body } = await client.get(`/submissions/${created.submissionId}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        submissionId: created.submissionId,
        workflowId: created.workflowId,
        workspaceId: workspace.workspaceId,
        mode: 'live',
        status: 'submitted',
        progressPercent: 0,
        createdAt: expect.any(String),
        completedAt: null,
        errorMessage: null,
        isRetryable: false,
        ...noVerdict,
        profile: {
          profileId: expect.any(String),
          name: 'general',
          revision: findDataFile('general')?.revision,
          failOn: 'MAJOR',
          allowIncomplete: findDataFile('general')?.allowIncomplete ?? [],
        },
        metadata,
        assets: created.assets.map((asset, i) => ({
          ...versionOf(asset),
          filename: ['a.txt', 'b.txt'][i],
          status: 'submitted',
          progressPercent: 0,
          issueCount: null,
          ...noVerdict,
          errorMessage: null,
          errorType: null,
          isRetryable: false,
          retryCount: 0,
        })),
      });
    });

    test.each([
      ['a live key, with retries left', 'live', 1, true, 'Retry the asset.'],
      ['a live key, after the last retry', 'live', 4, false, 'Submit the file again.'],
      ['a sandbox key, which may not retry the asset', 'sandbox', 1, false, 'with a live key'],
    ] as const)(
      'isRetryable and errorMessage are consistent for %s (§D2)',
      async (_, mode, attempt, isRetryable, advice) => {
        const { submissionId, assets } = await submit(client, await uploadTwo());
        for (const { assetId } of assets)
          await setAsset(submissionId, assetId, {
            status: 'failed',
            error_type: 'cancelled',
            completed_at: new Date(),
            attempt,
          });
        const reader = mode === 'live' ? client : sandbox;
        const failure = { isRetryable, errorMessage: expect.stringContaining(advice) };
        const { body } = await reader.get(`/submissions/${submissionId}`);
        expect(body).toMatchObject({ isRetryable, assets: [failure, failure] });
        const { body: asset } = await reader.get(`/submissions/${submissionId}/assets/${assets[0]?.assetId}`);
        expect(asset).toMatchObject(failure);
      },
    );

    test('createdAt is the time of the request', async () => {
      const [blobPath] = await uploadTwo();
      const before = Date.now();
      const { submissionId } = await submit(client, [blobPath as string]);
      const after = Date.now();
      const createdAt = Date.parse((await client.get(`/submissions/${submissionId}`)).body.createdAt);
      expect(createdAt).toBeGreaterThanOrEqual(before);
      expect(createdAt).toBeLessThanOrEqual(after);
    });

    test('the status is processing while one of two assets is complete, and failed once the other has failed (§2.1h, §2.2c, §2.2e, §3b)', async () => {
      const { submissionId, assets } = await submit(client, await uploadTwo());
      const path = `/submissions/${submissionId}`;
      const [first, second] = assets;
      const done = { status: 'complete', progress_percent: 100, issue_count: 2, completed_at: new Date() };
      await setAsset(submissionId, first?.assetId, done);
      await setAsset(submissionId, second?.assetId, { status: 'processing', progress_percent: 99 });
      expect((await client.get(path)).body).toMatchObject({
        status: 'processing',
        progressPercent: 99,
        errorMessage: null,
        assets: [
          { status: 'complete', issueCount: 2 },
          { status: 'processing', issueCount: null },
        ],
      });
      const failed = { status: 'failed', error_type: 'analysis_timeout', attempt: 3, completed_at: new Date() };
      await setAsset(submissionId, second?.assetId, failed);
      const { body } = await client.get(path);
      expect(body).toMatchObject({
        status: 'failed',
        errorMessage: '1 of 2 assets failed',
        isRetryable: true,
        assets: [
          { errorType: null, errorMessage: null, isRetryable: false, retryCount: 0 },
          { errorType: 'analysis_timeout', errorMessage: expect.any(String), isRetryable: true, retryCount: 2 },
        ],
      });
      await setAsset(submissionId, second?.assetId, { attempt: 4 });
      expect((await client.get(path)).body).toMatchObject({ isRetryable: false, assets: [{}, { retryCount: 3 }] });
    });

    test('a live or sandbox key can read submissions of both modes', async () => {
      const [blobPath] = await uploadTwo();
      const live = await submit(client, [blobPath as string]);
      const simulated = await submit(sandbox, [blobPath as string]);
      expect((await sandbox.get(`/submissions/${live.submissionId}`)).body.mode).toBe('live');
      expect((await client.get(`/submissions/${simulated.submissionId}`)).body.mode).toBe('sandbox');
    });

    test('an id in capital letters finds the same submission', async () => {
      const { submissionId } = await submit(client, await uploadTwo());
      expect((await client.get(`/submissions/${submissionId.toUpperCase()}`)).body.submissionId).toBe(submissionId);
    });

    test('caches must not store the response', async () => {
      const { submissionId } = await submit(client, await uploadTwo());
      expect((await client.get(`/submissions/${submissionId}`)).headers.get('cache-control')).toBe('no-store');
    });
  });

  describe('404: the submission is not in this workspace', () => {
    test('the submission_not_found response is the same for a submission of another workspace as for an unknown id (§4.4d, §7j)', async () => {
      const { submissionId } = await submit(client, await uploadTwo());
      const unknownId = randomUUID();
      const foreign = await stranger.get(`/submissions/${submissionId}`);
      const unknown = await stranger.get(`/submissions/${unknownId}`);
      expect(foreign).toMatchObject(refused(404, 'submission_not_found'));
      const { requestId: _, ...rest } = foreign.body;
      const { requestId: __, ...expected } = unknown.body;
      expect(JSON.stringify(rest).replaceAll(submissionId, unknownId)).toBe(JSON.stringify(expected));
    });

    test.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
      'submission_not_found is returned for an id of a month without a partition, %s',
      async (id) => {
        expect(await client.get(`/submissions/${id}`)).toMatchObject(refused(404, 'submission_not_found'));
      },
    );

    test('there is no /status below a submission (§4.4c)', async () => {
      expect(await client.get(`/submissions/${randomUUID()}/status`)).toMatchObject(refused(404, 'route_not_found'));
    });
  });

  describe('422: the id is not a UUID (§4.4a)', () => {
    test.each(['1', 'x'.repeat(36), 'x'.repeat(5000), `${randomUUID()}x`, `{${randomUUID()}}`, '%00', "'%20or%201=1"])(
      'validation_failed is returned for %s',
      async (id) => {
        expect(await client.get(`/submissions/${id}`)).toMatchObject(
          refused(422, 'validation_failed', '/submission_id'),
        );
      },
    );
  });
});
