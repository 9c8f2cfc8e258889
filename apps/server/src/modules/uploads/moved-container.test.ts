import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { containerVariableOf, openContainer } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import { purgeMedia } from './retention/purge-media.ts';

const settings = { ...liftedLimits, WORKER_QUEUES: 'control,document' };

const containerVariable = containerVariableOf(readConfig(inject('environment')).OBJECT_STORE);
const containerSetting = (container: string) => ({ [containerVariable]: container });
const oldName = `old-${randomUUID()}`;
const apiOnOldContainer = await openTestApi({ ...settings, ...containerSetting(oldName) });
const apiOnNewContainer = await openTestApi({ ...settings, ...containerSetting(`new-${randomUUID()}`) });
const workspace = await apiOnOldContainer.makeWorkspace();
const uploader = apiOnOldContainer.client(workspace.liveKey);
const live = apiOnNewContainer.client(workspace.liveKey);
const [oldContainer, newContainer] = [openContainer(apiOnOldContainer.config), openContainer(apiOnNewContainer.config)];
beforeAll(async () => {
  await Promise.all([oldContainer.create(), newContainer.create()]);
  await openTestWorker({ ...apiOnNewContainer.config, SWEEP_SECONDS: 3600 });
});
afterAll(() => Promise.all([oldContainer.deleteIfExists(), newContainer.deleteIfExists()]));

const retentionPeriods = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };

test('after the container has changed, a file is read, renewed and deleted where it was stored', async () => {
  const blobPath = await uploadText(uploader);
  const { body: renewed } = await live.post('/uploads/renew', { blobPath });
  expect(renewed.uploadUrl).toContain(`/${oldName}/`);
  const { submissionId } = await submit(live, [blobPath]);
  expect((await untilFinished(live, submissionId)).status).toBe('complete');
  await live.delete(`/submissions/${submissionId}`);
  await purgeMedia(apiOnNewContainer.handles, retentionPeriods);
  expect(await oldContainer.getBlobClient(blobPath).exists()).toBe(false);
  expect(
    await newContainer.getBlobClient(await uploadText(live)).exists(),
    'new files are stored in the new container',
  ).toBe(true);
});

test('a missing container or account counts as an outage, during which no database record is deleted', async () => {
  const gone = await openTestApi({ ...settings, ...containerSetting(`gone-${randomUUID()}`) });
  const container = openContainer(gone.config);
  await container.create();
  const blobPath = await uploadText(gone.client(workspace.liveKey));
  const foreign = await uploadText(uploader);
  await sql`update blobs set account = 'another' where ${foreign} like '%' || blob_id || '%'`.execute(
    apiOnNewContainer.handles.db,
  );
  await container.delete();
  for (const path of [blobPath, foreign]) {
    const response = await live.post('/submissions', { assets: [{ blobPath: path }] });
    expect(response).toMatchObject(refused(502, 'storage_unavailable'));
  }
  expect(await live.post('/uploads/renew', { blobPath: foreign })).toMatchObject({ status: 502 });
  const inThreeDays = { now: () => new Date(Date.now() + 72 * 3_600_000) };
  await purgeMedia({ ...apiOnNewContainer.handles, clock: inThreeDays }, retentionPeriods);
  const { rows } = await sql`
    select from blobs where ${blobPath} like '%' || blob_id || '%' or ${foreign} like '%' || blob_id || '%'`.execute(
    apiOnNewContainer.handles.db,
  );
  expect(rows).toHaveLength(2);
});
