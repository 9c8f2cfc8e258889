import type { MemoryNeed } from '@assay/jail/source/memory.ts';

/** The memory that the tools of all examinations of a worker may need at the same time. */
export type ToolMemory = {
  /** Resolves when there is room. Rejects with the reason of the signal. */
  reserve(owner: string, need: MemoryNeed, signal: AbortSignal): Promise<() => void>;
};

/** The share of tools that decode a whole video or audio file. */
const longShare = 0.6;
/** The most that the short tools of one owner may have, as a share, so that they never hold up those of others. */
const ownerShareMax = 1 / 2;

type Waiter = { owner: string; bytes: number; grant(): void };

/** A tool that needs more than all of its part runs when no other tool of its part does. */
export function createToolMemory(bytes: number): ToolMemory {
  const parts = {
    long: createPart(bytes * longShare, Number.POSITIVE_INFINITY),
    short: createPart(bytes * (1 - longShare), bytes * (1 - longShare) * ownerShareMax),
  };
  return {
    reserve: (owner, need, signal) => parts[need.isLong ? 'long' : 'short'].reserve(owner, need.bytes, signal),
  };
}

function createPart(bytesMax: number, ownerBytesMax: number) {
  const heldBy = new Map<string, number>();
  let held = 0;
  let waiting: Waiter[] = [];

  const heldByOwner = (owner: string) => heldBy.get(owner) ?? 0;
  const change = (owner: string, by: number) => {
    held += by;
    const left = heldByOwner(owner) + by;
    if (left > 0) heldBy.set(owner, left);
    else heldBy.delete(owner);
  };
  const mayHave = ({ owner, bytes }: Waiter) => {
    const own = heldByOwner(owner);
    return own === 0 || own + bytes <= ownerBytesMax;
  };
  /**
   * Grants to the owner that has least, first come first served. Nobody overtakes it while it waits for room: it would
   * wait for ever.
   */
  const grantNext = () => {
    const able = waiting.filter(mayHave);
    const leastHeld = Math.min(...able.map(({ owner }) => heldByOwner(owner)));
    const next = able.find(({ owner }) => heldByOwner(owner) === leastHeld);
    if (!next || held + next.bytes > bytesMax) return;
    waiting = waiting.filter((one) => one !== next);
    change(next.owner, next.bytes);
    next.grant();
    grantNext();
  };
  return {
    async reserve(owner: string, wanted: number, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const bytes = Math.min(wanted, bytesMax);
      const { promise: granted, resolve, reject } = Promise.withResolvers<void>();
      const waiter: Waiter = { owner, bytes, grant: resolve };
      const giveUp = () => {
        const isWaiting = waiting.includes(waiter);
        waiting = waiting.filter((one) => one !== waiter);
        reject(signal.reason);
        if (isWaiting) grantNext(); // it may have been the one that the others waited for
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(waiter);
      grantNext();
      await granted;
      signal.removeEventListener('abort', giveUp);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        change(owner, -bytes);
        grantNext();
      };
    },
  };
}
