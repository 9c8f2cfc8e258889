import type { Call, Reply } from '#call/call.ts';
import type { Mode } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import { presentSubmission } from './present.ts';
import { requireSubmission } from './require-submission.ts';
import { findRevision, type Revision } from './store.ts';

/** §4.4. A poll with the current ETag reads one row of the submission and none of its assets. */
export async function getSubmission(
  { caller: { workspaceId, mode }, params: { submissionId }, ifNoneMatch }: Call<'getSubmission'>,
  { db }: Handles,
): Promise<Reply<'getSubmission'>> {
  if (ifNoneMatch !== undefined) {
    const revision = await findRevision(db, workspaceId, submissionId);
    const etag = revision && etagOf(revision, mode);
    if (etag && matchesEtag(etag, ifNoneMatch)) return { etag, response: undefined };
  }
  const submission = await requireSubmission(db, workspaceId, submissionId);
  return { etag: etagOf(submission, mode), response: presentSubmission(submission, mode) };
}

/**
 * Weak, because the same state may be serialised differently. It includes the mode of the key, because `isRetryable`
 * depends on it, and the status, because revisions repeat after the database was restored from a backup.
 */
function etagOf({ revision, run, status }: Revision, viewer: Mode): string {
  return `W/"${revision}.${run}.${status}.${viewer}"`;
}

function matchesEtag(etag: string, ifNoneMatch: string): boolean {
  const opaque = etag.replace('W/', '');
  const known = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(opaque) || known.includes('*');
}
