import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from '@assay/testing/media/samples.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { takeStills } from './take-stills.ts';

test('takeStills omits stills that take too long, and keeps the findings', async () => {
  const bytes = Buffer.from(sample('clip.mp4'));
  // Nothing is written to the pipe, so reading from it blocks.
  const pipe = join(mkdtempSync(join(tmpdir(), 'assay-still-')), 'pipe');
  execFileSync('/usr/bin/mkfifo', [pipe]);
  const fd = openSync(pipe, constants.O_RDWR);
  onTestFinished(() => closeSync(fd));
  const source = {
    bytes: {
      sizeBytes: bytes.length,
      read: async (target: Buffer, offset: number) => bytes.copy(target, 0, offset),
    },
    fd,
    signal: new AbortController().signal,
    jail: 'none' as const,
  };
  const finding = { ruleCode: 'QC-BLACK', severity: 'MAJOR', stillsAtMs: [500, 600, 700] } as FindingWithRule;
  const startedAt = performance.now();
  expect([...(await takeStills([finding], source, null, 1))]).toEqual([[finding, []]]);
  expect(performance.now() - startedAt, 'all of them together').toBeLessThan(2900);
});
