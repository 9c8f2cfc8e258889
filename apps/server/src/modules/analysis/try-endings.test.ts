import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { MachineFailure } from '@assay/jail/machine-failure.ts';
import { ExaminerDied } from '@assay/sidekicks/run/examiner/examiner.ts';
import { describe, expect, test } from 'vitest';
import { BlobChanged } from '#platform/storage/blob-failures.ts';
import { endingOf, failureAfter, isSuspect, type TryEnding } from './try-endings.ts';

const times = (count: number, ending: TryEnding): TryEnding[] => Array.from({ length: count }, () => ending);

describe('an asset', () => {
  test.each<[TryEnding, number, string]>([
    ['timeout', 2, 'analysis_timeout'],
    ['worker', 3, 'resource_limit_exceeded'],
    ['machine', 3, 'resource_limit_exceeded'],
    ['bug', 5, 'internal_error'],
  ])('whose tries ended by %s %i times fails as %s', (ending, count, errorType) => {
    expect(failureAfter(times(count - 1, ending))).toBeNull();
    expect(failureAfter(times(count, ending))).toBe(errorType);
  });

  test.each<TryEnding>(['outage', 'neighbour', 'stop'])('never fails by tries that ended by %s alone', (ending) => {
    expect(failureAfter(times(10_000, ending))).toBeNull();
  });

  test('does not fail because tries with different endings add up', () => {
    const mixed = [...times(1, 'timeout'), ...times(2, 'worker'), ...times(2, 'machine'), ...times(4, 'bug')];
    expect(failureAfter([...mixed, ...times(100, 'outage')])).toBeNull();
  });
});

test('an asset is a suspect once its worker has died', () => {
  expect([0, 1, 2].map((count) => isSuspect(times(count, 'worker')))).toEqual([false, true, true]);
  expect(isSuspect(['outage', 'stop', 'machine', 'bug'])).toBe(false);
});

describe('a try ends', () => {
  test.each<[string, unknown, TryEnding, string]>([
    ['by a damaged file', new AssetFailure('corrupt_media', 'damaged'), 'file', 'corrupt_media'],
    ['by a file that was replaced', new BlobChanged('blob'), 'file', 'blob_changed'],
    ['by its time limit', new AssetFailure('analysis_timeout', 'too slow'), 'timeout', 'analysis_timeout'],
    ['by an unavailable dependency', new Refusal('storage_unavailable'), 'outage', 'engine_unavailable'],
    ['by a full disk', Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'outage', 'engine_unavailable'],
    ['by the kernel', new MachineFailure('killed', 'killed'), 'machine', 'resource_limit_exceeded'],
    ['by a crash of its process', new ExaminerDied('SIGSEGV'), 'worker', 'resource_limit_exceeded'],
    ['by a bug', new TypeError('x is undefined'), 'bug', 'internal_error'],
  ])('%s', (_, error, ending, errorType) => {
    expect(endingOf(error)).toEqual({ ending, errorType });
  });
});
