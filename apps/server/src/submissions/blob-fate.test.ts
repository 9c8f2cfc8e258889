import { describe, expect, test } from 'vitest';
import type { WorkspaceId } from '../access/caller.ts';
import type { KeptBlob } from '../uploads/retention-store.ts';
import { blobFate } from './blob-fate.ts';
import type { BlobUse } from './retention-store.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date('2026-03-01T12:00:00Z');
const ago = (millis: number) => new Date(now.getTime() - millis);
const keep = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const unused: BlobUse = { assetCount: 0, endedAt: null };

function fateOf(blob: Partial<KeptBlob>, use = unused) {
  const place = { account: 'a', container: 'c' };
  const issued = { ...place, blobId: '', workspaceId: '' as WorkspaceId, createdAt: ago(2 * hour) };
  return blobFate({ ...issued, discardedAt: null, emptiedAt: null, ...blob }, use, now, keep);
}

describe('bytes that are kept', () => {
  test('not submitted yet: until 48 hours after their path was issued', () => {
    expect(fateOf({})).toEqual({ isEmptied: false, isNameForgotten: false, lookAgainAt: ago(-46 * hour) });
  });

  test('in work, however old they are', () => {
    const fate = fateOf({ createdAt: ago(400 * day) }, { assetCount: 1, endedAt: null });
    expect(fate).toMatchObject({ isEmptied: false });
  });

  test('in results: until 30 days after the last of them ended, also when a submission that used them was deleted', () => {
    const use = { assetCount: 1, endedAt: ago(29 * day) };
    const fate = fateOf({ createdAt: ago(90 * day), discardedAt: ago(day) }, use);
    expect(fate).toEqual({ isEmptied: false, isNameForgotten: false, lookAgainAt: ago(-day) });
  });
});

describe('bytes that go', () => {
  const soon = ago(-65 * 60_000);

  test('never submitted', () => {
    const fate = fateOf({ createdAt: ago(48 * hour) });
    expect(fate).toEqual({ isEmptied: true, isNameForgotten: true, lookAgainAt: soon });
  });

  test('of a submission that was deleted', () => {
    expect(fateOf({ discardedAt: now })).toEqual({ isEmptied: true, isNameForgotten: true, lookAgainAt: soon });
  });

  test('30 days after the end, while the results keep the name', () => {
    const fate = fateOf({ createdAt: ago(31 * day) }, { assetCount: 2, endedAt: ago(30 * day) });
    expect(fate).toEqual({ isEmptied: true, isNameForgotten: false, lookAgainAt: soon });
  });
});

describe('once emptied', () => {
  test('it is emptied again when no upload URL can be good any more, and then forgotten', () => {
    const emptied = fateOf({ emptiedAt: ago(66 * 60_000) });
    expect(emptied).toEqual({ isEmptied: true, isNameForgotten: true, lookAgainAt: 'row goes' });
    const early = fateOf({ emptiedAt: ago(10 * 60_000) });
    expect(early).toEqual({ isEmptied: true, isNameForgotten: true, lookAgainAt: ago(-55 * 60_000) });
  });

  test('its row stays for the results that name it', () => {
    const fate = fateOf({ emptiedAt: ago(40 * day) }, { assetCount: 1, endedAt: ago(70 * day) });
    expect(fate).toEqual({ isEmptied: true, isNameForgotten: false, lookAgainAt: 'never' });
  });
});
