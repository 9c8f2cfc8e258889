import { randomUUIDv7 } from 'node:crypto';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { idFloor } from '#platform/postgres/id-floor.ts';
import { newSubmissionId } from './submission-id.ts';

const millisOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const anyTime = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('the id of a submission', () => {
  test('contains createdAt, which is the current time', () => {
    for (let i = 0; i < 1000; i++) {
      const before = Date.now();
      const { submissionId, createdAt } = newSubmissionId();
      expect(submissionId).toMatch(uuidShape);
      expect(submissionId[14]).toBe('7');
      expect(createdAt.getTime()).toBe(millisOf(submissionId));
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(before);
      expect(createdAt.getTime()).toBeLessThanOrEqual(Date.now());
    }
  });

  test('is unique', () => {
    const ids = Array.from({ length: 1000 }, () => newSubmissionId().submissionId);
    expect(new Set(ids).size).toBe(1000);
  });
});

describe('idFloor', () => {
  test('is not above any id created in its millisecond, and is above every id created in the millisecond before', () => {
    for (let i = 0; i < 1000; i++) {
      const { submissionId, createdAt } = newSubmissionId();
      expect(submissionId >= idFloor(createdAt)).toBe(true);
      expect(submissionId < idFloor(new Date(createdAt.getTime() + 1))).toBe(true);
    }
  });

  test('is a UUID that contains the given time, and sorts by time', () => {
    fc.assert(
      fc.property(anyTime, anyTime, (a, b) => {
        expect(idFloor(a)).toMatch(uuidShape);
        expect(millisOf(idFloor(a))).toBe(a.getTime());
        expect(idFloor(a) < idFloor(b)).toBe(a < b);
      }),
    );
  });

  test('is the all-zero UUID for a time before 1970', () => {
    expect(idFloor(new Date('1969-12-31T23:59:59.999Z'))).toBe('00000000-0000-0000-0000-000000000000');
    expect(idFloor(new Date(-62_167_219_200_000))).toBe('00000000-0000-0000-0000-000000000000');
  });

  test('is above an id that was created earlier', () => {
    expect(randomUUIDv7() < idFloor(new Date(Date.now() + 1000))).toBe(true);
  });
});
