import type { MemoryNeed } from './source/memory.ts';
import type { ToolSource } from './source/source.ts';

/** Sets memory aside for the tools that this work runs one after another. None of them waits for memory itself. */
export async function withMemory<Source extends ToolSource, Result>(
  source: Source,
  need: MemoryNeed,
  work: (held: Source) => Promise<Result>,
): Promise<Result> {
  const release = await source.reserveMemory?.(need, source.signal);
  try {
    return await work({ ...source, reserveMemory: undefined });
  } finally {
    release?.();
  }
}
