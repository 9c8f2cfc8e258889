import type { Category } from '@assay/contract/limits.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import { z } from 'zod';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { findSubmission, type SubmissionRow } from './store.ts';

type Asked = { filename: string; previousSubmissionId: string | undefined; pointer: string };

/**
 * §9: which version group each new asset continues; null begins a new one.
 * 404 for a submission that is not in the workspace, 422 where it is not clear which of its assets is meant.
 */
export async function findVersionGroups(db: Db, workspaceId: WorkspaceId, asked: Asked[]): Promise<(string | null)[]> {
  const ids = new Set(asked.flatMap(({ previousSubmissionId: id }) => id ?? []));
  const found = new Map<string, SubmissionRow[]>();
  for (const id of ids) found.set(id, z.guid().safeParse(id).success ? await findSubmission(db, workspaceId, id) : []);

  const missing = asked.filter(({ previousSubmissionId: id }) => id !== undefined && found.get(id)?.length === 0);
  if (missing.length > 0) {
    const errors = missing.map(({ pointer }) => at(pointer, 'not_found', 'No such submission in this workspace.'));
    throw new Refusal('previous_submission_not_found', { errors });
  }
  const groups = asked.map((asset) => {
    if (asset.previousSubmissionId === undefined) return null;
    return choose(asset, found.get(asset.previousSubmissionId) ?? []).version_group_id;
  });
  refuseDuplicates(asked, groups);
  return groups;
}

/** The only asset there; else the only one of the same name; else the only one of the same category. */
function choose({ filename, pointer }: Asked, candidates: SubmissionRow[]): SubmissionRow {
  const category = categoryOf(filename);
  const narrower = [
    () => true,
    (candidate: SubmissionRow) => candidate.filename === filename,
    (candidate: SubmissionRow) => categoryOf(candidate.filename) === category,
  ];
  for (const fits of narrower) {
    const [only, ...others] = candidates.filter(fits);
    if (only && others.length === 0) return only;
  }
  const errors = candidates.map(({ asset_id, filename: name }) => at(pointer, 'candidate', `${asset_id} ${name}`));
  throw new Refusal('ambiguous_previous_version', { errors });
}

function categoryOf(filename: string): Category | undefined {
  return mediaTypeOfFilename(filename)?.category;
}

function refuseDuplicates(asked: Asked[], groups: (string | null)[]): void {
  const repeated = asked.filter((_, i) => groups[i] !== null && groups.indexOf(groups[i] as string) < i);
  if (repeated.length === 0) return;
  const errors = repeated.map(({ pointer }) => at(pointer, 'duplicate', 'Another asset here continues the same one.'));
  throw new Refusal('duplicate_previous_version', { errors });
}

function at(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
