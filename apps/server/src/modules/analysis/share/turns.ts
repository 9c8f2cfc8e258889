/** Whose turn it is among workspaces that ask again and again, because nobody can wait in line. */
export type Turns = {
  /** Whether no other workspace that asked in the last seconds has waited longer since its last turn. */
  isNext(workspaceId: string): boolean;
  /** Notes that the workspace got what it asked for. */
  served(workspaceId: string): void;
  /** Notes that the workspace asked and has to ask again. */
  refused(workspaceId: string): void;
};

/** A workspace that has not asked for this long no longer wants a turn. */
const askedMillisMax = 30_000;
const rememberedMax = 1000;

export function createTurns(now: () => number = Date.now): Turns {
  /** The number of the last turn of each workspace. Those without one have not had a turn for long. */
  const lastTurns = new Map<string, number>();
  /** When a workspace asked first, in order, and last. */
  const asking = new Map<string, { sinceAsk: number; lastAskAt: number }>();
  let turnCount = 0;
  let askCount = 0;
  const forgetOld = () => {
    for (const [workspaceId, { lastAskAt }] of asking)
      if (now() - lastAskAt > askedMillisMax) asking.delete(workspaceId);
  };
  const isBefore = (a: string, b: string) => {
    const [turnOfA, turnOfB] = [lastTurns.get(a) ?? 0, lastTurns.get(b) ?? 0];
    if (turnOfA !== turnOfB) return turnOfA < turnOfB;
    return (asking.get(a)?.sinceAsk ?? askCount) < (asking.get(b)?.sinceAsk ?? askCount);
  };
  return {
    isNext(workspaceId) {
      forgetOld();
      return [...asking.keys()].every((other) => other === workspaceId || !isBefore(other, workspaceId));
    },
    served(workspaceId) {
      asking.delete(workspaceId);
      lastTurns.delete(workspaceId); // moves it to the end, where it is forgotten last
      lastTurns.set(workspaceId, ++turnCount);
      const [oldest] = lastTurns.keys();
      if (lastTurns.size > rememberedMax && oldest !== undefined) lastTurns.delete(oldest);
    },
    refused(workspaceId) {
      const sinceAsk = asking.get(workspaceId)?.sinceAsk ?? askCount++;
      asking.set(workspaceId, { sinceAsk, lastAskAt: now() });
    },
  };
}
