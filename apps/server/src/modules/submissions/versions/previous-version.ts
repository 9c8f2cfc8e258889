import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { MatchedBy } from '@assay/contract/schemas/submission.ts';
import { z } from 'zod';
import type { WorkspaceId } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { StoredAsset } from '../select-store.ts';
import { findSubmission } from '../store.ts';
import { matchVersions } from './match-versions.ts';

type RequestedAsset = { filename: string; previousSubmissionId: string | undefined; pointer: string };
const invalidId = '';
export type PreviousVersion = { versionGroupId: string; assetId: string; matchedBy: MatchedBy };

/**
 * §9: the asset that each new asset continues; null starts a new version group.
 * 404 for a submission that is not in the workspace, 422 where it is ambiguous which of its assets is continued.
 */
export async function findPreviousVersions(
  db: Db,
  workspaceId: WorkspaceId,
  requested: RequestedAsset[],
): Promise<(PreviousVersion | null)[]> {
  const naming = requested.flatMap((asset, i) => (asset.previousSubmissionId === undefined ? [] : [i]));
  const bySubmission = Map.groupBy(naming, (i) => idOf(requested[i]?.previousSubmissionId ?? '') ?? invalidId);
  const found = new Map<string, StoredAsset[]>();
  for (const id of bySubmission.keys()) {
    const submission = id === invalidId ? undefined : await findSubmission(db, workspaceId, id);
    found.set(id, submission?.assets ?? []);
  }

  const pointersOf = (indexes: number[]) => indexes.map((i) => requested[i]?.pointer as string);
  const missing = [...bySubmission].flatMap(([id, indexes]) => (found.get(id)?.length === 0 ? indexes : []));
  if (missing.length > 0) {
    const errors = pointersOf(missing.sort((a, b) => a - b)).map((pointer) =>
      fieldErrorAt(pointer, 'not_found', 'Check previousSubmissionId.'),
    );
    throw new Refusal('previous_submission_not_found', { errors });
  }
  const previous: (PreviousVersion | null)[] = requested.map(() => null);
  for (const [id, indexes] of bySubmission) {
    const candidates = (found.get(id) ?? []).map((row) => ({ ...row, category: categoryOf(row.filename) }));
    const assets = indexes.map((i) => requested[i]?.filename as string);
    const matches = matchVersions(
      assets.map((filename) => ({ filename, category: categoryOf(filename) })),
      candidates,
    );
    for (const [k, match] of matches.entries()) {
      const i = indexes[k] as number;
      if (!match) throw ambiguousVersionRefusal(requested[i]?.pointer as string, candidates);
      const { old, matchedBy } = match;
      previous[i] = { versionGroupId: old.version_group_id, assetId: old.asset_id, matchedBy };
    }
  }
  refuseDuplicates(requested, previous);
  return previous;
}

/** §4.3 declares only a string, so text that is not a UUID results in 404, not 422. */
function idOf(text: string): string | undefined {
  return z.guid().safeParse(text).success ? text.toLowerCase() : undefined;
}

function ambiguousVersionRefusal(pointer: string, candidates: StoredAsset[]): Refusal {
  const errors = candidates.map(({ asset_id, filename: name }) =>
    fieldErrorAt(pointer, 'candidate', `Candidate: asset ${asset_id}, ${name}.`),
  );
  return new Refusal('ambiguous_previous_version', { errors });
}

function categoryOf(filename: string): string | undefined {
  return mediaTypeOfFilename(filename)?.category;
}

/** 422 if two assets continue the same one, which is possible if their earlier submissions contain its versions. */
function refuseDuplicates(requested: RequestedAsset[], previous: (PreviousVersion | null)[]): void {
  const groups = previous.map((one) => one?.versionGroupId);
  const repeated = requested.filter((_, i) => groups[i] !== undefined && groups.indexOf(groups[i]) < i);
  if (repeated.length === 0) return;
  const errors = repeated.map(({ pointer }) =>
    fieldErrorAt(pointer, 'duplicate', 'Another asset of this submission replaces the same asset.'),
  );
  throw new Refusal('duplicate_previous_version', { errors });
}

function fieldErrorAt(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
