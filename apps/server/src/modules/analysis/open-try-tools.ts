import { randomUUID } from 'node:crypto';
import { openExaminers } from '@assay/sidekicks/run/examiner/examiners.ts';
import { createSemaphore } from '#platform/mechanisms/semaphore.ts';
import type { OpenedJail } from './open-jail.ts';
import type { TryTools } from './try-to-examine.ts';

/** Allowed examination time per second of media. */
const examinationSecondsPerMediaSecond = 20;
const examinationSecondsMax = 12 * 3600;

/** Opens the tools with which this worker examines assets. */
export function openTryTools(
  { jail, examinerJail }: Pick<OpenedJail, 'jail' | 'examinerJail'>,
  limits: { heapMegabytes: number; secondsMin: number },
  spareProcesses: number,
  memoryRetrySeconds: number,
): TryTools & { close(): Promise<void> } {
  const examiners = openExaminers(
    {
      ...limits,
      secondsPerSecond: examinationSecondsPerMediaSecond,
      secondsMax: examinationSecondsMax,
      jail: examinerJail,
    },
    spareProcesses,
  );
  return {
    workerId: randomUUID(),
    jail,
    examiners,
    suspectPermits: createSemaphore(),
    memoryRetrySeconds,
    close: examiners.close,
  };
}
