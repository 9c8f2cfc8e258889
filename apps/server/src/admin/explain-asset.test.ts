import { randomUUIDv7 } from 'node:crypto';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import {
  assetPath,
  type SubmissionIds,
  submit,
  untilFinished,
  uploadText,
} from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { type Explanation, stepsByVariable } from '#modules/analysis/explain-asset.ts';

const settings = { ...liftedLimits, ...engineTimes };
const smallHeapApi = await openTestApi({
  ...settings,
  WORKER_QUEUES: 'control,document,video',
  EXAMINATION_HEAP_MB: '64',
});
const shortTimeoutApi = await openTestApi({
  ...settings,
  WORKER_QUEUES: 'control,document',
  EXAMINATION_SECONDS_MIN: '0.001',
});
const apiWithoutWorker = await openTestApi(settings);
await Promise.all([openTestWorker(smallHeapApi.config), openTestWorker(shortTimeoutApi.config)]);
const workspace = await smallHeapApi.makeWorkspace();
const [client, shortTimeoutClient, clientWithoutWorker] = [smallHeapApi, shortTimeoutApi, apiWithoutWorker].map((api) =>
  api.client(workspace.liveKey),
) as [
  ReturnType<typeof smallHeapApi.client>,
  ReturnType<typeof smallHeapApi.client>,
  ReturnType<typeof smallHeapApi.client>,
];
const { db } = smallHeapApi.handles;

const idOf = ({ assets }: SubmissionIds) => assets[0]?.assetId as string;
const explain = (created: SubmissionIds, ...options: string[]) =>
  smallHeapApi.admin('asset', 'explain', idOf(created), ...options);
const explainAsJson = async (created: SubmissionIds) => (await explain(created, '--json')) as Explanation;

/** A dictionary that never ends. The parser keeps every name in it: eight bytes of heap per byte of the file. */
const endlessPdf = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n<<'), Buffer.alloc(16 * 2 ** 20, '/S/abcdefg')]);

async function upload(filename: string, contentType: string, bytes: Uint8Array): Promise<string> {
  const { body } = await client.post('/uploads/url', { filename, contentType });
  await putBlob(body.uploadUrl, bytes);
  return body.blobPath;
}

async function submitAndFinish(blobPath: string): Promise<SubmissionIds> {
  const created = await submit(client, [blobPath]);
  await untilFinished(client, created.submissionId);
  return created;
}

const uploadTruncatedVideo = () => upload('canary-name.mp4', 'video/mp4', sample('clip.mp4').subarray(0, 2000));
const heapExhaustingAsset = await submitAndFinish(await upload('canary-name.pdf', 'application/pdf', endlessPdf));

describe('admin asset explain', () => {
  test('prints the limit that an asset exceeded, its value, the variable that sets it, and the next step', async () => {
    const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
    const uuid = '[0-9a-f-]{36}';
    expect(await explain(heapExhaustingAsset)).toMatch(
      new RegExp(`^Asset       ${idOf(heapExhaustingAsset)}
Status      failed: resource_limit_exceeded
File        document, ${endlessPdf.length} bytes
Submission  ${heapExhaustingAsset.submissionId} \\(live\\)
Workspace   ${workspace.workspaceId}
Workflow    ${heapExhaustingAsset.workflowId}
Created     ${time}
Finished    ${time}

Attempt 1
  try 1: ${time} to ${time}, worker ${uuid}
    ended by: file \\(resource_limit_exceeded\\)
    reason: the examination needed more than its 64 MB of JavaScript heap
    limited by: EXAMINATION_HEAP_MB

Next step: Raise EXAMINATION_HEAP_MB, .*$`),
    );
  });

  test('names the tool that failed, without its output', async () => {
    const broken = await submitAndFinish(
      await upload('canary-name.mp4', 'video/mp4', sample('clip.mp4').subarray(0, 2000)),
    );
    const { status, errorType, attempts } = await explainAsJson(broken);
    expect({ status, errorType, attempts }).toMatchObject({
      status: 'failed',
      errorType: 'corrupt_media',
      attempts: [{ tries: [{ endedBy: 'file', reason: 'ffprobe exited with 1: it could not read the file' }] }],
    });
  });

  test('lists every try of every attempt of a retried asset', async () => {
    const costly = await upload('canary-name.pdf', 'application/pdf', endlessPdf); // never examined in time
    const created = await submit(shortTimeoutClient, [costly]);
    await untilFinished(shortTimeoutClient, created.submissionId);
    await shortTimeoutClient.post(`${assetPath(created)}/retry`);
    await untilFinished(shortTimeoutClient, created.submissionId);
    const one = { endedBy: 'timeout', errorType: 'analysis_timeout', variable: 'EXAMINATION_SECONDS_MIN' };
    const { attempts, workflowId } = await explainAsJson(created);
    expect(attempts).toMatchObject([
      { attempt: 1, tries: [one, one] },
      { attempt: 2, tries: [one, one] },
    ]);
    expect(workflowId).toBe(`submission:${created.submissionId}:2`);
    expect(attempts[1]?.tries[1]?.reason).toBe('the examination took longer than 0.001 s');
  });

  test('explains a waiting, a cancelled and a complete asset', async () => {
    const created = await submit(clientWithoutWorker, [await uploadText(clientWithoutWorker)]);
    expect(await explain(created)).toMatch(/^Status {6}submitted$.*no try is recorded.*Next step: Wait\./ms);
    await clientWithoutWorker.post(`/submissions/${created.submissionId}/cancel`);
    expect(await explain(created)).toMatch(/^Status {6}failed: cancelled$.*Next step: The submission was cancelled/ms);
    const complete = await submitAndFinish(await uploadText(client));
    expect(await explainAsJson(complete)).toMatchObject({ status: 'complete', attempts: [{ tries: [] }] });
  });

  test('rejects an unknown asset, and a missing or invalid id', async () => {
    const unknown = randomUUIDv7();
    await expect(smallHeapApi.admin('asset', 'explain', unknown)).rejects.toThrow(`Asset ${unknown} not found.`);
    for (const args of [[], ['1'], [unknown, unknown], [unknown, '--yaml']]) {
      await expect(smallHeapApi.admin('asset', 'explain', ...args)).rejects.toThrow(
        'asset explain <asset id> [--json]',
      );
    }
  });

  test('suggests only environment variables that exist', () => {
    for (const variable of Object.keys(stepsByVariable)) expect(smallHeapApi.config).toHaveProperty(variable);
  });
});

describe('the recorded reason for a failure', () => {
  test('is not shown to callers', async () => {
    const { body } = await client.get(assetPath(heapExhaustingAsset));
    expect(body.errorType).toBe('resource_limit_exceeded');
    expect(JSON.stringify(body)).not.toMatch(/heap|EXAMINATION_/);
  });

  test('is kept when the other assets of the submission are cancelled, and deleted with the submission', async () => {
    const image = await upload('still.png', 'image/png', sample('still.png')); // no worker serves images
    const created = await submit(client, [await uploadTruncatedVideo(), image]);
    const failed = async () => (await client.get(assetPath(created))).body.status === 'failed';
    await expect.poll(failed, { timeout: 60_000 }).toBe(true);
    await client.post(`/submissions/${created.submissionId}/cancel`);
    const tries = db.selectFrom('examination_tries').selectAll().where('submission_id', '=', created.submissionId);
    const rows = await tries.execute();
    expect(rows).toMatchObject([{ asset_id: idOf(created), reason: expect.stringContaining('ffprobe') }]);
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(await client.delete(`/submissions/${created.submissionId}`)).toMatchObject({ status: 204 });
    expect(await tries.execute()).toEqual([]);
    await expect(explain(created)).rejects.toThrow('not found. It may have been deleted');
  });
});
