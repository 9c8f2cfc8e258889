import { randomUUIDv7 } from 'node:crypto';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { engineTimes } from '@assay/testing/service/engine-times.ts';
import { assetPath, type Created, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { type Explanation, stepsByVariable } from '#modules/analysis/explain-asset.ts';

const settings = { ...liftedLimits, ...engineTimes };
const narrow = await openTestApi({ ...settings, WORKER_QUEUES: 'control,document,video', EXAMINATION_HEAP_MB: '64' });
const hasty = await openTestApi({ ...settings, WORKER_QUEUES: 'control,document', EXAMINATION_SECONDS_MIN: '0.001' });
const idle = await openTestApi(settings);
await Promise.all([openTestWorker(narrow.config), openTestWorker(hasty.config)]);
const workspace = await narrow.makeWorkspace();
const [client, hurried, waiting] = [narrow, hasty, idle].map((api) => api.client(workspace.liveKey)) as [
  ReturnType<typeof narrow.client>,
  ReturnType<typeof narrow.client>,
  ReturnType<typeof narrow.client>,
];
const { db } = narrow.handles;

const idOf = ({ assets }: Created) => assets[0]?.assetId as string;
const explain = (created: Created, ...options: string[]) => narrow.admin('asset', 'explain', idOf(created), ...options);
const explainAsJson = async (created: Created) => (await explain(created, '--json')) as Explanation;

/** Each name is kept until the end of a dictionary that never ends: eight bytes of heap per byte of the file. */
const endlessPdf = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n<<'), Buffer.alloc(16 * 2 ** 20, '/S/abcdefg')]);

async function upload(filename: string, contentType: string, bytes: Uint8Array): Promise<string> {
  const { body } = await client.post('/uploads/url', { filename, contentType });
  await putBlob(body.uploadUrl, bytes);
  return body.blobPath;
}

async function submitFinished(blobPath: string): Promise<Created> {
  const created = await submit(client, [blobPath]);
  await untilFinished(client, created.submissionId);
  return created;
}

const uploadBroken = () => upload('canary-name.mp4', 'video/mp4', sample('clip.mp4').subarray(0, 2000));
const exhausting = await submitFinished(await upload('canary-name.pdf', 'application/pdf', endlessPdf));

describe('admin asset explain', () => {
  test('prints the limit that an asset exceeded, its value, the variable that sets it, and the next step', async () => {
    const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
    const uuid = '[0-9a-f-]{36}';
    expect(await explain(exhausting)).toMatch(
      new RegExp(`^Asset       ${idOf(exhausting)}
Status      failed: resource_limit_exceeded
File        document, ${endlessPdf.length} bytes
Submission  ${exhausting.submissionId} \\(live\\)
Workspace   ${workspace.workspaceId}
Workflow    ${exhausting.workflowId}
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
    const broken = await submitFinished(
      await upload('canary-name.mp4', 'video/mp4', sample('clip.mp4').subarray(0, 2000)),
    );
    const { status, errorType, attempts } = await explainAsJson(broken);
    expect({ status, errorType, attempts }).toMatchObject({
      status: 'failed',
      errorType: 'corrupt_media',
      attempts: [{ tries: [{ endedBy: 'file', reason: 'ffprobe exited with 1: it could not read the file' }] }],
    });
  });

  test('lists every try of every attempt of an asset that was retried', async () => {
    const created = await submit(hurried, [await uploadText(hurried)]);
    await untilFinished(hurried, created.submissionId);
    await hurried.post(`${assetPath(created)}/retry`);
    await untilFinished(hurried, created.submissionId);
    const one = { endedBy: 'timeout', errorType: 'analysis_timeout', variable: 'EXAMINATION_SECONDS_MIN' };
    const { attempts, workflowId } = await explainAsJson(created);
    expect(attempts).toMatchObject([
      { attempt: 1, tries: [one, one] },
      { attempt: 2, tries: [one, one] },
    ]);
    expect(workflowId).toBe(`submission:${created.submissionId}:2`);
    expect(attempts[1]?.tries[1]?.reason).toBe('the examination took longer than 0.001 s');
  });

  test('explains an asset that was cancelled, that waits, and that is complete', async () => {
    const created = await submit(waiting, [await uploadText(waiting)]);
    expect(await explain(created)).toMatch(/^Status {6}submitted$.*no try is recorded.*Next step: Wait\./ms);
    await waiting.post(`/submissions/${created.submissionId}/cancel`);
    expect(await explain(created)).toMatch(/^Status {6}failed: cancelled$.*Next step: The submission was cancelled/ms);
    const complete = await submitFinished(await uploadText(client));
    expect(await explainAsJson(complete)).toMatchObject({ status: 'complete', attempts: [{ tries: [] }] });
  });

  test('says when there is no such asset, and when the id is missing or invalid', async () => {
    const unknown = randomUUIDv7();
    await expect(narrow.admin('asset', 'explain', unknown)).rejects.toThrow(`Asset ${unknown} not found.`);
    for (const args of [[], ['1'], [unknown, unknown], [unknown, '--yaml']]) {
      await expect(narrow.admin('asset', 'explain', ...args)).rejects.toThrow('asset explain <asset id> [--json]');
    }
  });

  test('names only variables that exist', () => {
    for (const variable of Object.keys(stepsByVariable)) expect(narrow.config).toHaveProperty(variable);
  });
});

describe('the reason of a failure', () => {
  test('is not shown to callers', async () => {
    const { body } = await client.get(assetPath(exhausting));
    expect(body.errorType).toBe('resource_limit_exceeded');
    expect(JSON.stringify(body)).not.toMatch(/heap|EXAMINATION_/);
  });

  test('is kept when the other assets of the submission are cancelled, and deleted with the submission', async () => {
    const image = await upload('still.png', 'image/png', sample('still.png')); // no worker serves images
    const created = await submit(client, [await uploadBroken(), image]);
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
