import type { Release } from '#platform/mechanisms/semaphore.ts';

/** Divides the slots of a queue in this worker between the workspaces that use it. */
export type SlotShare = {
  /** Undefined if the workspace has its share, and others need theirs. A slot may be left more than once. */
  take(workspaceId: string): Release | undefined;
};

/** A workspace that had no work in the queue for this long no longer has a share. */
const activeMillis = 30_000;

export function createSlotShare(atOnceMax: number, now: () => number = Date.now): SlotShare {
  const workspaces = new Map<string, { held: number; lastAt: number }>();
  const forgetInactive = () => {
    for (const [workspaceId, { held, lastAt }] of workspaces)
      if (held === 0 && now() - lastAt > activeMillis) workspaces.delete(workspaceId);
  };
  return {
    take(workspaceId) {
      forgetInactive();
      const workspace = workspaces.get(workspaceId) ?? { held: 0, lastAt: 0 };
      workspaces.set(workspaceId, workspace);
      workspace.lastAt = now();
      // Rounded up: with few slots, two workspaces may have them all, and none has fewer than one.
      if (workspace.held >= Math.ceil(atOnceMax / workspaces.size)) return undefined;
      workspace.held++;
      let isHeld = true;
      return () => {
        if (isHeld) workspace.held--;
        isHeld = false;
        workspace.lastAt = now();
      };
    },
  };
}
