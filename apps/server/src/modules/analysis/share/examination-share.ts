import type { WorkspaceId } from '#call/caller.ts';
import type { Release } from '#platform/mechanisms/semaphore.ts';
import { createLongLane, type LongLane } from './long-lane.ts';
import { createPauses } from './pauses.ts';
import { createSlotShare, type SlotShare } from './slot-share.ts';
import type { LimitedWorkspace, WorkspaceLimit } from './workspace-limit.ts';

/** Why an examination must wait although a worker has taken it. */
export type WaitReason = 'workspace_limit' | 'worker_share' | 'long_files';

type QueueShare = { slots: SlotShare; lane: LongLane };

/** Divides this worker, and all workers together, between the workspaces. */
export type ExaminationShare = {
  /** A place among all that the workspace runs, and a slot of this worker; or why there is none. */
  enter(workspace: LimitedWorkspace, queue: string): Promise<{ leaveSlot: Release; leave: Release } | WaitReason>;
  laneOf(queue: string): LongLane;
  /** How long an asset that must wait stays away. */
  pauseSeconds(workspaceId: WorkspaceId, assetId: string): number;
  /** An examination is long if it takes more CPU time than this. */
  longSeconds: number;
};

/** @param queues the full names of the queues that this worker serves, and how many examinations of each it runs */
export function createExaminationShare(
  queues: readonly { name: string; atOnceMax: number }[],
  limit: WorkspaceLimit,
  longSeconds: number,
): ExaminationShare {
  const shares = new Map(queues.map(({ name, atOnceMax }) => [name, createQueueShare(atOnceMax)]));
  const shareOf = (queue: string) => {
    const share = shares.get(queue);
    if (!share) throw new Error(`this worker does not serve the queue ${queue}`);
    return share;
  };
  const pauses = createPauses();
  return {
    async enter(workspace, queue) {
      const leaveSlot = shareOf(queue).slots.take(workspace.workspaceId);
      if (!leaveSlot) return 'worker_share';
      const leavePlace = await limit.take(workspace, queue);
      if (leavePlace) return { leaveSlot, leave: () => [leaveSlot, leavePlace].forEach((leave) => void leave()) };
      leaveSlot();
      return 'workspace_limit';
    },
    laneOf: (queue) => shareOf(queue).lane,
    pauseSeconds: pauses.secondsFor,
    longSeconds,
  };
}

function createQueueShare(atOnceMax: number): QueueShare {
  return { slots: createSlotShare(atOnceMax), lane: createLongLane(atOnceMax) };
}
