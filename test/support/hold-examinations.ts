import { onTestFinished } from 'vitest';
import { isExaminer, processesHolding } from '../chaos/process-table.ts';

/**
 * Stops every process that examines, as soon as it has its file, which is in this folder: an examination then lasts until
 * it is released or killed. The file must take longer to examine than it takes to notice that.
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
  const release = () => {
    clearInterval(timer);
    for (const pid of held) if (isExaminer(pid)) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(release);
  /** How many it has held so far. */
  const count = () => held.size;
  return { count, release };
}
