import { once } from 'node:events';
import type { CustomSlotSupplier, SlotInfo, TunerHolder } from '@temporalio/worker';
import type { Release } from '../mechanisms/semaphore.ts';

/** Whether a worker may take new work of a queue. */
export type Gate = { isOpen(): boolean; whenOpen(signal: AbortSignal): Promise<void> };

export const alwaysOpen: Gate = { isOpen: () => true, whenOpen: async () => {} };

/** A gate that opens and closes; open at first. */
export function createGate(): Gate & { set(isOpen: boolean): void } {
  const opened = new EventTarget();
  let isOpen = true;
  return {
    isOpen: () => isOpen,
    async whenOpen(signal) {
      while (!isOpen) await nextEvent(opened, 'open', signal);
    },
    set(value) {
      isOpen = value;
      if (isOpen) opened.dispatchEvent(new Event('open'));
    },
  };
}

/** Slots that a queue has for a while beyond its own, because work in progress no longer counts. */
export type ExtraSlots = {
  count(): number;
  /** Adds a slot until the returned function is called. */
  add(): Release;
  /** Emits `free` when a slot was added. */
  added: EventTarget;
};

export function createExtraSlots(): ExtraSlots {
  const added = new EventTarget();
  let count = 0;
  return {
    added,
    count: () => count,
    add() {
      count++;
      added.dispatchEvent(new Event('free'));
      let isAdded = true;
      return () => {
        if (isAdded) count--;
        isAdded = false;
      };
    },
  };
}

/** Rejects with the signal's reason: the SDK logs any other error as a failure of the supplier. */
async function nextEvent(target: EventTarget, name: string, signal: AbortSignal): Promise<void> {
  await once(target, name, { signal }).catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
}

/**
 * At most this many tasks of each kind at once. A worker fetches an activity only while the gate is open: without a part
 * that the work needs, it would take tasks from workers that have the part, and fail them.
 */
export function tunerOf(
  { activities, workflows }: { activities: number; workflows: number },
  gate: Gate,
  extra: ExtraSlots = createExtraSlots(),
): TunerHolder {
  return {
    workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: workflows },
    activityTaskSlotSupplier:
      gate === alwaysOpen ? { type: 'fixed-size', numSlots: activities } : createGatedSlots(activities, gate, extra),
    localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: activities },
    nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  };
}

function createGatedSlots<Info extends SlotInfo>(
  slots: number,
  gate: Gate,
  extra: ExtraSlots,
): CustomSlotSupplier<Info> {
  const freed = extra.added;
  let used = 0;
  const take = () => {
    if (used >= slots + extra.count() || !gate.isOpen()) return null;
    used++;
    return {};
  };
  return {
    type: 'custom',
    async reserveSlot(_, signal) {
      for (;;) {
        await gate.whenOpen(signal);
        const permit = take();
        if (permit) return permit;
        await nextEvent(freed, 'free', signal);
      }
    },
    tryReserveSlot: take,
    markSlotUsed: () => {},
    releaseSlot() {
      used--;
      freed.dispatchEvent(new Event('free'));
    },
  };
}
