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
