import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { builtInProfile, findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);
const { body: ownProfile } = await client.post('/profiles', { name: 'ours', failOn: 'MINOR' });
await client.patch(`/profiles/${ownProfile.profileId}`, { failOn: 'CRITICAL' });

describe('GET /profiles/{profile_id}', () => {
  describe('200: the response contains the profile', () => {
    test.each(builtInProfiles)('%s is returned as a built-in profile with its resolved settings', async (name) => {
      const file = findDataFile(name);
      const { status, body } = await client.get(`/profiles/${file?.profileId}`);
      expect(status).toBe(200);
      const { title, description, ...resolved } = builtInProfile(name);
      expect(body).toMatchObject({ name, title, description, isBuiltIn: true, revision: file?.revision, resolved });
      expect(body).toMatchObject({ createdWith: null, createdAt: null, updatedAt: null, sources: file?.sources });
      expect(body.extends?.name ?? null).toBe(file?.extends?.profile ?? null);
    });

    test('the newest revision is returned by default, and an older one on request', async () => {
      expect((await client.get(`/profiles/${ownProfile.profileId}`)).body).toMatchObject({
        revision: 2,
        resolved: { failOn: 'CRITICAL' },
      });
      const { body } = await client.get(`/profiles/${ownProfile.profileId}?revision=1`);
      expect(body).toEqual(ownProfile);
    });
  });

  describe('200: the response says whether the extended profile has a newer revision', () => {
    const create = async (name: string, base: { profile: string; revision?: number }) =>
      (await client.post('/profiles', { name, extends: base })).body;

    test('a newer revision of a built-in or own profile is named, and has no effect until it is extended', async () => {
      const onOld = await create('on-old', { profile: 'ebu-r128', revision: 1 });
      const update = { name: 'ebu-r128', revision: 1, latestRevision: findDataFile('ebu-r128')?.revision };
      expect(onOld).toMatchObject({ baseUpdate: update, extends: { revision: 1 } });
      const path = `/profiles/${onOld.profileId}`;
      expect((await client.get(path)).body.baseUpdate).toEqual(update);
      const changed = await client.patch(path, { extends: { profile: 'ebu-r128' } });
      expect(changed.body.baseUpdate).toBeNull();
      expect((await client.get(`${path}?revision=1`)).body.baseUpdate).toEqual(update);

      const onOwn = await create('on-own', { profile: 'on-old', revision: 1 });
      expect(onOwn.baseUpdate).toEqual({ name: 'on-old', revision: 1, latestRevision: 2 });
    });

    test('nothing is named for a profile on the newest revision, on a deleted profile, or built in', async () => {
      expect((await create('on-new', { profile: 'ebu-r128' })).baseUpdate).toBeNull();
      const base = await create('gone', { profile: 'general' });
      await client.patch(`/profiles/${base.profileId}`, { failOn: 'INFO' });
      const { profileId } = await create('on-gone', { profile: 'gone', revision: 1 });
      await client.delete(`/profiles/${base.profileId}`);
      expect((await client.get(`/profiles/${profileId}`)).body.baseUpdate).toBeNull();
      const podcast = await client.get(`/profiles/${findDataFile('podcast')?.profileId}`);
      expect(podcast.body).toMatchObject({
        extends: { revision: 1 },
        baseUpdate: null,
      });
    });
  });

  test('a limit that the extended profile sets to none is none, also after the profile was stored', async () => {
    const { body } = await client.post('/profiles', { name: 'on-atsc', extends: { profile: 'atsc-a85' } });
    expect((await client.get(`/profiles/${body.profileId}`)).body.resolved.limits.loudness.shortForm).toBeNull();
  });

  describe('404: the revision does not exist', () => {
    test('profile_not_found is returned for an unknown revision', async () => {
      const notFound = refused(404, 'profile_not_found');
      expect(await client.get(`/profiles/${ownProfile.profileId}?revision=3`)).toMatchObject(notFound);
      expect(await client.get(`/profiles/${findDataFile('general')?.profileId}?revision=99`)).toMatchObject(notFound);
    });
  });

  describe('422: the revision is invalid', () => {
    test.each([
      ['revision=0', '/revision'],
      ['revision=x', '/revision'],
    ])('validation_failed is returned for ?%s', async (query, pointer) => {
      expect(await client.get(`/profiles/${ownProfile.profileId}?${query}`)).toMatchObject(
        refused(422, 'validation_failed', pointer),
      );
    });
  });
});
