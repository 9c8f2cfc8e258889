import { describe, expect, test } from 'vitest';
import { weighDownload } from './weigh-download.ts';

/** Simulates a download of this duration, reported after each quarter, and returns the reported progress. */
function simulateDownload(seconds: number, examinationSeconds: number) {
  let now = 0;
  const stages = weighDownload(examinationSeconds, () => new Date(now * 1000));
  const reported = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    now = seconds * share;
    return stages.downloaded(share);
  });
  return { reported, examined: stages.examined };
}

describe('the progress of an asset', () => {
  test.each([
    ['a download that is done at once', 0.1, 99.9, 0.001],
    ['a download that takes as long as the examination', 30, 30, 0.5],
    ['a slow download of a small file', 9, 1, 0.9],
    ['a download that takes no time', 0, 5, 0],
  ])(
    'includes the download in proportion to its share of the total time, for %s',
    (_, seconds, examinationSeconds, weight) => {
      const { reported, examined } = simulateDownload(seconds, examinationSeconds);
      expect(reported.at(-1)).toBeCloseTo(weight);
      expect(reported).toEqual(reported.toSorted((a, b) => a - b));
      expect(examined(0)).toBeCloseTo(weight);
      expect(examined(0.5)).toBeCloseTo((1 + weight) / 2);
      expect(examined(1)).toBeCloseTo(1);
    },
  );

  test('equals the examination progress if nothing is downloaded, as for an empty file', () => {
    expect(weighDownload(5, () => new Date()).examined(0.5)).toBe(0.5);
  });
});
