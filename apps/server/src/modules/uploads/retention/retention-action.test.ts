import { describe, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import type { BlobUse, RetainedBlob } from './media-store.ts';
import { retentionAction } from './retention-action.ts';

const hourMillis = 3_600_000;
const dayMillis = 24 * hourMillis;
const now = new Date('2026-03-01T12:00:00Z');
const ago = (millis: number) => new Date(now.getTime() - millis);
const retentionPeriods = { unsubmittedHours: 48, mediaDays: 30, resultsDays: 365 };
const unusedBlob: BlobUse = { assetCount: 0, endedAt: null };

function actionFor(blob: Partial<RetainedBlob>, use = unusedBlob) {
  const location = { store: 'azure', account: 'a', container: 'c', other: null } as const;
  const issued = {
    ...location,
    blobId: '',
    workspaceId: '' as WorkspaceId,
    createdAt: ago(2 * hourMillis),
    uploadUntil: ago(hourMillis),
    filename: 'a',
  };
  const unchanged = { discardedAt: null, emptiedAt: null, partUploadId: null, partUploadAt: null };
  return retentionAction({ ...issued, ...unchanged, ...blob }, use, now, retentionPeriods);
}

describe('media are kept', () => {
  test('for 48 hours after their path was issued if they are not submitted', () => {
    expect(actionFor({})).toEqual({ isPurged: false, isNameDeleted: false, nextCheckAt: ago(-46 * hourMillis) });
  });

  test('as long as a renewed upload URL is valid', () => {
    const [createdAt, uploadUntil] = [ago(49 * hourMillis), ago(-10 * 60_000)];
    expect(actionFor({ createdAt, uploadUntil })).toMatchObject({ isPurged: false, nextCheckAt: uploadUntil });
    expect(actionFor({ createdAt, uploadUntil: ago(0) })).toMatchObject({ isPurged: true });
  });

  test('as long as they are being processed, however old they are', () => {
    const action = actionFor({ createdAt: ago(400 * dayMillis) }, { assetCount: 1, endedAt: null });
    expect(action).toMatchObject({ isPurged: false });
  });

  test('for 30 days after their last results finished, even if one of their submissions was deleted', () => {
    const use = { assetCount: 1, endedAt: ago(29 * dayMillis) };
    const action = actionFor({ createdAt: ago(90 * dayMillis), discardedAt: ago(dayMillis) }, use);
    expect(action).toEqual({ isPurged: false, isNameDeleted: false, nextCheckAt: ago(-dayMillis) });
  });
});

describe('media are purged', () => {
  const soon = ago(-65 * 60_000);

  test('when they have not been submitted within 48 hours', () => {
    const action = actionFor({ createdAt: ago(48 * hourMillis) });
    expect(action).toEqual({ isPurged: true, isNameDeleted: true, nextCheckAt: soon });
  });

  test('when their submission was deleted', () => {
    expect(actionFor({ discardedAt: now })).toEqual({ isPurged: true, isNameDeleted: true, nextCheckAt: soon });
  });

  test('30 days after their last results finished, while the file name is kept', () => {
    const action = actionFor({ createdAt: ago(31 * dayMillis) }, { assetCount: 2, endedAt: ago(30 * dayMillis) });
    expect(action).toEqual({ isPurged: true, isNameDeleted: false, nextCheckAt: soon });
  });
});

describe('a purged blob', () => {
  test('is purged again once its upload URLs have expired, and then its row is deleted', () => {
    const emptied = actionFor({ emptiedAt: ago(66 * 60_000) });
    expect(emptied).toEqual({ isPurged: true, isNameDeleted: true, nextCheckAt: 'delete row' });
    const early = actionFor({ emptiedAt: ago(10 * 60_000) });
    expect(early).toEqual({ isPurged: true, isNameDeleted: true, nextCheckAt: ago(-55 * 60_000) });
  });

  test('keeps its row while results refer to it', () => {
    const action = actionFor({ emptiedAt: ago(40 * dayMillis) }, { assetCount: 1, endedAt: ago(70 * dayMillis) });
    expect(action).toEqual({ isPurged: true, isNameDeleted: false, nextCheckAt: 'never' });
  });
});
