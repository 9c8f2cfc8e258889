import type { Category } from '@assay/contract/limits.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { withSource } from '@assay/testing/media/video-source.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { sidekicks } from '#sidekick/catalogue.ts';
import { guessSeconds, trackProgress } from './progress.ts';
import { runSidekicks } from './run.ts';

type Report = { share: number; at: number };

/** The largest increase between two reports, including the last increase to 1. */
const largestStep = (shares: number[]) => Math.max(...[...shares, 1].map((share, i) => share - (shares[i - 1] ?? 0)));

/** Returns the progress reports of a run that takes this many seconds to start, gather evidence and take each still. */
function simulate(
  sizeBytes: number,
  { start, gather, still, stills }: Record<string, number>,
  category: Category = 'video',
): { shares: Report[]; total: number } {
  let now = 0;
  const shares: Report[] = [];
  using progress = trackProgress(
    { category, sizeBytes },
    (share) => shares.push({ share, at: now }),
    () => now,
  );
  for (let i = 0; i <= 50; i++) {
    now = (start ?? 0) + ((gather ?? 0) * i) / 50;
    progress.onGathered(i / 50);
  }
  for (let i = 0; i < (stills ?? 0); i++) {
    progress.onStillsTaken(i / (stills ?? 1));
    now += still ?? 0;
  }
  return { shares, total: now };
}

const shareAt = (shares: Report[], at: number) => shares.filter((one) => one.at <= at).at(-1)?.share ?? 0;

describe('the reported progress', () => {
  test.each<[string, number, Record<string, number>]>([
    ['without stills', 10_000_000, { start: 0.5, gather: 20 }],
    ['on a slow machine', 1_000_000, { start: 5, gather: 60 }],
    ['on a fast machine', 500_000_000, { start: 0.3, gather: 4 }],
    ['with stills', 10_000_000, { start: 0.5, gather: 8, stills: 10, still: 0.3 }],
    ['with stills that take as long as the rest', 10_000_000, { start: 0.5, gather: 8, stills: 28, still: 0.3 }],
  ])('rises evenly %s', (_, sizeBytes, times) => {
    const { shares, total } = simulate(sizeBytes, times);
    expect(largestStep(shares.map(({ share }) => share))).toBeLessThan(1 / 3);
    expect(shareAt(shares, total / 2)).toBeGreaterThan(0.15);
    expect(shareAt(shares, total / 2)).toBeLessThan(0.85);
  });

  test.each<[string, Category, Record<string, number>]>([
    ['a video of 20 s of work without stills', 'video', { start: 1, gather: 19 }],
    ['a video of 20 s of work with a few stills', 'video', { start: 1, gather: 17, stills: 10, still: 0.2 }],
    ['a video of a minute of work with all stills', 'video', { start: 2, gather: 50, stills: 30, still: 0.25 }],
    ['long audio', 'audio', { start: 1, gather: 24 }],
  ])('differs by at most 15 points from the share of the time, at each tenth: %s', (_, category, times) => {
    const { shares, total } = simulate(20_000_000, times, category);
    const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => 100 * shareAt(shares, (total * tenth) / 10) - 10 * tenth);
    expect(Math.max(...tenths.map(Math.abs))).toBeLessThanOrEqual(15);
  });

  test('never falls, and is at most 1', () => {
    const anyShares = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 99, noNaN: true })),
    );
    fc.assert(
      fc.property(anyShares, anyShares, (gathered, taken) => {
        let now = 0;
        const reported: number[] = [];
        using progress = trackProgress(
          { category: 'audio', sizeBytes: 1e6 },
          (share) => reported.push(share),
          () => now,
        );
        for (const [share, seconds] of gathered) {
          now += seconds;
          progress.onGathered(share);
        }
        for (const [share, seconds] of taken) {
          now += seconds;
          progress.onStillsTaken(share);
        }
        expect(reported).toEqual(reported.toSorted((a, b) => a - b));
        for (const share of reported) expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('is at most one half for a document before any evidence is gathered', () => {
    let now = 0;
    const reported: number[] = [];
    using progress = trackProgress(
      { category: 'document', sizeBytes: 1e6 },
      (share) => reported.push(share),
      () => now,
    );
    now = 100;
    progress.onGathered(0);
    expect(reported).toEqual([expect.any(Number)]);
    expect(reported[0]).toBeLessThanOrEqual(0.5);
  });
});

test('guessSeconds expects a large file to take longer than a small one, and a video longer than a document', () => {
  expect(guessSeconds('video', 2e9)).toBeGreaterThan(guessSeconds('video', 1e6));
  expect(guessSeconds('video', 2e9)).toBeGreaterThan(guessSeconds('document', 2e9));
});

// Times are shares of the total duration, so the result does not depend on the speed of the host.
test('the reported progress of a real video with stills rises evenly, and is about half after half the time', {
  timeout: 300_000,
}, async () => {
  const black = "drawbox=t=fill:c=black:enable='between(t,4,8)+between(t,12,16)'";
  const path = await makeWithFfmpeg('.mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25,${black}`, '-f', 'lavfi', '-i', 'sine', '-t', '30'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ]);
  const startedAt = performance.now();
  const reports: Report[] = [];
  const report = (share: number) => reports.push({ share, at: performance.now() - startedAt });
  const examining = (source: Source) => runSidekicks(sidekicks, source, declarationFor('a.mp4'));
  const { findings } = await withSource(path, examining, { report });
  const total = performance.now() - startedAt;
  expect(findings.flatMap(({ stills }) => stills).length).toBeGreaterThan(1);
  expect(largestStep(reports.map(({ share }) => share))).toBeLessThan(1 / 3);
  const times = [0, ...reports.map(({ at }) => at / total), 1];
  expect(Math.max(...times.map((at, i) => at - (times[i - 1] ?? 0)))).toBeLessThan(1 / 3);
  expect(shareAt(reports, total / 2)).toBeGreaterThan(0.25);
  expect(shareAt(reports, total / 2)).toBeLessThan(0.85);
});
