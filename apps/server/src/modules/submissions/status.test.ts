import { type AssetErrorType, assetFailures } from '@assay/contract/asset-failures.ts';
import { retriesPerAssetMax } from '@assay/contract/limits.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import {
  type AssetState,
  isRetryable,
  retryCount,
  submissionErrorMessage,
  submissionProgress,
  submissionStatus,
} from './status.ts';

type AssetStatus = AssetState['status'];
const settledStatuses: AssetStatus[] = ['complete', 'failed'];
const someStatuses = fc.array(fc.constantFrom<AssetStatus>('submitted', 'processing', 'complete', 'failed'), {
  minLength: 1,
  maxLength: 50,
});
// Mostly 99 and 100, where a rounding error would show.
const somePercents = fc.array(fc.oneof(fc.constantFrom(99, 100), fc.integer({ min: 0, max: 100 })), {
  minLength: 1,
  maxLength: 50,
});

describe('the status of a submission', () => {
  test.each([
    [['submitted'], 'submitted'],
    [['submitted', 'submitted'], 'submitted'],
    [['submitted', 'processing'], 'processing'],
    [['submitted', 'complete'], 'processing'],
    [['submitted', 'failed'], 'processing'],
    [['processing', 'failed'], 'processing'],
    [['complete', 'complete'], 'complete'],
    [['complete', 'failed'], 'failed'],
    [['failed'], 'failed'],
  ] as [AssetStatus[], AssetStatus][])('with assets that are %j is %s', (statuses, expected) => {
    expect(submissionStatus(statuses)).toBe(expected);
  });

  test('is submitted, complete or failed exactly under the documented conditions (§3c, §3d, §3e)', () => {
    fc.assert(
      fc.property(someStatuses, (statuses) => {
        const every = (...these: AssetStatus[]) => statuses.every((status) => these.includes(status));
        const status = submissionStatus(statuses);
        expect(status === 'submitted').toBe(every('submitted')); // no asset has started
        expect(status === 'complete').toBe(every('complete')); // all assets are complete
        expect(status === 'failed').toBe(every(...settledStatuses) && statuses.includes('failed')); // all are settled
        expect(settledStatuses.includes(status)).toBe(every(...settledStatuses)); // polling stops then
      }),
    );
  });

  test('does not depend on the order of the assets or on how many have the same status', () => {
    fc.assert(
      fc.property(someStatuses, (statuses) => {
        expect(submissionStatus(statuses.toReversed())).toBe(submissionStatus(statuses));
        expect(submissionStatus([...new Set(statuses)])).toBe(submissionStatus(statuses));
      }),
    );
  });
});

describe('progress of a submission', () => {
  test.each([
    [[0], 0],
    [[100, 99], 99],
    [[100, 0, 0], 33],
    [[...Array(49).fill(100), 99], 99],
    [[100, 100], 100],
  ])('with assets at %j percent is %i', (percents, expected) => {
    expect(submissionProgress(percents.map((progressPercent) => ({ progressPercent })))).toBe(expected);
  });

  test('is an integer within the range of its assets, and 100 only if all of them have 100 (§2.1f)', () => {
    fc.assert(
      fc.property(somePercents, (percents) => {
        const progress = submissionProgress(percents.map((progressPercent) => ({ progressPercent })));
        expect(Number.isInteger(progress)).toBe(true);
        expect(progress).toBeGreaterThanOrEqual(Math.min(...percents));
        expect(progress).toBeLessThanOrEqual(Math.max(...percents));
        expect(progress === 100).toBe(percents.every((percent) => percent === 100));
      }),
    );
  });

  test('never decreases when an asset progresses', () => {
    fc.assert(
      fc.property(somePercents, fc.nat(), fc.nat(100), (percents, index, step) => {
        const before = percents.map((progressPercent) => ({ progressPercent }));
        const moved = before.with(index % before.length, {
          progressPercent: Math.min(100, (percents[index % before.length] as number) + step),
        });
        expect(submissionProgress(moved)).toBeGreaterThanOrEqual(submissionProgress(before));
      }),
    );
  });
});

describe('the error message of a submission', () => {
  test.each([
    [['failed'], '1 of 1 asset failed'],
    [['failed', 'complete'], '1 of 2 assets failed'],
    [['failed', 'complete', 'failed', 'complete', 'complete'], '2 of 5 assets failed'],
    [['failed', 'processing'], null],
    [['failed', 'submitted'], null],
    [['complete'], null],
  ] as [AssetStatus[], string | null][])('with assets that are %j is %s', (statuses, expected) => {
    expect(submissionErrorMessage(statuses.map((status) => ({ status })))).toBe(expected);
  });

  test('is present if and only if the submission failed', () => {
    fc.assert(
      fc.property(someStatuses, (statuses) => {
        const message = submissionErrorMessage(statuses.map((status) => ({ status })));
        expect(message !== null).toBe(submissionStatus(statuses) === 'failed');
      }),
    );
  });
});

describe('retries of an asset', () => {
  test('the first attempt does not count as a retry', () => {
    expect([1, 2, 4].map((attempt) => retryCount({ attempt }))).toEqual([0, 1, 3]);
  });

  test('an asset that has not failed is not retryable', () => {
    expect(isRetryable({ errorType: null, attempt: 1 })).toBe(false);
  });

  const errorTypes = Object.keys(assetFailures) as AssetErrorType[];
  const retryableByAttempt = (errorType: AssetErrorType) =>
    Array.from({ length: retriesPerAssetMax + 2 }, (_, i) => isRetryable({ errorType, attempt: i + 1 }));

  test.each(errorTypes.filter((errorType) => assetFailures[errorType].isRetryable))(
    'an asset that failed as %s can be retried three times (§2.2e)',
    (errorType) => {
      expect(retryableByAttempt(errorType)).toEqual([true, true, true, false, false]);
    },
  );

  test.each(errorTypes.filter((errorType) => !assetFailures[errorType].isRetryable))(
    'an asset that failed as %s can never be retried (§2.2e)',
    (errorType) => {
      expect(retryableByAttempt(errorType)).toEqual([false, false, false, false, false]);
    },
  );
});
