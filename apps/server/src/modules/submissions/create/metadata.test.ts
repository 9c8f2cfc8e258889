import { randomUUID } from 'node:crypto';
import {
  metadataBytesMax,
  metadataDepthMax,
  metadataKeyCharactersMax,
  metadataKeysMax,
} from '@assay/contract/limits.ts';
import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const note = await uploadText(client);
const assets = [{ blobPath: note }];

const metadataOfKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${i}`, i]));
/** Metadata of this many nested objects, including the outermost one. */
const metadataOfDepth = (levels: number): object => (levels === 1 ? {} : { a: metadataOfDepth(levels - 1) });
/** Metadata of exactly this size in JSON. */
const metadataOfSize = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
const sendText = (body: string) =>
  client.send('POST', '/submissions', { body, headers: { 'content-type': 'application/json' } });

async function readBack(metadata: object) {
  const { submissionId } = await submit(client, [note], { metadata });
  return (await client.get(`/submissions/${submissionId}`)).body.metadata;
}

describe('metadata of a submission', () => {
  test.each([
    ['an empty object', {}],
    ['every kind of value', { a: null, b: true, c: -1.5, d: 'é 世 𝄞', e: [1, 'x', [null]], f: { g: {} } }],
    ['names with a meaning elsewhere', { id: 1, toString: 'x', 'a/b~c': 2, ' ': 3, $ref: '#/x', length: 4 }],
    [`${metadataKeysMax} keys`, metadataOfKeys(metadataKeysMax)],
    ['more keys, but not at the top level', { a: metadataOfKeys(metadataKeysMax + 1) }],
    ['a key of 64 characters', { ['k'.repeat(metadataKeyCharactersMax)]: 1 }],
    ['a key of 64 characters of two units each', { ['𝄞'.repeat(metadataKeyCharactersMax)]: 1 }],
    [`${metadataDepthMax} levels`, metadataOfDepth(metadataDepthMax)],
    ['16 KiB', metadataOfSize(metadataBytesMax)],
    ['a backslash before u0000 and ud800', { a: '\\u0000', '\\ud800': '\\\\u0000' }],
    ['other control characters', { a: '\u0001\n\t\u007f' }],
  ])('is returned unchanged: %s (§2.5e, §4.3e)', async (_, metadata) => {
    expect(await readBack(metadata)).toEqual(metadata);
  });

  test.each([
    [`${metadataKeysMax + 1} keys`, metadataOfKeys(metadataKeysMax + 1), '/metadata'],
    ['a key of 65 characters', { ['k'.repeat(65)]: 1 }, `/metadata/${'k'.repeat(65)}`],
    ['an empty key', { '': 1 }, '/metadata/'],
    [`${metadataDepthMax + 1} levels`, metadataOfDepth(metadataDepthMax + 1), '/metadata'],
    [`${metadataDepthMax + 1} levels of lists`, { a: [[[[[]]]]] }, '/metadata'],
    ['16 KiB and a byte', metadataOfSize(metadataBytesMax + 1), '/metadata'],
    ['more than 16 KiB in bytes, but not in characters', { a: 'é'.repeat(metadataBytesMax / 2) }, '/metadata'],
    ['NUL in a value', { a: ['\0'] }, '/metadata'],
    ['NUL in a key', { a: { '\0': 1 } }, '/metadata'],
    ['NUL after a backslash', { a: '\\\0' }, '/metadata'],
    ['a high surrogate alone', { a: 'x\ud834' }, '/metadata'],
    ['a low surrogate alone', { a: '\udd1e' }, '/metadata'],
    ['a lone surrogate in a key', { '\ud834': 1 }, '/metadata'],
  ])('422 validation_failed is returned for %s', async (_, metadata, pointer) => {
    const answer = await client.post('/submissions', { assets, metadata });
    expect(answer).toMatchObject(refused(422, 'validation_failed', pointer));
  });

  test.each([
    ['lists in metadata', (n: number) => `{"assets":[],"metadata":{"a":${'['.repeat(n)}${']'.repeat(n)}}}`],
    ['objects in metadata', (n: number) => `{"assets":[],"metadata":${'{"a":'.repeat(n)}1${'}'.repeat(n)}}`],
    ['lists as assets', (n: number) => `{"assets":${'['.repeat(n)}${']'.repeat(n)}}`],
  ])('100,000 levels of %s are refused with validation_failed', async (_, make) => {
    expect(await sendText(make(100_000))).toMatchObject(refused(422, 'validation_failed'));
  });

  describe('the reserved key `assay`', () => {
    test.each([
      ['a profile by name', { profile: 'atsc-a85' }],
      ['a profile by id', { profile: findDataFile('atsc-a85')?.profileId }],
      ['nulls, which count as absent', { profile: null }],
      ['an empty object', {}],
    ])('is accepted and returned with %s', async (_, assay) => {
      expect(await readBack({ assay, mine: 1 })).toEqual({ assay, mine: 1 });
    });

    test.each([
      ['an empty profile', { profile: '' }, '/metadata/assay/profile'],
      ['a profile that is not a string', { profile: 1 }, '/metadata/assay/profile'],
      ['a market, which no sidekick reads', { market: 'EU' }, '/metadata/assay/market'],
      ['an unknown member', { limit: 1 }, '/metadata/assay/limit'],
      ['a string', 'ebu-r128', '/metadata/assay'],
    ])('422 validation_failed is returned for %s', async (_, assay, pointer) => {
      const answer = await client.post('/submissions', { assets, metadata: { assay } });
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: expect.stringMatching(new RegExp(`^${pointer}`)) }] },
      });
    });

    test.each(['loud', 'toString', randomUUID(), 'General'])(
      '422 unknown_profile is returned for %s and lists the known profiles',
      async (profile) => {
        const by = api.client((await api.makeWorkspace()).liveKey);
        await by.post('/profiles', { name: 'ours' });
        const blobPath = await uploadText(by);
        const { status, body } = await by.post('/submissions', {
          assets: [{ blobPath }],
          metadata: { assay: { profile } },
        });
        expect([status, body.code, body.errors[0].pointer]).toEqual([
          422,
          'unknown_profile',
          '/metadata/assay/profile',
        ]);
        expect(body.errors[0].detail).toBe(
          `Unknown profile: ${profile}. Known: ${[...builtInProfiles, 'ours'].join(', ')}.`,
        );
      },
    );

    test('is an ordinary key below the top level', async () => {
      expect(await readBack({ a: { assay: { profile: 'loud' } } })).toEqual({ a: { assay: { profile: 'loud' } } });
    });

    test("overrides the workspace's default profile, which overrides general and can change at any time", async () => {
      const { workspaceId, liveKey } = await api.makeWorkspace();
      const by = api.client(liveKey);
      const blobPath = await uploadText(by);
      const profileOf = async (metadata = {}) => {
        const { submissionId } = await submit(by, [blobPath], { metadata });
        return (await by.get(`/submissions/${submissionId}`)).body.profile.name;
      };
      expect(await profileOf()).toBe('general');
      await api.admin('workspace', 'set-profile', '--workspace', workspaceId, '--profile', 'atsc-a85');
      expect(await profileOf()).toBe('atsc-a85');
      expect(await profileOf({ assay: { profile: 'ebu-r128' } })).toBe('ebu-r128');
      const { profileId } = (await by.post('/profiles', { name: 'ours' })).body;
      await by.patch(`/profiles/${profileId}`, { isDefault: true });
      expect(await profileOf()).toBe('ours');
    });
  });
});
