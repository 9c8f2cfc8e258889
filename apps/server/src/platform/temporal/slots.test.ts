import type { CustomSlotSupplier, SlotInfo } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { createExtraSlots, createGate, tunerOf } from './slots.ts';

const context = {} as Parameters<CustomSlotSupplier<SlotInfo>['reserveSlot']>[0];

function openSlots(activities: number) {
  const gate = createGate();
  const extra = createExtraSlots();
  const { activityTaskSlotSupplier } = tunerOf({ activities, workflows: 1 }, gate, extra);
  const slots = activityTaskSlotSupplier as CustomSlotSupplier<SlotInfo>;
  return { gate, extra, reserve: (signal = new AbortController().signal) => slots.reserveSlot(context, signal), slots };
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

  test('are one more while work in progress has left its slot, also after an unequal number of returns', async () => {
    const { extra, reserve, slots } = openSlots(1);
    const release = () => slots.releaseSlot({} as Parameters<typeof slots.releaseSlot>[0]);
    await reserve();
    const waiting = reserve();
    const takeBack = extra.add();
    expect(await waiting).toEqual({});
    expect(slots.tryReserveSlot(context)).toBeNull();
    takeBack();
    takeBack(); // counts once
    release();
    expect(slots.tryReserveSlot(context), 'one is still in use').toBeNull();
    release();
    expect(slots.tryReserveSlot(context)).toEqual({});
    expect(slots.tryReserveSlot(context)).toBeNull();
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
