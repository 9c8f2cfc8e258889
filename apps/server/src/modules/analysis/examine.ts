import { randomUUID } from 'node:crypto';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import type { Jail } from '@assay/jail/source/source.ts';
import type { ExaminationWatch } from '@assay/sidekicks/run/examiner/examiner.ts';
import type { Examiners } from '@assay/sidekicks/run/examiner/examiners.ts';
import { guessSeconds } from '@assay/sidekicks/run/progress.ts';
import type { Examination } from '@assay/sidekicks/run/run.ts';
import { findOrigin, requirePinnedProfile } from '#modules/profiles/find-profile.ts';
import { replaceEvidence } from '#modules/results/stills/evidence-store.ts';
import { type AssetRow, findAsset } from '#modules/submissions/store.ts';
import { formatBlobPath } from '#modules/uploads/blob-path.ts';
import { withScratchFile } from '#modules/uploads/scratch-file.ts';
import { findPinnedBlob } from '#modules/uploads/store.ts';
import type { Handles } from '#platform/handles.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { sidekickDuration } from './metrics.ts';
import { recordExamination } from './store.ts';
import { type Progress, trackProgress } from './track-progress.ts';

export type ExaminationTools = { jail: Jail; examiners: Examiners };

/**
 * Examines one asset: downloads the blob to a scratch file, runs every sidekick on it in a separate process, and
 * records their findings.
 */
export async function examine(
  asset: AssetAttempt,
  { report, ...watch }: ExaminationWatch,
  handles: Handles,
  { jail, examiners }: ExaminationTools,
): Promise<void> {
  const { signal } = watch;
  const { workspaceId, submissionId, assetId, attempt } = asset;
  const { db, metrics } = handles;
  const row = await findAsset(db, workspaceId, submissionId, assetId);
  if (row?.attempt !== attempt) return; // deleted, or superseded by another attempt
  if (row.status !== 'processing') return; // settled in the meantime

  const profile = await requirePinnedProfile(db, workspaceId, row);
  const origin = await findOrigin(db, workspaceId, profile);
  const bytes = await download(row, asset, handles, signal);
  const progress = trackProgress(asset, handles, expectedSeconds(row), report);
  const arriving = trackDownload(bytes, Number(row.size_bytes), progress);
  const { contentSha256, examined } = await withScratchFile(
    arriving,
    async ({ fd, sizeBytes, sha256: contentSha256 }) => {
      const { declared_sha256: declared } = row;
      if (declared && !contentSha256.equals(declared)) {
        throw new AssetFailure('content_mismatch', 'the SHA-256 of the stored file is not the declared one');
      }
      const { filename, sidekick_ids: sidekickIds } = row;
      const request = { fd, sizeBytes, filename, sidekickIds, profile: profile.resolved, origin, jail };
      const examined = await examiners.examine(workspaceId, request, { ...watch, report: progress.examined });
      return { contentSha256, examined };
    },
  );
  const { checks, findings, measured, media, poster, durations } = examined;
  signal.throwIfAborted();
  for (const { sidekick, seconds } of durations) sidekickDuration(metrics).observe({ sidekick }, seconds);
  const kept = findings.map((finding) => separateStills(finding));
  await db.transaction().execute(async (transaction) => {
    const isRecorded = await recordExamination(transaction, workspaceId, submissionId, {
      assetId,
      attempt,
      contentSha256,
      checks: checks.map((check) => ({ ...check, profile: profile.name, profileRevision: profile.revision })),
      findings: kept.map(({ finding }) => finding),
      media: media && { ...media, poster: poster && { timeMs: poster.timeMs } },
    });
    const stills = kept.flatMap((one) => one.stills);
    const evidence = { stills, poster: poster?.jpeg ?? null, measured };
    if (isRecorded) await replaceEvidence(transaction, workspaceId, asset, evidence);
  });
}

/** Separates the image bytes from a finding, which then refers to its stills by id. */
function separateStills({ stills, ...finding }: Examination['findings'][number]) {
  const named = stills.map((still) => ({ ...still, stillId: randomUUID() }));
  return {
    finding: { ...finding, evidence: named.map(({ jpeg: _, ...reference }) => reference) },
    stills: named,
  };
}

// Downloads with the ETag of the validated bytes, because other bytes must not be analysed.
async function download(row: AssetRow, { workspaceId }: AssetAttempt, { db, blobs }: Handles, signal: AbortSignal) {
  const blob = await findPinnedBlob(db, workspaceId, row.blob_id, row.etag);
  const path = formatBlobPath({ workspaceId, blobId: row.blob_id, filename: row.filename });
  const bytes = blob && (await blobs.download(blob, path, blob.etag, signal));
  if (!bytes) throw new AssetFailure('blob_missing', 'the file is no longer in storage');
  return bytes;
}

function expectedSeconds({ filename, size_bytes: sizeBytes }: AssetRow): number {
  return guessSeconds(mediaTypeOfFilename(filename)?.category ?? 'document', Number(sizeBytes));
}

/** Passes the bytes on and reports the download progress. */
async function* trackDownload(
  bytes: AsyncIterable<Buffer>,
  sizeBytes: number,
  progress: Progress,
): AsyncGenerator<Buffer> {
  let arrivedBytes = 0;
  for await (const chunk of bytes) {
    arrivedBytes += chunk.length;
    progress.downloaded(arrivedBytes / sizeBytes);
    yield chunk;
  }
}
