/** Memory that a tool may need while it runs. */
export type MemoryNeed = {
  bytes: number;
  /** Runs for as long as the file plays. Such tools have a part of the memory of their own, so that others need not wait. */
  isLong: boolean;
};

/** Waits until there is so much memory, and sets it aside until the returned function is called. */
export type ReserveMemory = (need: MemoryNeed, signal: AbortSignal) => Promise<() => void>;
