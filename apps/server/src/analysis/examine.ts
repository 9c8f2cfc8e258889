import { createHash, type Hash, randomUUID } from 'node:crypto';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { Cage } from '@assay/sidekicks/evidence/run-tool.ts';
import type { Examiners } from '@assay/sidekicks/examiner/examiners.ts';
import type { Examination } from '@assay/sidekicks/run.ts';
import type { Handles } from '../handles/handles.ts';
import { keepEvidence } from '../issues/evidence-store.ts';
import { type AssetRow, findAsset } from '../submissions/store.ts';
import { formatBlobPath } from '../uploads/blob-path.ts';
import { withScratchFile } from '../uploads/scratch-file.ts';
import { findBlobPlace } from '../uploads/store.ts';
import type { AssetAttempt } from './asset-attempt.ts';
import { recordExamination } from './store.ts';
import { trackProgress } from './track-progress.ts';

/** Half of the way is to have the file. */
const arrivedPercent = 50;

export type ExaminingTools = { cage: Cage; examiners: Examiners };

/**
 * Examines one asset: the blob goes to a scratch file once, a process of its own runs every sidekick on it, and what
 * they found is recorded.
 */
export async function examine(
  asset: AssetAttempt,
  signal: AbortSignal,
  handles: Handles,
  { cage, examiners }: ExaminingTools,
): Promise<void> {
  const { workspaceId, submissionId, assetId, attempt } = asset;
  const { db, metrics } = handles;
  const row = await findAsset(db, workspaceId, submissionId, assetId);
  if (!row || row.asset_id === null || row.attempt !== attempt) return; // deleted, or another attempt took over
  if (row.status !== 'processing') return; // settled meanwhile

  const bytes = await download(row, asset, handles, signal);
  const hash = createHash('sha256');
  const report = trackProgress(asset, handles);
  const arriving = watched(bytes, hash, Number(row.size_bytes), report);
  const { checks, findings, measured, durations } = await withScratchFile(arriving, ({ path, sizeBytes }) => {
    const { filename, sidekick_ids: sidekickIds, profile } = row;
    const onShare = (share: number) => report(arrivedPercent + (100 - arrivedPercent) * share);
    const request = { path, sizeBytes, filename, sidekickIds, profile, cage };
    return examiners.examine(workspaceId, request, { signal, report: onShare });
  });
  signal.throwIfAborted();
  for (const { sidekick, seconds } of durations) metrics.sidekickDuration.observe({ sidekick }, seconds);
  const kept = findings.map((finding) => keepStills(finding));
  await db.transaction().execute(async (transaction) => {
    const isGoingOn = await recordExamination(transaction, workspaceId, submissionId, {
      assetId,
      attempt,
      contentSha256: hash.digest(),
      checks: checks.map((check) => ({ ...check, profile: row.profile })),
      findings: kept.map(({ finding }) => finding),
    });
    const stills = kept.flatMap((one) => one.stills);
    if (isGoingOn) await keepEvidence(transaction, workspaceId, asset, { stills, measured });
  });
}

/** Takes the bytes out of a finding: it names its stills, and they are kept beside it. */
function keepStills({ stills, ...finding }: Examination['findings'][number]) {
  const named = stills.map((still) => ({ ...still, stillId: randomUUID() }));
  return {
    finding: { ...finding, evidence: named.map(({ stillId, timeMs }) => ({ stillId, timeMs })) },
    stills: named,
  };
}

// Under the tag of the bytes that were validated: others are not analysed.
async function download(row: AssetRow, { workspaceId }: AssetAttempt, { db, blobs }: Handles, signal: AbortSignal) {
  const place = await findBlobPlace(db, workspaceId, row.blob_id);
  const path = formatBlobPath({ workspaceId, blobId: row.blob_id, filename: row.filename });
  const bytes = place && (await blobs.download(place, path, row.etag, signal));
  if (!bytes) throw new AssetFailure('blob_missing');
  return bytes;
}

/** Which bytes those were is remembered by their hash. */
async function* watched(
  bytes: AsyncIterable<Buffer>,
  hash: Hash,
  sizeBytes: number,
  report: (percent: number) => void,
): AsyncGenerator<Buffer> {
  let arrivedBytes = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    arrivedBytes += chunk.length;
    report((arrivedPercent * arrivedBytes) / sizeBytes);
    yield chunk;
  }
}
