import type { CustomSlotSupplier, SlotInfo } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { createGate, tunerOf } from './slots.ts';

const context = {} as Parameters<CustomSlotSupplier<SlotInfo>['reserveSlot']>[0];

function openSlots(activities: number) {
  const gate = createGate();
  const slots = tunerOf({ activities, workflows: 1 }, gate).activityTaskSlotSupplier as CustomSlotSupplier<SlotInfo>;
  return { gate, reserve: (signal = new AbortController().signal) => slots.reserveSlot(context, signal), slots };
}

describe('the slots of a queue with a gate', () => {
  test('are granted only while the gate is open', async () => {
    const { gate, reserve, slots } = openSlots(2);
    gate.set(false);
    expect(slots.tryReserveSlot(context)).toBeNull();
    const waiting = reserve();
    gate.set(true);
    expect(await waiting).toEqual({});
  });

  test('are granted again when they are released', async () => {
    const { reserve, slots } = openSlots(1);
    await reserve();
    const waiting = reserve();
    slots.releaseSlot({} as Parameters<typeof slots.releaseSlot>[0]);
    expect(await waiting).toEqual({});
  });

  // Otherwise each stop of a worker would log an error.
  test.each([
    ['the gate is closed', 1, false],
    ['all are taken', 0, true],
  ])(
    'are no longer waited for after an abort while %s, and the reason is that of the signal',
    async (_, count, isOpen) => {
      const { gate, reserve } = openSlots(count);
      gate.set(isOpen);
      const stop = new AbortController();
      const waiting = reserve(stop.signal);
      const reason = new Error('the worker stops');
      stop.abort(reason);
      await expect(waiting).rejects.toBe(reason);
    },
  );
});
