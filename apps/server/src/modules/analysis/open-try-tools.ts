import { randomUUID } from 'node:crypto';
import { openExaminers } from '@assay/sidekicks/run/examiner/examiners.ts';
import { createToolMemory } from '@assay/sidekicks/run/examiner/tool-memory.ts';
import { createSemaphore } from '#platform/mechanisms/semaphore.ts';
import type { OpenedJail } from './open-jail.ts';
import type { ExaminationShare } from './share/examination-share.ts';
import type { TryTools } from './try-to-examine.ts';

/** Allowed examination time per second of media. */
const examinationSecondsPerMediaSecond = 20;
const examinationSecondsMax = 12 * 3600;

/** Opens the tools with which this worker examines assets. */
export function openTryTools(
  { jail, examinerJail }: Pick<OpenedJail, 'jail' | 'examinerJail'>,
  limits: { heapMegabytes: number; secondsMin: number; toolMemoryMegabytes: number },
  spareProcesses: number,
  memoryRetrySeconds: number,
  share: ExaminationShare,
): TryTools & { close(): Promise<void> } {
  const { toolMemoryMegabytes, ...rest } = limits;
  const examiners = openExaminers(
    {
      ...rest,
      secondsPerSecond: examinationSecondsPerMediaSecond,
      secondsMax: examinationSecondsMax,
      jail: examinerJail,
    },
    spareProcesses,
    createToolMemory(toolMemoryMegabytes * 1024 * 1024),
  );
  return {
    workerId: randomUUID(),
    jail,
    examiners,
    suspectPermits: createSemaphore(),
    memoryRetrySeconds,
    share,
    close: examiners.close,
  };
}
