import { assetBytesMax, MiB } from '@assay/contract/limits.ts';
import { describe, expect, test } from 'vitest';
import type { StoredBytes } from '#platform/storage/backend.ts';
import { measureAction, type UnmeasuredBlob } from './measure-action.ts';

const minuteMillis = 60_000;
const now = new Date('2026-03-01T12:00:00Z');
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * minuteMillis);
const { document: documentMax } = assetBytesMax;

function actionFor(
  stored: Partial<StoredBytes>,
  blob: Partial<UnmeasuredBlob> = {},
  { isSubmitted = false, at = now } = {},
) {
  const issued = {
    ...{ filename: 'a.txt', declaredBytes: null, countedBytes: documentMax },
    ...{ uploadUntil: inMinutes(60), partUploadId: null },
  };
  return measureAction({ ...issued, ...blob }, { fileBytes: null, otherBytes: 0, ...stored }, isSubmitted, at);
}

describe('while its upload URL is valid, an upload', () => {
  test('counts with the largest size of its category, or with its declared size, until its file is stored', () => {
    const soon = inMinutes(5);
    expect(actionFor({})).toEqual({ isDeleted: false, countedBytes: documentMax, nextAt: soon });
    const declared = { declaredBytes: 7, countedBytes: 7 };
    expect(actionFor({}, declared)).toEqual({ isDeleted: false, countedBytes: 7, nextAt: soon });
  });

  test('counts with what is stored afterwards, and is measured again when the URL has expired', () => {
    expect(actionFor({ fileBytes: 3 })).toEqual({ isDeleted: false, countedBytes: 3, nextAt: inMinutes(60) });
  });

  test('that the previous version began counts like any other', () => {
    expect(actionFor({}, { countedBytes: 0 })).toMatchObject({ countedBytes: documentMax });
  });

  test('in parts counts with its largest size until the parts are joined', () => {
    const stored = { fileBytes: 3, otherBytes: 5 * MiB };
    expect(actionFor(stored, { partUploadId: 'id' })).toMatchObject({ isDeleted: false, countedBytes: documentMax });
  });
});

describe('once its upload URL has expired, an upload', () => {
  const late = { at: inMinutes(60) };

  test.each([
    ['nothing if nothing was stored', {}, 0],
    ['the size of its file', { fileBytes: 3 }, 3],
    ['its file and the parts that are not joined yet', { fileBytes: 3, otherBytes: 4 }, 7],
  ])('counts with %s, and is not measured again', (_, stored, countedBytes) => {
    expect(actionFor(stored, {}, late)).toEqual({ isDeleted: false, countedBytes, nextAt: null });
  });
});

describe('a stored file is deleted', () => {
  test.each([
    ['larger than its category allows', { fileBytes: documentMax + 1 }, {}],
    ['larger than declared', { fileBytes: 8 }, { declaredBytes: 7 }],
    ['stored with more snapshots or loose blocks than its category allows', { otherBytes: documentMax + 1 }, {}],
  ])('if it is %s', (_, stored, blob) => {
    expect(actionFor(stored, blob)).toMatchObject({ isDeleted: true, nextAt: inMinutes(5) });
    expect(actionFor(stored, blob, { at: inMinutes(61) })).toEqual({ isDeleted: true, countedBytes: 0, nextAt: null });
  });

  test('unless it is no larger than declared', () => {
    expect(actionFor({ fileBytes: 7 }, { declaredBytes: 7 })).toMatchObject({ isDeleted: false });
    expect(actionFor({ fileBytes: documentMax })).toMatchObject({ isDeleted: false });
  });

  test('unless a submission uses it: then a smaller size was declared for the next file', () => {
    const blob = { declaredBytes: 7 };
    const action = actionFor({ fileBytes: 8 }, blob, { isSubmitted: true });
    expect(action).toMatchObject({ isDeleted: false, countedBytes: 8 });
    expect(actionFor({ fileBytes: documentMax + 1 }, blob, { isSubmitted: true })).toMatchObject({ isDeleted: true });
  });
});
