import type { WorkspaceId } from '../access/caller.ts';

/** One attempt at one asset. Ids and numbers alone: what the engine is told, it keeps. */
export type AssetAttempt = { workspaceId: WorkspaceId; submissionId: string; assetId: string; attempt: number };
