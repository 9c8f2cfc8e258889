import { expect, test } from 'vitest';
import { createLongLane } from './long-lane.ts';

test.each([
  [1, 1],
  [2, 1],
  [4, 2],
])('beside %i examinations, %i long ones have a slot of their own', (atOnceMax, longMax) => {
  const lane = createLongLane(atOnceMax);
  const leaves = Array.from({ length: longMax }, (_, i) => lane.enter(`${i}`));
  expect(leaves.every(Boolean)).toBe(true);
  expect(lane.enter('another')).toBeUndefined();
  expect(lane.extraSlots.count()).toBe(longMax);
  for (const leave of leaves) leave?.();
  expect(lane.extraSlots.count()).toBe(0);
});

test('a lane that is left twice keeps its size', () => {
  const lane = createLongLane(1);
  const leave = lane.enter('a');
  leave?.();
  leave?.();
  expect(lane.extraSlots.count()).toBe(0);
  lane.enter('a');
  expect(lane.enter('a')).toBeUndefined();
});

test('workspaces take turns, whatever the number of their files and however often they ask', () => {
  const lane = createLongLane(1);
  let leave = lane.enter('many');
  const served: string[] = [];
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 50; i++) expect(lane.enter('many')).toBeUndefined();
    expect(lane.enter(round < 3 ? 'one' : 'other')).toBeUndefined();
    leave?.();
    // The one with many files asks first each time.
    const next = ['many', 'one', 'other'].find((workspaceId) => {
      leave = lane.enter(workspaceId);
      return leave;
    });
    served.push(next ?? 'nobody');
  }
  expect(served).toEqual(['one', 'many', 'one', 'other', 'many', 'one']);
});
