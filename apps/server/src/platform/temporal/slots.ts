import { once } from 'node:events';
import type { CustomSlotSupplier, SlotInfo, TunerHolder } from '@temporalio/worker';

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
export function tunerOf({ activities, workflows }: { activities: number; workflows: number }, gate: Gate): TunerHolder {
  return {
    workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: workflows },
    activityTaskSlotSupplier:
      gate === alwaysOpen ? { type: 'fixed-size', numSlots: activities } : createGatedSlots(activities, gate),
    localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: activities },
    nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  };
}

function createGatedSlots<Info extends SlotInfo>(slots: number, gate: Gate): CustomSlotSupplier<Info> {
  const freed = new EventTarget();
  let used = 0;
  const take = () => {
    if (used >= slots || !gate.isOpen()) return null;
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
