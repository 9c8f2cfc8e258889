import { randomUUID } from 'node:crypto';
import { revisionsPerProfileMax } from '@assay/contract/schemas/profiles/built-in.ts';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const { live: client, sandbox } = await openWorkspace(api);
const makeProfile = async (json: object = {}, by = client) =>
  (await by.post('/profiles', { name: `p-${randomUUID()}`, ...json })).body;
const builtInPath = (name: string) => `/profiles/${findDataFile(name)?.profileId}`;
const listDefaultNames = async (by = client) =>
  (await by.get('/profiles')).body.profiles
    .filter(({ isDefault }: { isDefault: boolean }) => isDefault)
    .map(({ name }: { name: string }) => name);

describe('PATCH /profiles/{profile_id}', () => {
  describe('200: the profile is changed', () => {
    test('a changed title creates a new revision, and the old one remains unchanged', async () => {
      const before = await makeProfile({ limits: { loudness: { target: -16 } }, failOn: 'MINOR' });
      const path = `/profiles/${before.profileId}`;
      const { status, body } = await client.patch(path, { title: 'Ours' });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, title: 'Ours', revision: 2, updatedAt: body.updatedAt });
      expect(body.updatedAt > before.updatedAt).toBe(true);
      expect((await client.get(`${path}?revision=1`)).body).toEqual(before);
      expect((await client.get(path)).body).toEqual(body);
    });

    test('a field in the request replaces its old value as a whole, and other fields are unchanged', async () => {
      const { profileId } = await makeProfile({ limits: { loudness: { target: -16 } }, failOn: 'MINOR' });
      const { body } = await client.patch(`/profiles/${profileId}`, { limits: { captions: { linesMax: 3 } } });
      expect(body.limits).toEqual({ captions: { linesMax: 3 } });
      expect(body.resolved).toMatchObject({ failOn: 'MINOR', limits: { captions: { linesMax: 3 } } });
      expect(body.resolved.limits.loudness.target).not.toBe(-16);
      expect((await client.patch(`/profiles/${profileId}`, { limits: {} })).body.limits).toEqual({});
    });

    test('a profile can be renamed, and its earlier revisions keep their name', async () => {
      const before = await makeProfile();
      const name = `renamed-${randomUUID()}`;
      const { body } = await client.patch(`/profiles/${before.profileId}`, { name });
      expect(body).toMatchObject({ name, revision: 2 });
      expect((await client.get(`/profiles/${before.profileId}?revision=1`)).body.name).toBe(before.name);
      expect((await client.post('/profiles', { name: before.name })).status).toBe(201);
    });

    test('a profile can extend a newer revision of its base', async () => {
      const base = await makeProfile({ failOn: 'MINOR' });
      const above = await makeProfile({ extends: { profile: base.name } });
      await client.patch(`/profiles/${base.profileId}`, { failOn: 'INFO' });
      const path = `/profiles/${above.profileId}`;
      expect((await client.patch(path, { title: 'x' })).body.resolved.failOn).toBe('MINOR');
      const { body } = await client.patch(path, { extends: { profile: base.name } });
      expect(body).toMatchObject({ extends: { revision: 2 }, resolved: { failOn: 'INFO' } });
    });

    test('a request that changes nothing creates no revision', async () => {
      const before = await makeProfile({ title: 'Ours', limits: { loudness: { target: -16 } }, failOn: 'MINOR' });
      const { name, title, extends: base, limits, failOn } = before;
      for (const json of [{ title }, { name, failOn }, { limits }, { extends: { profile: base.name } }])
        expect(await client.patch(`/profiles/${before.profileId}`, json)).toMatchObject({ status: 200, body: before });
    });

    test('concurrent changes each create a revision', async () => {
      const { profileId } = await makeProfile();
      const responses = await Promise.all(
        Array.from({ length: 5 }, (_, i) => client.patch(`/profiles/${profileId}`, { title: `${i}` })),
      );
      expect(responses.map(({ body }) => body.revision).sort()).toEqual([2, 3, 4, 5, 6]);
    });

    test('isDefault sets the default profile of the workspace and creates no revision', async () => {
      const by = api.client((await api.makeWorkspace()).liveKey);
      const { profileId, name, updatedAt } = await makeProfile({}, by);
      const { body } = await by.patch(`/profiles/${profileId}`, { isDefault: true });
      expect(body).toMatchObject({ isDefault: true, revision: 1, updatedAt });
      expect(await listDefaultNames(by)).toEqual([name]);
      expect((await by.patch(builtInPath('atsc-a85'), { isDefault: true })).body.isDefault).toBe(true);
      expect(await listDefaultNames(by)).toEqual(['atsc-a85']);
      await by.patch(`/profiles/${profileId}`, { isDefault: false }); // it is not the default, so nothing changes
      expect(await listDefaultNames(by)).toEqual(['atsc-a85']);
      await by.patch(builtInPath('atsc-a85'), { isDefault: false });
      expect(await listDefaultNames(by)).toEqual(['general']);
    });
  });

  describe('403: a live profile is read-only for sandbox keys', () => {
    test('live_profile is returned for a change to a profile created with a live key, or to the default', async () => {
      const live = await makeProfile();
      const own = await makeProfile({}, sandbox);
      const readOnly = refused(403, 'live_profile');
      expect(await sandbox.patch(`/profiles/${live.profileId}`, { title: 'x' })).toMatchObject(readOnly);
      for (const path of [`/profiles/${live.profileId}`, `/profiles/${own.profileId}`, builtInPath('general')])
        expect(await sandbox.patch(path, { isDefault: true })).toMatchObject(readOnly);
      expect((await sandbox.patch(`/profiles/${own.profileId}`, { title: 'x' })).status).toBe(200);
      expect((await client.patch(`/profiles/${own.profileId}`, { title: 'y' })).status).toBe(200);
    });
  });

  describe('409: the profile cannot be changed in this way', () => {
    test('built_in_profile is returned for a change to any field except isDefault', async () => {
      for (const change of [{ title: 'x' }, { failOn: 'INFO', isDefault: true }])
        expect(await client.patch(builtInPath('ebu-r128'), change)).toMatchObject(refused(409, 'built_in_profile'));
      expect((await client.get(builtInPath('ebu-r128'))).body.isDefault).toBe(false);
    });

    test(`revision_limit_reached is returned beyond ${revisionsPerProfileMax} revisions, but not if nothing changes`, async () => {
      const { profileId } = await makeProfile({ title: 'first' });
      await sql`
        insert into profile_revisions
        select (jsonb_populate_record(r, jsonb_build_object('revision', ${revisionsPerProfileMax}::int))).*
        from profile_revisions r where profile_id = ${profileId}`.execute(api.handles.db);
      await sql`update profiles set latest_revision = ${revisionsPerProfileMax} where profile_id = ${profileId}`.execute(
        api.handles.db,
      );
      const response = await client.patch(`/profiles/${profileId}`, { title: 'second' });
      expect(response).toMatchObject(refused(409, 'revision_limit_reached'));
      expect((await client.patch(`/profiles/${profileId}`, { title: 'first' })).status).toBe(200);
    });

    test('profile_name_taken is returned for the name of another profile', async () => {
      const one = await makeProfile();
      const other = await makeProfile();
      for (const name of [other.name, 'general'])
        expect(await client.patch(`/profiles/${one.profileId}`, { name })).toMatchObject(
          refused(409, 'profile_name_taken'),
        );
      expect((await client.patch(`/profiles/${one.profileId}`, { name: one.name })).status).toBe(200);
    });
  });

  describe('422: the change is invalid', () => {
    test.each([
      ['no members', {}, ''],
      ['only nulls', { title: null }, ''],
      ['an unknown member', { title: 'x', revision: 3 }, '/revision'],
      ['a contradiction', { limits: { qcPictureSound: { levelMin: 250 } } }, '/limits/qcPictureSound/levelMin'],
    ])('validation_failed is returned for a body with %s', async (_, change, pointer) => {
      const { profileId } = await makeProfile();
      expect(await client.patch(`/profiles/${profileId}`, change)).toMatchObject(
        refused(422, 'validation_failed', pointer),
      );
      expect((await client.get(`/profiles/${profileId}`)).body.revision).toBe(1);
    });

    test('validation_failed is returned if the newly extended profile contradicts an existing limit', async () => {
      const base = await makeProfile({ limits: { captions: { wordsPerMinuteMinor: 10, wordsPerMinuteMajor: 20 } } });
      const { profileId } = await makeProfile({ limits: { captions: { wordsPerMinuteMinor: 100 } } });
      expect(await client.patch(`/profiles/${profileId}`, { extends: { profile: base.name } })).toMatchObject(
        refused(422, 'validation_failed', '/extends'),
      );
    });

    test('unknown_profile is returned if the extended profile does not exist', async () => {
      const { profileId } = await makeProfile();
      expect(await client.patch(`/profiles/${profileId}`, { extends: { profile: 'nothing' } })).toMatchObject(
        refused(422, 'unknown_profile', '/extends/profile'),
      );
    });
  });
});
