import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './schedule.ts';
import type { World } from './world.ts';

/**
 * Each fault at its moment; one whose target is still on its way up waits until there is something to kill. Most wait
 * for the service to recover first, as killing what lies already tells little; but not for ever. Says how many there
 * were: fewer than planned if it was interrupted.
 */
export async function strikeAll(
  faults: Fault[],
  { keepers }: World,
  hasRecovered: () => boolean,
  patienceMillis: number,
  interrupted: AbortSignal,
  counted: (count: number) => void,
): Promise<number> {
  let strikeCount = 0;
  for (const { gapMillis, isPatient, targets, downMillis } of faults) {
    const deadline = performance.now() + patienceMillis;
    while (isPatient && !hasRecovered() && performance.now() < deadline && !interrupted.aborted) await sleep(100);
    await sleep(gapMillis, undefined, { signal: interrupted }).catch(() => {});
    if (interrupted.aborted) return strikeCount;
    await Promise.all(targets.map((target) => keepers[target].strike(downMillis)));
    counted(targets.length);
    strikeCount++;
  }
  return strikeCount;
}
