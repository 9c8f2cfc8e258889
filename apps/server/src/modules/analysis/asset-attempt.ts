import type { WorkspaceId } from '#call/caller.ts';

/** One attempt at one asset. Ids and numbers only: the engine stores what it is given. */
export type AssetAttempt = { workspaceId: WorkspaceId; submissionId: string; assetId: string; attempt: number };
