import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { MatchedBy } from '@assay/contract/submission.ts';
import { z } from 'zod';
import type { WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import { matchVersions } from './match-versions.ts';
import { findSubmission, type SubmissionRow } from './store.ts';

type Asked = { filename: string; previousSubmissionId: string | undefined; pointer: string };
export type PreviousVersion = { versionGroupId: string; assetId: string; matchedBy: MatchedBy };

/**
 * §9: which asset each new asset continues; null begins a new version group.
 * 404 for a submission that is not in the workspace, 422 where it is not clear which of its assets is meant.
 */
export async function findPreviousVersions(
  db: Db,
  workspaceId: WorkspaceId,
  asked: Asked[],
): Promise<(PreviousVersion | null)[]> {
  const naming = asked.flatMap((asset, i) => (asset.previousSubmissionId === undefined ? [] : [i]));
  const bySubmission = Map.groupBy(naming, (i) => asked[i]?.previousSubmissionId?.toLowerCase() ?? '');
  const found = new Map<string, SubmissionRow[]>();
  for (const id of bySubmission.keys())
    found.set(id, z.guid().safeParse(id).success ? await findSubmission(db, workspaceId, id) : []);

  const pointersOf = (indexes: number[]) => indexes.map((i) => asked[i]?.pointer as string);
  const missing = [...bySubmission].flatMap(([id, indexes]) => (found.get(id)?.length === 0 ? indexes : []));
  if (missing.length > 0) {
    const errors = pointersOf(missing.sort((a, b) => a - b)).map((pointer) =>
      at(pointer, 'not_found', 'No such submission in this workspace.'),
    );
    throw new Refusal('previous_submission_not_found', { errors });
  }
  const previous: (PreviousVersion | null)[] = asked.map(() => null);
  for (const [id, indexes] of bySubmission) {
    const candidates = (found.get(id) ?? []).map((row) => ({ ...row, category: categoryOf(row.filename) }));
    const assets = indexes.map((i) => asked[i]?.filename as string);
    const matches = matchVersions(
      assets.map((filename) => ({ filename, category: categoryOf(filename) })),
      candidates,
    );
    for (const [k, match] of matches.entries()) {
      const i = indexes[k] as number;
      if (!match) throw ambiguous(asked[i]?.pointer as string, candidates);
      const { old, matchedBy } = match;
      previous[i] = { versionGroupId: old.version_group_id, assetId: old.asset_id, matchedBy };
    }
  }
  refuseDuplicates(asked, previous);
  return previous;
}

function ambiguous(pointer: string, candidates: SubmissionRow[]): Refusal {
  const errors = candidates.map(({ asset_id, filename: name }) => at(pointer, 'candidate', `${asset_id} ${name}`));
  return new Refusal('ambiguous_previous_version', { errors });
}

function categoryOf(filename: string): string | undefined {
  return mediaTypeOfFilename(filename)?.category;
}

/** Two earlier submissions can hold versions of one asset. */
function refuseDuplicates(asked: Asked[], previous: (PreviousVersion | null)[]): void {
  const groups = previous.map((one) => one?.versionGroupId);
  const repeated = asked.filter((_, i) => groups[i] !== undefined && groups.indexOf(groups[i]) < i);
  if (repeated.length === 0) return;
  const errors = repeated.map(({ pointer }) => at(pointer, 'duplicate', 'Another asset here continues the same one.'));
  throw new Refusal('duplicate_previous_version', { errors });
}

function at(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
