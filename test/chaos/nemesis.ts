import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';
import type { Fault, Strike } from './schedule.ts';
import type { World } from './world.ts';

export type Nemesis = {
  world: World;
  history: History;
  /** Submits the file that kills its worker; nobody waits for what becomes of it. */
  submitDeadlyFile(): void;
  hasRecovered(): boolean;
  patienceMillis: number;
  interrupted: AbortSignal;
  counted(): void;
};

/**
 * Each fault at its moment; one whose target is still on its way up waits until there is something to strike. Most wait
 * for the service to recover first, as killing what is down already tells little; but not for ever. Says how many there
 * were: fewer than planned if it was interrupted.
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

/** Temporal may not be back yet from a fault before. */
async function insistOn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await sleep(500);
    }
  }
}

/** A kill is written down by the keeper of its target; everything else here, when it is over. */
async function strike(fault: Strike, { world, history, submitDeadlyFile }: Nemesis): Promise<void> {
  const { keepers, disk, engine } = world;
  const atMillis = history.nowMillis();
  const record = (details: { target?: string; count?: number } = {}) => {
    const millis = history.nowMillis() - atMillis;
    history.record({ atMillis, op: 'fault', kind: fault.kind, millis, ...details });
  };
  switch (fault.kind) {
    case 'kill':
      await Promise.all(fault.targets.map((target) => keepers[target].strike(fault.downMillis)));
      return;
    case 'pause':
      await keepers[fault.target].pause(fault.millis);
      return record(fault);
    case 'clock jump':
      await keepers[fault.target].jumpClock(fault.millis);
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
