import { onTestFinished } from 'vitest';
import { isExaminer, processesWithOpenFileIn } from '../faults/process-table.ts';

/**
 * Pauses every examiner process as soon as it has opened a file in this folder, until the process is released or
 * killed. Examining the file must take longer than the polling interval.
 */
export function holdExaminations(scratch: string) {
  const held = new Set<number>();
  const timer = setInterval(() => {
    for (const { pid } of processesWithOpenFileIn(scratch, isExaminer)) {
      if (held.has(pid)) continue;
      held.add(pid);
      process.kill(pid, 'SIGSTOP');
    }
  }, 50);
  /** Pauses no further processes. Paused processes stay paused. */
  const stopHolding = () => clearInterval(timer);
  const release = () => {
    stopHolding();
    for (const pid of held) if (isExaminer(pid)) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(release);
  /** How many processes have been paused so far. */
  const count = () => held.size;
  return { count, stopHolding, release };
}
