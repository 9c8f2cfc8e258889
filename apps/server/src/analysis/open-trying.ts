import { randomUUID } from 'node:crypto';
import type { Cage } from '@assay/sidekicks/evidence/run-tool.ts';
import { openExaminers } from '@assay/sidekicks/examiner/examiners.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import type { TryingTools } from './try-to-examine.ts';

const spareExaminers = 2;
const secondsPerSecond = 20;
const secondsMax = 12 * 3600;

/** What this worker examines with. */
export function openTrying(
  cage: Cage,
  limits: { heapMegabytes: number; secondsMin: number },
): TryingTools & { close(): Promise<void> } {
  const examiners = openExaminers({ ...limits, secondsPerSecond, secondsMax }, spareExaminers);
  return { workerId: randomUUID(), cage, examiners, oneSuspectAtATime: createOneAtATime(), close: examiners.close };
}
