import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';
import type { Fault, Strike } from './schedule.ts';
import type { World } from './world.ts';

export type Nemesis = {
  world: World;
  history: History;
  /** Submits the file that kills its worker, without waiting for the outcome. */
  submitDeadlyFile(): void;
  hasRecovered(): boolean;
  patienceMillis: number;
  interrupted: AbortSignal;
  counted(): void;
};

/**
 * Causes each fault at its time; if the target is still starting, it waits. Most faults first wait, for a limited time,
 * until the service has recovered, because killing what is already down proves little. Returns the number of faults:
 * fewer than planned if it was interrupted.
 */
export async function strikeAll(faults: Fault[], nemesis: Nemesis): Promise<number> {
  const { hasRecovered, patienceMillis, interrupted } = nemesis;
  let strikeCount = 0;
  for (const fault of faults) {
    const deadline = performance.now() + patienceMillis;
    while (fault.isPatient && !hasRecovered() && performance.now() < deadline && !interrupted.aborted) await sleep(100);
    await sleep(fault.gapMillis, undefined, { signal: interrupted }).catch(() => {});
    if (interrupted.aborted) return strikeCount;
    await strike(fault, nemesis);
    nemesis.counted();
    strikeCount++;
  }
  return strikeCount;
}

/** Temporal may not have recovered from the previous fault. */
async function insistOn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await sleep(500);
    }
  }
}

/** A kill is recorded by the supervisor of its target; everything else is recorded here, when it has ended. */
async function strike(fault: Strike, { world, history, submitDeadlyFile }: Nemesis): Promise<void> {
  const { supervisors, disk, engine } = world;
  const atMillis = history.nowMillis();
  const record = (details: { target?: string; count?: number } = {}) => {
    const millis = history.nowMillis() - atMillis;
    history.record({ atMillis, op: 'fault', kind: fault.kind, millis, ...details });
  };
  switch (fault.kind) {
    case 'kill':
      await Promise.all(fault.targets.map((target) => supervisors[target].strike(fault.downMillis)));
      return;
    case 'pause':
      await supervisors[fault.target].pause(fault.millis);
      return record(fault);
    case 'clock jump':
      await supervisors[fault.target].jumpClock(fault.millis);
      return record(fault);
    case 'full disk':
      disk.fill();
      await sleep(fault.millis);
      disk.clear();
      return record();
    case 'lost runs':
      return record({ count: await insistOn(engine.forgetRuns) });
    case 'deadly file':
      submitDeadlyFile();
      return record();
  }
}
