import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';

/**
 * Deletes the rows of a submission that another module owns. Modules that import this one are passed in by `start`, which
 * knows them all.
 */
export type RemoveRows = (db: Db, workspaceId: WorkspaceId, submissionId: string) => Promise<void>;
