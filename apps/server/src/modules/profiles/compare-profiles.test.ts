import { randomUUID } from 'node:crypto';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);
const { body: ownProfile } = await client.post('/profiles', {
  name: 'ours',
  limits: { loudness: { target: -16 }, photosensitivity: { areas: ['screen'] } },
  rules: [
    { ruleCode: 'LOUD-TRUE-PEAK', severity: 'MAJOR' },
    { ruleCode: 'QC-TRUNCATED', grades: [{ beyond: 0, severity: 'MINOR' }] },
  ],
  requireDismissalNote: true,
});
const comparePath = `/profiles/${ownProfile.profileId}/compare`;

describe('GET /profiles/{profile_id}/compare', () => {
  describe('200: the response lists every difference', () => {
    test('in the limits, the rules by code, and the settings', async () => {
      const { status, body } = await client.get(`${comparePath}?with=general`);
      expect(status).toBe(200);
      expect(body.left).toEqual({ profileId: ownProfile.profileId, name: 'ours', revision: 1 });
      expect(body.right).toEqual({
        profileId: findDataFile('general')?.profileId,
        name: 'general',
        revision: findDataFile('general')?.revision,
      });
      expect(body.differences).toEqual([
        { pointer: '/limits/loudness/target', left: -16, right: null },
        { pointer: '/limits/photosensitivity/areas', left: ['screen'], right: ['341x256'] },
        { pointer: '/rules/LOUD-TRUE-PEAK', left: 'MAJOR', right: 'OFF' },
        { pointer: '/rules/QC-TRUNCATED', left: [{ beyond: 0, severity: 'MINOR' }], right: null },
        { pointer: '/requireDismissalNote', left: true, right: false },
      ]);
    });

    test('between two revisions of one profile, given by name or id', async () => {
      await client.patch(`/profiles/${ownProfile.profileId}`, { failOn: 'CRITICAL' });
      for (const other of ['ours', ownProfile.profileId]) {
        const { body } = await client.get(`${comparePath}?revision=1&with=${other}&withRevision=2`);
        expect([body.left.revision, body.right.revision]).toEqual([1, 2]);
        expect(body.differences).toEqual([{ pointer: '/failOn', left: 'MAJOR', right: 'CRITICAL' }]);
      }
      expect((await client.get(`${comparePath}?with=ours`)).body.differences).toEqual([]);
    });
  });

  describe('404: the revision of the profile in the path does not exist', () => {
    test('profile_not_found is returned for an unknown revision', async () => {
      expect(await client.get(`${comparePath}?with=general&revision=9`)).toMatchObject(
        refused(404, 'profile_not_found'),
      );
    });
  });

  describe('422: the profiles cannot be compared', () => {
    test.each([
      ['no other profile', '', '/with'],
      ['an empty name', '?with=', '/with'],
      ['a revision of 0', '?with=general&withRevision=0', '/withRevision'],
    ])('validation_failed is returned for a query with %s', async (_, query, pointer) => {
      expect(await client.get(comparePath + query)).toMatchObject(refused(422, 'validation_failed', pointer));
    });

    test.each([
      ['nothing', '/with'],
      [randomUUID(), '/with'],
      ['general&withRevision=99', '/withRevision'],
    ])('unknown_profile is returned for with=%s', async (other, pointer) => {
      expect(await client.get(`${comparePath}?with=${other}`)).toMatchObject(refused(422, 'unknown_profile', pointer));
    });
  });
});
