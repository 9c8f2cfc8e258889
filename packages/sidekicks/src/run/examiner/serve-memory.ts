import type { ReserveMemory } from '@assay/jail/source/memory.ts';
import type { FromExaminer, ToExaminer } from './messages.ts';

type MemoryMessage = Extract<FromExaminer, { kind: 'reserveMemory' | 'releaseMemory' }>;

/** Sets memory aside for an examiner's tools, at its request. What it still has at the end is released. */
export function serveMemory(reserve: ReserveMemory, answer: (message: ToExaminer) => void) {
  /** Ends the wait of a request, or releases its memory. */
  const endings = new Map<number, () => void>();
  const take = async (message: Extract<MemoryMessage, { kind: 'reserveMemory' }>) => {
    const waiting = new AbortController();
    endings.set(message.id, () => waiting.abort(new Error('the memory is no longer needed')));
    const release = await reserve(message.need, waiting.signal).catch(() => undefined);
    if (!release) return;
    if (waiting.signal.aborted) return release();
    endings.set(message.id, release);
    answer({ kind: 'memoryReserved', id: message.id });
  };
  return {
    serve(message: MemoryMessage) {
      if (message.kind === 'reserveMemory') return void take(message);
      endings.get(message.id)?.();
      endings.delete(message.id);
    },
    [Symbol.dispose]() {
      for (const end of endings.values()) end();
    },
  };
}
