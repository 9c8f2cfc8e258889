import type { Release } from '#platform/mechanisms/semaphore.ts';
import { createExtraSlots, type ExtraSlots } from '#platform/temporal/slots.ts';
import { createTurns } from './turns.ts';

/**
 * The long examinations of a queue in this worker. One that enters leaves its slot to others, and the lane has room for
 * few, so that long files hold up neither short ones nor the machine.
 */
export type LongLane = {
  /** The slots that examinations in the lane have left. */
  extraSlots: ExtraSlots;
  /** Undefined if the lane is full, or if it is the turn of another workspace that waits for it. */
  enter(workspaceId: string): Release | undefined;
  count(): number;
};

/** The share of a queue's examinations that may be long in addition. */
const longShare = 1 / 2;

export function createLongLane(atOnceMax: number): LongLane {
  const longAtOnceMax = Math.max(1, Math.floor(atOnceMax * longShare));
  const extraSlots = createExtraSlots();
  const turns = createTurns();
  return {
    extraSlots,
    count: extraSlots.count,
    enter(workspaceId) {
      if (extraSlots.count() >= longAtOnceMax || !turns.isNext(workspaceId)) {
        turns.refused(workspaceId);
        return undefined;
      }
      turns.served(workspaceId);
      return extraSlots.add();
    },
  };
}
