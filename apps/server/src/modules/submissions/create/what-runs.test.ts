import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document' });
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const { body: issued } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });
const put = (body: string) => putBlob(issued.uploadUrl, body);

// Submitted before a worker runs, so that the file can be replaced in between.
await put('as it was submitted');
const replaced = await submit(client, [issued.blobPath, await uploadText(client)]);
await put('replaced before any check');
await openTestWorker(api.config);

const suspicious = async () =>
  (await client.uploadFile('a.pdf', makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'))).body.blobPath;

async function resultOf(sidekickIds: string[] | undefined) {
  const blobPath = await suspicious();
  const { submissionId, assets } = await submit(client, [blobPath], sidekickIds && { sidekickIds });
  const submission = await untilFinished(client, submissionId);
  expect(submission).toMatchObject({ status: 'complete', progressPercent: 100 });
  return (await client.get(`/submissions/${submissionId}/assets/${assets[0]?.assetId}`)).body;
}

describe('the checks of a submitted file', () => {
  test('run on the validated bytes only, and a replaced file fails with blob_changed', async () => {
    const submission = await untilFinished(client, replaced.submissionId);
    expect(submission).toMatchObject({
      status: 'failed',
      errorMessage: '1 of 2 assets failed',
      isRetryable: false,
      assets: [
        { status: 'failed', errorType: 'blob_changed', isRetryable: false, issueCount: null },
        { status: 'complete', errorType: null, issueCount: 0 },
      ],
    });
  });

  test('run on the new bytes after another submission', async () => {
    const { submissionId } = await submit(client, [issued.blobPath]);
    expect(await untilFinished(client, submissionId)).toMatchObject({ status: 'complete' });
  });

  test('are those of the default sidekicks if there are no sidekickIds', async () => {
    const { checks, issueCount } = await resultOf(undefined);
    const defaults = sidekicks.filter(({ isDefault }) => isDefault).map(({ id }) => id);
    expect(checks.map(({ sidekickId }: { sidekickId: string }) => sidekickId)).toEqual(defaults);
    expect(issueCount).toBeGreaterThan(0);
  });

  test('do not run if sidekickIds is empty, and the asset completes without issues (§4.3d)', async () => {
    expect(await resultOf([])).toMatchObject({ status: 'complete', checks: [], issueCount: 0, issues: [] });
  });

  test('are exactly those of sidekickIds, even if repeated or in capital letters (§2.5g, §4.3d)', async () => {
    const { id } = sidekicks.find(({ shortName }) => shortName === 'file-safety') as (typeof sidekicks)[number];
    const { checks } = await resultOf([id, id.toUpperCase()]);
    expect(checks).toMatchObject([{ sidekickId: id, outcome: 'ran' }]);
  });

  test('do not run with a sandbox key, and the issue count is null instead of 0 (§1h, §8.3b)', async () => {
    const sandbox = api.client(workspace.sandboxKey);
    const { submissionId, assets } = await submit(sandbox, [await suspicious()]);
    expect(await untilFinished(sandbox, submissionId)).toMatchObject({
      mode: 'sandbox',
      status: 'complete',
      assets: [{ status: 'complete', issueCount: null }],
    });
    const { body } = await sandbox.get(`/submissions/${submissionId}/assets/${assets[0]?.assetId}`);
    expect(body).toMatchObject({ checks: [], issues: [], issueCount: null });
  });
});
