import { randomUUIDv7 } from 'node:crypto';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { Metadata } from '@assay/contract/schemas/metadata.ts';
import { findSidekick } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Call, Reply } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { answerOnce } from '#modules/idempotency/answer-once.ts';
import { pinOf, requireDefaultProfile, requireNamedProfile } from '#modules/profiles/find-profile.ts';
import { inspectUploads } from '#modules/uploads/inspect-uploads.ts';
import { type OwnBlob, requireOwnBlobs } from '#modules/uploads/require-own-blobs.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import { presentCreated, withPreviousVersionMembers } from '../present.ts';
import type { DueRun } from '../runs/run-store.ts';
import { startRunNow } from '../runs/start-run.ts';
import type { NewSubmission } from '../store.ts';
import { newSubmissionId } from '../submission-id.ts';
import { findPreviousVersions } from '../versions/previous-version.ts';
import { commitSubmission, type DraftSubmission } from './commit-submission.ts';

/** §4.3: a newly created submission reports `submitted`. */
export async function createSubmission(
  call: Call<'createSubmission'>,
  handles: Handles,
): Promise<Reply<'createSubmission'>> {
  let committed: NewSubmission | undefined;
  const reply = await answerOnce(handles, 'createSubmission', call, async () => {
    const draft = await draftSubmission(call, handles);
    return async (db) => {
      committed = await commitSubmission(db, call.caller.workspaceId, draft, (at) => refuseMissing(call, at));
      return presentCreated(committed);
    };
  });
  if (committed) await startRunNow(handles, firstRunOf(committed, call));
  return { ...reply, response: withPreviousVersionMembers(reply.response) };
}

/** What was purged or deleted meanwhile is refused as usual. A default profile is chosen again with the next request. */
async function refuseMissing(call: Call<'createSubmission'>, db: Db): Promise<never> {
  await requireOwnBlobsOf(call, db); // 403
  await chooseProfile(db, call.caller.workspaceId, call.body.metadata); // 422
  throw new Refusal('service_unavailable', { internal: 'the profile was deleted while the submission was created' });
}

/** Validates the request in the order of the documented status codes. */
async function draftSubmission(
  { caller, body, query }: Call<'createSubmission'>,
  { db, blobs }: Handles,
): Promise<DraftSubmission> {
  const pointers = pointersOf(body);
  const paths = await requireOwnBlobsOf({ caller, body }, db); // 403
  const requested = paths.map(({ filename }, i) => ({
    filename,
    previousSubmissionId: body.assets[i]?.previousSubmissionId,
    pointer: `/assets/${i}/previousSubmissionId`,
  }));
  const previous = await findPreviousVersions(db, caller.workspaceId, requested); // 404, 422
  refuseRepeatedBlobs(paths, pointers); // 422
  refuseUnknownSidekicks(body.sidekickIds ?? []); // 422
  const profile = await chooseProfile(db, caller.workspaceId, body.metadata); // 422
  const uploads = await inspectUploads(blobs, paths, pointers); // 422, 413, 415

  return {
    ...newSubmissionId(),
    mode: caller.mode,
    sidekickIds: body.sidekickIds ?? null,
    pin: pinOf(profile),
    simulationDelaySeconds: query.simulationDelaySeconds ?? 0,
    metadata: body.metadata ?? {},
    assets: paths.map(({ blobId, filename, declaredSha256 }, i) => {
      const { media, etag, sizeBytes } = uploads[i] as (typeof uploads)[number];
      return {
        assetId: randomUUIDv7(),
        blobId,
        filename,
        contentType: media.type,
        category: media.category,
        etag,
        sizeBytes,
        declaredSha256,
        previous: previous[i] ?? null,
      };
    }),
  };
}

const pointersOf = ({ assets }: Call<'createSubmission'>['body']) => assets.map((_, i) => `/assets/${i}/blobPath`);

function requireOwnBlobsOf({ caller, body }: Pick<Call<'createSubmission'>, 'caller' | 'body'>, db: Db) {
  const blobPaths = body.assets.map(({ blobPath }) => blobPath);
  return requireOwnBlobs(db, caller.workspaceId, blobPaths, pointersOf(body));
}

/** Finds the profile in its newest revision, which the submission keeps. */
async function chooseProfile(db: Db, workspaceId: WorkspaceId, metadata: Metadata | undefined) {
  const { profile } = (metadata?.assay ?? {}) as { profile?: string | null };
  if (profile === undefined || profile === null) return requireDefaultProfile(db, workspaceId);
  const at = '/metadata/assay/profile';
  return requireNamedProfile(db, workspaceId, { profile }, { profile: at, revision: at });
}

/** By id, because a path is accepted in NFC and in NFD. */
function refuseRepeatedBlobs(blobs: OwnBlob[], pointers: string[]): void {
  const ids = blobs.map(({ blobId }) => blobId);
  const errors = ids.flatMap((id, i): FieldError[] =>
    ids.indexOf(id) === i ? [] : [{ pointer: pointers[i] ?? '', code: 'duplicate', detail: 'Duplicate blobPath.' }],
  );
  if (errors.length > 0) throw new Refusal('duplicate_blob_path', { errors });
}

function refuseUnknownSidekicks(sidekickIds: string[]): void {
  const errors = sidekickIds.flatMap((id, i): FieldError[] =>
    findSidekick(id.toLowerCase())
      ? []
      : [{ pointer: `/sidekickIds/${i}`, code: 'unknown_sidekick', detail: `Unknown sidekick: ${id}.` }],
  );
  if (errors.length > 0) throw new Refusal('unknown_sidekick', { errors });
}

function firstRunOf(
  { submissionId, simulationDelaySeconds, assets }: NewSubmission,
  { caller: { workspaceId, mode, tier } }: Call<'createSubmission'>,
): DueRun {
  return {
    workspaceId,
    mode,
    tier,
    submissionId,
    run: 1,
    delaySeconds: simulationDelaySeconds,
    assets: assets.map(({ assetId, category }) => ({ assetId, attempt: 1, category })),
  };
}
