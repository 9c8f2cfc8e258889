import type { WorkspaceId } from '#call/caller.ts';

/** One attempt at one asset. Ids and numbers only, because the engine stores its input. */
export type AssetAttempt = { workspaceId: WorkspaceId; submissionId: string; assetId: string; attempt: number };
