import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { runSidekicks } from '@assay/sidekicks/run/run.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';

export type VideoExamined = { seconds: number; memoryBytesMax: number; ruleCodes: string[] };

/**
 * Examines one video with the given sidekicks, as a worker does, in a separate process so that its memory can be
 * measured.
 */
const [path = '', ...names] = process.argv.slice(2);
const file = await open(path);
const { size: sizeBytes } = await file.stat();
const read = async (target: Uint8Array, offset: number) =>
  (await file.read(target, 0, target.length, offset)).bytesRead;
const signal = new AbortController().signal;
const chosen = sidekicks.filter(({ name }) => names.includes(name));
if (chosen.length !== names.length) throw new Error(`unknown sidekick among ${names.join(', ')}`);
const source = { bytes: { sizeBytes, read }, fd: file.fd, signal, jail: 'bubblewrap' as const };
const beganAt = performance.now();
const { findings } = await runSidekicks(chosen, source, declarationFor(basename(path)));
const outcome: VideoExamined = {
  seconds: (performance.now() - beganAt) / 1000,
  memoryBytesMax: process.resourceUsage().maxRSS * 1024,
  ruleCodes: [...new Set(findings.map(({ ruleCode }) => ruleCode))],
};
console.log(JSON.stringify(outcome));
process.exit(0);
