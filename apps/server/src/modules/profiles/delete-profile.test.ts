import { randomUUID } from 'node:crypto';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const home = await api.makeWorkspace();
const client = api.client(home.liveKey);
const sandbox = api.client(home.sandboxKey);
const make = async (json: object = {}) =>
  (await client.post('/profiles', { name: `p-${randomUUID()}`, ...json })).body as { profileId: string; name: string };

describe('DELETE /profiles/{profile_id}', () => {
  describe('204: the profile is deleted and can no longer be selected or read', () => {
    test('a profile that extends the deleted one is unchanged and can still be updated', async () => {
      const base = await make({ failOn: 'MINOR' });
      const above = await make({ extends: { profile: base.name } });
      expect(await client.delete(`/profiles/${base.profileId}`)).toMatchObject({ status: 204, body: '' });
      expect((await client.get(`/profiles/${base.profileId}`)).status).toBe(404);
      expect((await client.get(`/profiles/${base.profileId}?revision=1`)).status).toBe(404);
      expect((await client.post('/profiles', { name: 'x', extends: { profile: base.name } })).status).toBe(422);
      const { body } = await client.patch(`/profiles/${above.profileId}`, { title: 'Still here' });
      expect(body).toMatchObject({ extends: { name: base.name, revision: 1 }, resolved: { failOn: 'MINOR' } });
    });
  });

  describe('403: a live profile is read-only for sandbox keys', () => {
    test('live_profile is returned, and the profile is not deleted', async () => {
      const { profileId } = await make();
      expect(await sandbox.delete(`/profiles/${profileId}`)).toMatchObject({
        status: 403,
        body: { code: 'live_profile' },
      });
      expect((await client.get(`/profiles/${profileId}`)).status).toBe(200);
    });
  });

  describe('404: the profile does not exist', () => {
    test('profile_not_found is returned for an unknown or already deleted profile', async () => {
      const { profileId } = await make();
      await client.delete(`/profiles/${profileId}`);
      for (const id of [randomUUID(), profileId])
        expect(await client.delete(`/profiles/${id}`)).toMatchObject({
          status: 404,
          body: { code: 'profile_not_found' },
        });
    });
  });

  describe('409: the profile cannot be deleted', () => {
    test('profile_is_default is returned as long as the profile is the default of the workspace', async () => {
      const { profileId } = await make();
      await client.patch(`/profiles/${profileId}`, { isDefault: true });
      expect(await client.delete(`/profiles/${profileId}`)).toMatchObject({
        status: 409,
        body: { code: 'profile_is_default' },
      });
      await client.patch(`/profiles/${profileId}`, { isDefault: false });
      expect((await client.delete(`/profiles/${profileId}`)).status).toBe(204);
    });

    test('built_in_profile is returned for a built-in profile', async () => {
      const path = `/profiles/${findDataFile('ebu-r128')?.profileId}`;
      expect(await client.delete(path)).toMatchObject({ status: 409, body: { code: 'built_in_profile' } });
    });
  });

  describe('422: the id is not a UUID', () => {
    test('validation_failed is returned for a name in place of the id', async () => {
      expect(await client.delete('/profiles/general')).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      });
    });
  });
});
