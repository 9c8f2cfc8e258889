import { randomUUID } from 'node:crypto';
import { profileDepthMax, profilesPerWorkspaceMax } from '@assay/contract/schemas/profiles/built-in.ts';
import { exampleProfileRequest } from '@assay/contract/schemas/profiles/examples.ts';
import { builtInProfile, findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const ownerDb = openOwnerDb();
const makeClient = async () => api.client((await api.makeWorkspace()).liveKey);
const client = await makeClient();
const randomName = () => `p-${randomUUID()}`;
const createProfile = (json: object, by: Client = client) => by.post('/profiles', { name: randomName(), ...json });
const generalReference = {
  profileId: findDataFile('general')?.profileId,
  name: 'general',
  revision: findDataFile('general')?.revision,
};

describe('POST /profiles', () => {
  describe('201: the profile is created', () => {
    test('by default a profile extends general without changes', async () => {
      const { status, headers, body } = await createProfile({ name: 'plain' });
      expect(status).toBe(201);
      const { limits, rules, failOn, allowIncomplete, requireDismissalNote } = builtInProfile('general');
      expect(body).toEqual({
        profileId: expect.any(String),
        name: 'plain',
        title: 'plain',
        description: '',
        revision: 1,
        isBuiltIn: false,
        isDefault: false,
        extends: generalReference,
        baseUpdate: null,
        createdWith: 'live',
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
        limits: {},
        rules: [],
        resolved: { limits, rules, failOn, allowIncomplete, requireDismissalNote },
        sources: [],
      });
      expect(headers.get('location')).toBe(`/api/integrations/profiles/${body.profileId}`);
    });

    test('a profile applies its changes on top of the inherited settings', async () => {
      const { body } = await createProfile({ ...exampleProfileRequest, name: 'ours' });
      expect(body).toMatchObject({
        title: 'Our podcasts',
        description: 'Spoken word for our feeds.',
        extends: generalReference,
      });
      expect(body.limits).toEqual({ loudness: { target: -16 } });
      expect(body.rules).toEqual(exampleProfileRequest.rules);
      const inherited = builtInProfile('general');
      expect(body.resolved.limits).toEqual({
        ...inherited.limits,
        loudness: { ...inherited.limits.loudness, target: -16 },
      });
      expect(body.resolved).toMatchObject({ failOn: 'MAJOR', requireDismissalNote: true });
      const ownCodes = exampleProfileRequest.rules.map(({ ruleCode }) => ruleCode);
      const kept = inherited.rules.filter(({ ruleCode }) => !ownCodes.some((code) => code === ruleCode));
      expect(body.resolved.rules).toEqual(expect.arrayContaining([...kept, ...exampleProfileRequest.rules]));
    });

    test('null members count as absent at every level', async () => {
      const { body } = await createProfile({
        extends: null,
        title: null,
        limits: { loudness: { target: null, truePeakMaxDb: -2 }, captions: null },
        rules: [{ ruleCode: 'LOUD-TRUE-PEAK', severity: 'MINOR', grades: null }],
        failOn: null,
      });
      expect(body.extends).toEqual(generalReference);
      expect(body.limits).toEqual({ loudness: { truePeakMaxDb: -2 } });
      expect(body.rules).toEqual([{ ruleCode: 'LOUD-TRUE-PEAK', severity: 'MINOR' }]);
      expect(body.resolved.limits.loudness.target).toBe(builtInProfile('general').limits.loudness.target);
    });

    test('a profile can extend another by name or id, and stays pinned to the revision it extended', async () => {
      const { body: base } = await createProfile({ failOn: 'MINOR' });
      await client.patch(`/profiles/${base.profileId}`, { failOn: 'CRITICAL' });
      const { body: byName } = await createProfile({ extends: { profile: base.name } });
      expect(byName).toMatchObject({ extends: { revision: 2, name: base.name }, resolved: { failOn: 'CRITICAL' } });
      const { body: byId } = await createProfile({ extends: { profile: base.profileId.toUpperCase(), revision: 1 } });
      expect(byId).toMatchObject({ extends: { revision: 1 }, resolved: { failOn: 'MINOR' } });
      await client.patch(`/profiles/${base.profileId}`, { failOn: 'INFO' });
      expect((await client.get(`/profiles/${byName.profileId}`)).body.resolved.failOn).toBe('CRITICAL');
    });

    test('a profile created with a sandbox key can be changed with that key', async () => {
      const { sandboxKey } = await api.makeWorkspace();
      const sandbox = api.client(sandboxKey);
      const { body } = await createProfile({}, sandbox);
      expect(body.createdWith).toBe('sandbox');
      expect((await sandbox.patch(`/profiles/${body.profileId}`, { title: 'Mine' })).status).toBe(200);
    });

    test('the name of a deleted profile can be used again', async () => {
      const { body } = await createProfile({});
      await client.delete(`/profiles/${body.profileId}`);
      expect((await createProfile({ name: body.name })).status).toBe(201);
    });
  });

  describe('409: the profile conflicts with the current state', () => {
    test('profile_name_taken is returned for a name that the workspace or a built-in profile already has', async () => {
      const name = randomName();
      await createProfile({ name });
      for (const taken of [name, 'general', 'ebu-r128'])
        expect(await createProfile({ name: taken })).toMatchObject(refused(409, 'profile_name_taken'));
      expect((await createProfile({ name }, await makeClient())).status).toBe(201);
    });

    test('profile_name_taken is returned to all but one of several concurrent requests for a name', async () => {
      const name = randomName();
      const responses = await Promise.all(Array.from({ length: 5 }, () => createProfile({ name })));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    });

    test(`profile_limit_reached is returned beyond ${profilesPerWorkspaceMax} profiles, not counting deleted ones`, async () => {
      const by = await makeClient();
      const { body: first } = await createProfile({}, by);
      for (let count = 1; count < profilesPerWorkspaceMax; count++)
        expect((await createProfile({}, by)).status).toBe(201);
      expect(await createProfile({}, by)).toMatchObject(refused(409, 'profile_limit_reached'));
      await by.delete(`/profiles/${first.profileId}`);
      expect((await createProfile({}, by)).status).toBe(201);
    });
  });

  describe('422: the profile is invalid', () => {
    const at = (pointer: string) => refused(422, 'validation_failed', pointer);
    test.each([
      ['no name', { name: null }, '/name'],
      ['a name with capitals', { name: 'Ours' }, '/name'],
      ['an unknown member', { limit: {} }, '/limit'],
      ['an unknown group', { limits: { loudnes: {} } }, '/limits/loudnes'],
      ['an unknown limit', { limits: { loudness: { targt: -16 } } }, '/limits/loudness/targt'],
      ['a limit out of range', { limits: { loudness: { target: 3 } } }, '/limits/loudness/target'],
      ['an unknown member of extends', { extends: { profile: 'general', name: 'x' } }, '/extends/name'],
      ['requireSecondReviewer', { requireSecondReviewer: true }, '/requireSecondReviewer'],
      ['an unknown rule', { rules: [{ ruleCode: 'NO-RULE', severity: 'OFF' }] }, '/rules/0/ruleCode'],
      ['a rule without a setting', { rules: [{ ruleCode: 'LOUD-TRUE-PEAK' }] }, '/rules/0'],
      [
        'a rule twice',
        { rules: ['OFF', 'MAJOR'].map((severity) => ({ ruleCode: 'LOUD-TRUE-PEAK', severity })) },
        '/rules/1/ruleCode',
      ],
      [
        'grades that do not start at 0',
        { rules: [{ ruleCode: 'LOUD-TRUE-PEAK', grades: [{ beyond: 1, severity: 'MINOR' }] }] },
        '/rules/0/grades/0/beyond',
      ],
      [
        'limits that contradict each other',
        { limits: { captions: { wordsPerMinuteMinor: 500 } } },
        '/limits/captions/wordsPerMinuteMinor',
      ],
      [
        'a limit that contradicts an inherited one',
        { limits: { captions: { wordsPerMinuteMajor: 1 } } },
        '/limits/captions',
      ],
    ])('a profile with %s is rejected', async (_, json, pointer) => {
      expect(await createProfile(json)).toMatchObject(at(pointer));
    });

    test('the error for requireSecondReviewer explains why it is rejected', async () => {
      const { body } = await createProfile({ requireSecondReviewer: true });
      expect(body.errors[0].detail).toContain('needs reviewers with accounts');
    });

    test(`an inheritance chain of more than ${profileDepthMax} profiles is rejected`, async () => {
      let profile = 'general';
      for (let depth = 1; depth <= profileDepthMax; depth++) {
        const { status, body } = await createProfile({ extends: { profile } });
        expect(status).toBe(201);
        profile = body.name;
      }
      expect(await createProfile({ extends: { profile } })).toMatchObject(at('/extends'));
    });

    test('unknown_profile is returned with the known names if the base profile is not in the workspace', async () => {
      const by = await makeClient();
      const { body: known } = await createProfile({ name: 'known-here' }, by);
      const { body: elsewhere } = await createProfile({});
      for (const profile of ['nothing', randomUUID(), elsewhere.name, elsewhere.profileId]) {
        const { status, body } = await createProfile({ extends: { profile } }, by);
        expect({ status, code: body.code, pointer: body.errors[0].pointer }).toEqual({
          status: 422,
          code: 'unknown_profile',
          pointer: '/extends/profile',
        });
        expect(body.errors[0].detail).toMatch(/Known: general, .*known-here\.$/);
      }
      const { body } = await createProfile({ extends: { profile: known.name, revision: 2 } }, by);
      expect(body).toMatchObject({ code: 'unknown_profile', errors: [{ pointer: '/extends/revision' }] });
    });

    test('a rejected profile leaves nothing in the database', async () => {
      const name = randomName();
      await createProfile({ name, limits: { captions: { wordsPerMinuteMajor: 1 } } });
      const { rows } = await sql`select from profiles where name = ${name}`.execute(api.handles.db);
      expect(rows).toEqual([]);
    });
  });
});

describe('a stored profile revision', () => {
  test.each([
    ['changed', sql`update profile_revisions set resolved = '{}'`, 'permission denied'],
    ['deleted', sql`delete from profile_revisions`, 'append-only'], // allowed once its profile is deleted
  ])('cannot be %s, even directly in the database', async (_, statement, reason) => {
    await createProfile({});
    await expect(statement.execute(api.handles.db)).rejects.toThrow(reason);
    await expect(statement.execute(ownerDb)).rejects.toThrow('append-only');
  });
});
