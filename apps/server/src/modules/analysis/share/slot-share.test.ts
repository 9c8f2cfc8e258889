import { expect, test } from 'vitest';
import { createSlotShare } from './slot-share.ts';

function openShare(atOnceMax: number) {
  const time = { millis: 0 };
  const share = createSlotShare(atOnceMax, () => time.millis);
  /** Takes slots until there is none for this workspace, and returns how many. */
  const takeAll = (workspaceId: string) => {
    let taken = 0;
    while (taken < 100 && share.take(workspaceId)) taken++;
    return taken;
  };
  return { ...share, time, takeAll };
}

test('a workspace alone has every slot, and half of them beside another one', () => {
  expect(openShare(4).takeAll('a')).toBe(4);
  const shared = openShare(4);
  const leave = shared.take('b');
  expect(shared.takeAll('a')).toBe(2);
  leave?.();
  expect(shared.takeAll('a'), 'b may come again at any moment').toBe(0);
  shared.time.millis = 31_000;
  expect(shared.takeAll('a')).toBe(2);
});

test('each workspace has at least one slot, however many there are', () => {
  const { take } = openShare(2);
  for (const workspaceId of ['a', 'b', 'c', 'd']) expect(take(workspaceId)).toBeDefined();
});

test('a slot that is left twice counts once', () => {
  const { take } = openShare(1);
  const leave = take('a');
  leave?.();
  leave?.();
  expect(take('a')).toBeDefined();
  expect(take('a')).toBeUndefined();
});
