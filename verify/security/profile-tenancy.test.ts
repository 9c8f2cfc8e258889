import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { ApiResponse, Client } from '@assay/testing/service/client.ts';
import { uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

// tenancy.test.ts covers profile ids in paths. These tests cover bodies and queries, which name a profile by id or
// name.
const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const stranger = api.client((await api.makeWorkspace()).liveKey);
const makeProfile = async (by: Client, name: string) =>
  (await by.post('/profiles', { name, description: `${name} words` })).body as { profileId: string; name: string };
const ownProfile = await makeProfile(live, 'own');
const theirProfile = await makeProfile(stranger, 'their-secret');
const deletedProfile = await makeProfile(live, 'gone');
await live.delete(`/profiles/${deletedProfile.profileId}`);
const blobPath = await uploadText(live);

type Ask = (client: Client, profile: string) => Promise<ApiResponse>;
const profileRequests: [string, Ask][] = [
  [
    'metadata.assay.profile',
    (client, profile) => client.post('/submissions', { assets: [{ blobPath }], metadata: { assay: { profile } } }),
  ],
  [
    'the `extends` of a new profile',
    (client, profile) => client.post('/profiles', { name: 'above', extends: { profile } }),
  ],
  [
    'a comparison query',
    (client, profile) => client.get(`/profiles/${ownProfile.profileId}/compare?with=${encodeURIComponent(profile)}`),
  ],
];

/** The response without what identifies the request, and with a placeholder for the requested profile. */
function withoutRequestDetails({ status, body }: ApiResponse, profile: string): string {
  const { requestId, instance, ...problem } = body;
  return JSON.stringify({ status, problem }).replaceAll(profile, 'it');
}

describe.each(profileRequests)('a profile reference in %s', (_, ask) => {
  test.each([
    ["the id of another workspace's profile", theirProfile.profileId],
    ["the name of another workspace's profile", theirProfile.name],
    ['the id of a deleted profile', deletedProfile.profileId],
    ['the name of a deleted profile', deletedProfile.name],
    ['the id of another resource', blobPath.split('/')[0] as string],
    ['an invalid name', '*'],
  ])('%s is refused in the same way as an unknown profile (§1i)', async (_what, profile) => {
    for (const client of [live, sandbox]) {
      const response = await ask(client, profile);
      expect(response).toMatchObject({ status: 422, body: { code: 'unknown_profile' } });
      const unknown = randomUUID();
      expect(withoutRequestDetails(response, profile)).toBe(withoutRequestDetails(await ask(client, unknown), unknown));
    }
  });
});

test('the profile list contains no profile of another workspace (§1i)', async () => {
  const { body } = await live.get('/profiles');
  expect(JSON.stringify(body)).not.toContain('their-secret');
  expect(body.profiles.at(-1).name).toBe('own');
});

test('a profile is unchanged after another workspace tries to change it, make it the default or delete it', async () => {
  const path = `/profiles/${theirProfile.profileId}`;
  const { body: before } = await stranger.get(path);
  for (const client of [live, sandbox]) {
    for (const change of [{ title: 'x' }, { isDefault: true }]) await client.patch(path, change);
    await client.delete(path);
  }
  expect((await stranger.get(path)).body).toEqual(before);
});
