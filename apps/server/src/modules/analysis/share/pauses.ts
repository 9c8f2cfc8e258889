/** How long work that must wait stays away before it asks again. */
export type Pauses = { secondsFor(workspaceId: string, assetId: string): number };

const secondsMin = 1 / 4;
const secondsMax = 300;
/** How often the waiting work of one workspace asks, whatever its amount: each time takes a slot for a moment. */
const asksPerSecond = 4;
const waitingCountedMax = secondsMax * asksPerSecond;

/** The more of a workspace waits in this worker, the longer each pauses. */
export function createPauses(now: () => number = Date.now): Pauses {
  /** For each workspace: when each of its waiting assets will have asked again. */
  const waiting = new Map<string, Map<string, number>>();
  const forgetOver = () => {
    for (const [workspaceId, assets] of waiting) {
      for (const [assetId, until] of assets) {
        if (until > now()) break; // those after it were added later
        assets.delete(assetId);
      }
      if (assets.size === 0) waiting.delete(workspaceId);
    }
  };
  return {
    secondsFor(workspaceId, assetId) {
      forgetOver();
      const assets = waiting.get(workspaceId) ?? new Map<string, number>();
      waiting.set(workspaceId, assets);
      assets.delete(assetId);
      const seconds = Math.max(secondsMin, (assets.size + 1) / asksPerSecond);
      if (assets.size < waitingCountedMax) assets.set(assetId, now() + 2000 * seconds);
      return seconds * (0.75 + Math.random() / 2); // spread, because many are sent away at the same moment
    },
  };
}
