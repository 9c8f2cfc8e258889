import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { MachineFailure } from '@assay/jail/machine-failure.ts';
import { ExaminerDied } from '@assay/sidekicks/run/examiner/examiner.ts';
import { describe, expect, test } from 'vitest';
import { Outage } from '#platform/outage.ts';
import { BlobChanged } from '#platform/storage/blob-failures.ts';
import { endingOf, failureAfter, isSuspect, type TryEnding } from './try-endings.ts';

const repeatEnding = (count: number, ending: TryEnding): TryEnding[] => Array.from({ length: count }, () => ending);

describe('failureAfter', () => {
  test.each<[TryEnding, number, string]>([
    ['timeout', 2, 'analysis_timeout'],
    ['worker', 3, 'resource_limit_exceeded'],
    ['machine', 3, 'resource_limit_exceeded'],
    ['bug', 5, 'internal_error'],
  ])('once "%s" has ended %i tries, the asset fails with %s', (ending, count, errorType) => {
    expect(failureAfter(repeatEnding(count - 1, ending))).toBeNull();
    expect(failureAfter(repeatEnding(count, ending))).toBe(errorType);
  });

  test.each<TryEnding>(['outage', 'neighbour', 'stop'])(
    'the asset never fails, however many tries ended with "%s"',
    (ending) => {
      expect(failureAfter(repeatEnding(10_000, ending))).toBeNull();
    },
  );

  test('each kind of ending is counted separately', () => {
    const mixed = [
      ...repeatEnding(1, 'timeout'),
      ...repeatEnding(2, 'worker'),
      ...repeatEnding(2, 'machine'),
      ...repeatEnding(4, 'bug'),
    ];
    expect(failureAfter([...mixed, ...repeatEnding(100, 'outage')])).toBeNull();
  });
});

test('isSuspect returns true once a worker has died while examining the asset', () => {
  expect([0, 1, 2].map((count) => isSuspect(repeatEnding(count, 'worker')))).toEqual([false, true, true]);
  expect(isSuspect(['outage', 'stop', 'machine', 'bug'])).toBe(false);
});

describe('endingOf', () => {
  test.each<[string, unknown, TryEnding, string]>([
    ['a damaged file', new AssetFailure('corrupt_media', 'damaged'), 'file', 'corrupt_media'],
    ['a file that was replaced', new BlobChanged('blob'), 'file', 'blob_changed'],
    ['an exceeded time limit', new AssetFailure('analysis_timeout', 'too slow'), 'timeout', 'analysis_timeout'],
    ['an unavailable dependency', new Outage('storage', null), 'outage', 'engine_unavailable'],
    ['rejected credentials', new Outage('storage', null, 'rejected'), 'outage', 'engine_unavailable'],
    ['a full disk', Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'outage', 'engine_unavailable'],
    ['a process killed by the kernel', new MachineFailure('killed', 'killed'), 'machine', 'resource_limit_exceeded'],
    ['a crash of the examining process', new ExaminerDied('SIGSEGV'), 'worker', 'resource_limit_exceeded'],
    ['a bug', new TypeError('x is undefined'), 'bug', 'internal_error'],
  ])('returns the ending and error type of a try that failed because of %s', (_, error, ending, errorType) => {
    expect(endingOf(error)).toEqual({ ending, errorType });
  });
});
