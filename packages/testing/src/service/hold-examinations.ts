import { onTestFinished } from 'vitest';
import { isExaminer, processesHolding } from '../faults/process-table.ts';

/**
 * Pauses every examining process as soon as it has opened its file in this folder: the examination then lasts until it is
 * released or killed. Examining the file must take longer than the polling interval.
 */
export function holdExaminations(scratch: string) {
  const held = new Set<number>();
  const timer = setInterval(() => {
    for (const { pid } of processesHolding(scratch, isExaminer)) {
      if (held.has(pid)) continue;
      held.add(pid);
      process.kill(pid, 'SIGSTOP');
    }
  }, 50);
  /** Later ones are not held, but those so far still are. */
  const holdNoMore = () => clearInterval(timer);
  const release = () => {
    holdNoMore();
    for (const pid of held) if (isExaminer(pid)) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(release);
  /** How many were held so far. */
  const count = () => held.size;
  return { count, holdNoMore, release };
}
