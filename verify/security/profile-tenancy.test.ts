import { randomUUID } from 'node:crypto';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { Answer, Client } from '@assay/testing/service/client.ts';
import { uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

// tenancy.test.ts covers ids in paths. Bodies and queries name a profile too, by id or name.
const api = await openTestApi(liftedLimits);
const home = await api.makeWorkspace();
const live = api.client(home.liveKey);
const sandbox = api.client(home.sandboxKey);
const stranger = api.client((await api.makeWorkspace()).liveKey);
const make = async (by: Client, name: string) =>
  (await by.post('/profiles', { name, description: `${name} words` })).body as { profileId: string; name: string };
const own = await make(live, 'own');
const theirs = await make(stranger, 'their-secret');
const gone = await make(live, 'gone');
await live.delete(`/profiles/${gone.profileId}`);
const blobPath = await uploadText(live);

type Ask = (client: Client, profile: string) => Promise<Answer>;
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
    (client, profile) => client.get(`/profiles/${own.profileId}/compare?with=${encodeURIComponent(profile)}`),
  ],
];

/** The response without what identifies the request, and with a placeholder for the requested profile. */
function shown({ status, body }: Answer, profile: string): string {
  const { requestId, instance, ...problem } = body;
  return JSON.stringify({ status, problem }).replaceAll(profile, 'it');
}

describe.each(profileRequests)('a profile named in %s', (_, ask) => {
  test.each([
    ['of another workspace, by id,', theirs.profileId],
    ['of another workspace, by name,', theirs.name],
    ['that was deleted, by id,', gone.profileId],
    ['that was deleted, by name,', gone.name],
    ['with the id of another resource', blobPath.split('/')[0] as string],
    ['with an invalid name', '*'],
  ])('%s is refused in the same way as one that does not exist (§1i)', async (_what, profile) => {
    for (const client of [live, sandbox]) {
      const answer = await ask(client, profile);
      expect(answer).toMatchObject({ status: 422, body: { code: 'unknown_profile' } });
      const unknown = randomUUID();
      expect(shown(answer, profile)).toBe(shown(await ask(client, unknown), unknown));
    }
  });
});

test('the list of profiles contains no profile of another workspace (§1i)', async () => {
  const { body } = await live.get('/profiles');
  expect(JSON.stringify(body)).not.toContain('their-secret');
  expect(body.profiles.at(-1).name).toBe('own');
});

test('a profile is unchanged after another workspace tries to change, select or delete it', async () => {
  const path = `/profiles/${theirs.profileId}`;
  const { body: before } = await stranger.get(path);
  for (const client of [live, sandbox]) {
    for (const change of [{ title: 'x' }, { isDefault: true }]) await client.patch(path, change);
    await client.delete(path);
  }
  expect((await stranger.get(path)).body).toEqual(before);
});
