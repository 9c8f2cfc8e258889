import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { openHoldingProxy } from '@assay/testing/service/hold.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { storageSettingsAt, storageUrlOf } from '@assay/testing/storage/blobs.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Handles } from '#platform/handles.ts';
import { deleteUnusedRevisions } from './delete-unused-revisions.ts';

const api = await openTestApi(liftedLimits); // without a worker: submissions stay queued
const { live: client, ...workspace } = await openWorkspace(api);
const { db } = api.handles;
const inHours = (hours: number): Handles => ({
  ...api.handles,
  clock: { now: () => new Date(Date.now() + hours * 3_600_000) },
});

/** Creates a profile with this many revisions. */
async function makeProfile(revisionCount = 1, json: object = {}): Promise<{ profileId: string; name: string }> {
  const { body } = await client.post('/profiles', { name: `p-${randomUUID()}`, ...json });
  for (let i = 1; i < revisionCount; i++) await client.patch(`/profiles/${body.profileId}`, { title: `${i}` });
  return body;
}
const deleteProfile = async ({ profileId }: { profileId: string }) =>
  expect((await client.delete(`/profiles/${profileId}`)).status).toBe(204);
const pin = ({ name }: { name: string }) => ({ metadata: { assay: { profile: name } } });
async function submitWith(profile: { name: string }) {
  const { submissionId } = await submit(client, [await uploadText(client)], pin(profile));
  return `/submissions/${submissionId}`;
}
async function cancelAndDelete(path: string): Promise<void> {
  expect((await client.post(`${path}/cancel`)).status).toBe(202);
  expect((await client.delete(path)).status).toBe(204);
}
async function revisionsOf({ profileId }: { profileId: string }): Promise<number[]> {
  const { rows } = await sql<{ revision: number }>`
    select revision from profile_revisions where profile_id = ${profileId} order by revision`.execute(db);
  return rows.map(({ revision }) => revision);
}
const isStored = async ({ profileId }: { profileId: string }) =>
  (await sql`select from profiles where profile_id = ${profileId}`.execute(db)).rows.length > 0;

describe('revisions of a deleted profile', () => {
  test('are deleted a day later, and the profile with the last of them', async () => {
    const profile = await makeProfile(3);
    await deleteProfile(profile);
    await deleteUnusedRevisions(inHours(23));
    expect(await revisionsOf(profile)).toEqual([1, 2, 3]);
    await deleteUnusedRevisions(inHours(25));
    expect([await revisionsOf(profile), await isStored(profile)]).toEqual([[], false]);
  });

  test('are kept as long as a submission refers to them, one by one', async () => {
    const profile = await makeProfile();
    const first = await submitWith(profile);
    await client.patch(`/profiles/${profile.profileId}`, { title: 'second' });
    await client.patch(`/profiles/${profile.profileId}`, { title: 'third' });
    const third = await submitWith(profile);
    await deleteProfile(profile);
    await deleteUnusedRevisions(inHours(25));
    expect(await revisionsOf(profile)).toEqual([1, 3]);
    expect((await client.get(third)).body.profile).toMatchObject({ profileId: profile.profileId, revision: 3 });
    await cancelAndDelete(first);
    await deleteUnusedRevisions(inHours(50));
    expect(await revisionsOf(profile)).toEqual([3]);
    await cancelAndDelete(third);
    await deleteUnusedRevisions(inHours(75));
    expect([await revisionsOf(profile), await isStored(profile)]).toEqual([[], false]);
  });

  test('are kept as long as a profile extends them that can be changed', async () => {
    const base = await makeProfile(2);
    const above = await makeProfile(1, { extends: { profile: base.name, revision: 1 } });
    await deleteProfile(base);
    await deleteUnusedRevisions(inHours(25));
    expect(await revisionsOf(base)).toEqual([1]);
    expect((await client.patch(`/profiles/${above.profileId}`, { title: 'changed' })).status).toBe(200);
    await client.patch(`/profiles/${above.profileId}`, { extends: { profile: 'general' } });
    await deleteUnusedRevisions(inHours(50));
    expect(await revisionsOf(base)).toEqual([]);
  });

  test('are all deleted, also if there are more than one statement deletes', async () => {
    const profile = await makeProfile();
    await sql`
      insert into profile_revisions (profile_id, revision, workspace_id, name, document, resolved, fail_on, extends_id,
        extends_name, extends_revision, depth, created_at)
      select profile_id, n, workspace_id, name, document, resolved, fail_on, extends_id, extends_name, extends_revision,
        depth, created_at
      from profile_revisions, generate_series(2, 250) as n where profile_id = ${profile.profileId}`.execute(db);
    await deleteProfile(profile);
    await deleteUnusedRevisions(inHours(25));
    expect(await revisionsOf(profile)).toEqual([]);
  });
});

test('no revision of a profile that is not deleted can be deleted', async () => {
  const profile = await makeProfile(2);
  await deleteUnusedRevisions(inHours(1000));
  expect(await revisionsOf(profile)).toEqual([1, 2]);
  const deletion = sql`delete from profile_revisions where profile_id = ${profile.profileId}`.execute(db);
  await expect(deletion).rejects.toThrow('append-only');
});

describe('a submission that is created while its profile is deleted', () => {
  test('is refused if the profile is deleted before the submission is stored', async () => {
    const storage = await openHoldingProxy(storageUrlOf(api.config), 1);
    const slow = await openTestApi({ ...liftedLimits, ...storageSettingsAt(storage.url, api.config) });
    const profile = await makeProfile();
    const blobPath = await uploadText(client);
    const creating = slow.client(workspace.liveKey).post('/submissions', { assets: [{ blobPath }], ...pin(profile) });
    await storage.held;
    await deleteProfile(profile);
    storage.release();
    expect(await creating).toMatchObject(refused(422, 'unknown_profile', '/metadata/assay/profile'));
    storage.close();
  });

  test('keeps its revision if it is stored at the same time', async () => {
    const profile = await makeProfile();
    const blobPath = await uploadText(client);
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and query like '%insert into assets%' and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length > 0;
    };
    const { creating } = await db.transaction().execute(async (transaction) => {
      await sql`select from blobs where ${blobPath} like '%' || blob_id || '%' for update`.execute(transaction);
      const creating = client.post('/submissions', { assets: [{ blobPath }], ...pin(profile) });
      await expect.poll(isWaiting, { interval: 20 }).toBe(true);
      await deleteProfile(profile);
      return { creating };
    });
    const { status, body } = await creating;
    expect(status).toBe(201);
    await deleteUnusedRevisions(inHours(25));
    expect(await revisionsOf(profile)).toEqual([1]);
    expect((await client.get(`/submissions/${body.submissionId}`)).body.profile).toMatchObject({ revision: 1 });
  });
});

test('a deleted profile is checked once a day', async () => {
  const profile = await makeProfile();
  const path = await submitWith(profile);
  await deleteProfile(profile);
  await deleteUnusedRevisions(inHours(25));
  await cancelAndDelete(path);
  await deleteUnusedRevisions(inHours(48));
  expect(await revisionsOf(profile)).toEqual([1]);
  await deleteUnusedRevisions(inHours(50));
  expect(await revisionsOf(profile)).toEqual([]);
});
