import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);

type ListedProfile = { name: string; isDefault: boolean; isBuiltIn: boolean; revision: number };

describe('GET /profiles', () => {
  describe('200: all profiles are returned on one page', () => {
    test("built-in profiles come first, then the workspace's own by name, each in its newest revision without its limits", async () => {
      const client = api.client((await api.makeWorkspace()).liveKey);
      const { body: later } = await client.post('/profiles', { name: 'b' });
      await client.post('/profiles', { name: 'a' });
      const { body: deleted } = await client.post('/profiles', { name: 'c' });
      await client.delete(`/profiles/${deleted.profileId}`);
      await client.patch(`/profiles/${later.profileId}`, { title: 'B' });
      const { status, body } = await client.get('/profiles');
      expect(status).toBe(200);
      expect(body).toMatchObject({ nextCursor: null, hasMore: false });
      expect(body.profiles.map(({ name, revision }: ListedProfile) => [name, revision])).toEqual([
        ...builtInProfiles.map((name) => [name, expect.any(Number)]),
        ['a', 1],
        ['b', 2],
      ]);
      for (const profile of body.profiles) {
        expect(profile.isBuiltIn).toBe(builtInProfiles.includes(profile.name));
        expect(profile).not.toHaveProperty('limits');
        expect(profile).not.toHaveProperty('resolved');
      }
    });

    test('general is the default profile of a new workspace', async () => {
      const client = api.client((await api.makeWorkspace()).sandboxKey);
      const { profiles } = (await client.get('/profiles')).body;
      expect(
        profiles.filter(({ isDefault }: ListedProfile) => isDefault).map(({ name }: ListedProfile) => name),
      ).toEqual(['general']);
    });
  });
});
