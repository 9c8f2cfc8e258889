import { randomUUID } from 'node:crypto';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi, openWorkspace } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const { live: client, sandbox } = await openWorkspace(api);
const makeProfile = async (json: object = {}) =>
  (await client.post('/profiles', { name: `p-${randomUUID()}`, ...json })).body as { profileId: string; name: string };

describe('DELETE /profiles/{profile_id}', () => {
  describe('204: the profile is deleted and can no longer be read or extended', () => {
    test('a profile that extends the deleted one is unchanged and can still be updated', async () => {
      const base = await makeProfile({ failOn: 'MINOR' });
      const above = await makeProfile({ extends: { profile: base.name } });
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
      const { profileId } = await makeProfile();
      expect(await sandbox.delete(`/profiles/${profileId}`)).toMatchObject(refused(403, 'live_profile'));
      expect((await client.get(`/profiles/${profileId}`)).status).toBe(200);
    });
  });

  describe('409: the profile cannot be deleted', () => {
    test('profile_is_default is returned while the profile is the default of the workspace', async () => {
      const { profileId } = await makeProfile();
      await client.patch(`/profiles/${profileId}`, { isDefault: true });
      expect(await client.delete(`/profiles/${profileId}`)).toMatchObject(refused(409, 'profile_is_default'));
      await client.patch(`/profiles/${profileId}`, { isDefault: false });
      expect((await client.delete(`/profiles/${profileId}`)).status).toBe(204);
    });

    test('built_in_profile is returned for a built-in profile', async () => {
      const path = `/profiles/${findDataFile('ebu-r128')?.profileId}`;
      expect(await client.delete(path)).toMatchObject(refused(409, 'built_in_profile'));
    });
  });
});
