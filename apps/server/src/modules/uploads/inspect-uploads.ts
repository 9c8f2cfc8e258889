import { assetBytesMax } from '@assay/contract/limits.ts';
import { type MediaType, mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { Refusal, type RefusalCode } from '@assay/contract/refusals.ts';
import { describeTooLarge } from '@assay/contract/size-text.ts';
import { runForEach } from '#platform/mechanisms/semaphore.ts';
import { BlobArchived, BlobChanged } from '#platform/storage/blob-failures.ts';
import type { BlobSnapshot } from '#platform/storage/blob-snapshot.ts';
import type { BlobLocation, Blobs } from '#platform/storage/blobs.ts';
import { type BlobPath, formatBlobPath } from './blob-path.ts';
import { requireBytesOf } from './require-bytes-of.ts';

type LocatedPath = BlobPath & BlobLocation & { declaredBytes: number | null };

/** An inspected upload; the ETag pins the bytes that were inspected. */
export type Upload = { media: MediaType; etag: string; sizeBytes: number };

const openedAtOnceMax = 8;
const triesMax = 3;
/** The time limit for all uploads of a submission together. */
const uploadsMillisMax = 20_000;

/**
 * §4.3: 422 if nothing was uploaded, or a file of a different size; 413 above the size limit of the category; 415 if
 * the content has a different type.
 */
export async function inspectUploads(
  blobs: Blobs,
  paths: LocatedPath[],
  pointers: string[],
  millisMax = uploadsMillisMax,
): Promise<Upload[]> {
  const media = paths.map(({ filename }) => mediaTypeOfFilename(filename));
  refuseEach('content_type_not_allowed', pointers, media, (one, i) =>
    one ? undefined : `The file type of ${paths[i]?.filename} is not accepted.`,
  );
  const signal = AbortSignal.timeout(millisMax);
  for (let tries = 1; ; tries++) {
    try {
      return await inspectOnce(
        (path) => blobs.openSnapshot(path, formatBlobPath(path), signal),
        paths,
        media as MediaType[],
        pointers,
      );
    } catch (error) {
      // A file was overwritten while it was read: its upload is unfinished, or a new one has started.
      if (!(error instanceof BlobChanged)) throw error;
      if (tries === triesMax) throw new Refusal('blob_not_uploaded', { cause: error });
    }
  }
}

async function inspectOnce(
  openSnapshot: (path: LocatedPath) => Promise<BlobSnapshot | undefined>,
  paths: LocatedPath[],
  media: MediaType[],
  pointers: string[],
): Promise<Upload[]> {
  const snapshots = await runForEach(paths, openedAtOnceMax, (path) => openSnapshot(path).catch(unlessArchived));
  refuseEach('blob_archived', pointers, snapshots, (snapshot, i) =>
    snapshot === 'archived' ? `${paths[i]?.filename} is in the archive tier. Upload it again.` : undefined,
  );
  refuseEach('blob_not_uploaded', pointers, snapshots, (snapshot, i) =>
    snapshot ? undefined : `${paths[i]?.filename} is not uploaded.`,
  );
  const present = snapshots as BlobSnapshot[];
  refuseEach('size_mismatch', pointers, present, ({ sizeBytes }, i) => {
    const { filename, declaredBytes } = paths[i] as LocatedPath;
    if (declaredBytes === null || declaredBytes === sizeBytes) return undefined;
    return `${filename} was declared with ${declaredBytes} bytes, but ${sizeBytes} are stored.`;
  });
  refuseEach('asset_too_large', pointers, present, ({ sizeBytes }, i) => {
    const { category } = media[i] as MediaType;
    return sizeBytes > assetBytesMax[category] ? describeTooLarge(category, sizeBytes) : undefined;
  });
  return runForEach(present, openedAtOnceMax, async (snapshot, i) => {
    const { etag, sizeBytes } = snapshot;
    const declared = { media: media[i] as MediaType, filename: (paths[i] as LocatedPath).filename };
    await requireBytesOf({ ...declared, pointer: pointers[i] as string }, snapshot);
    return { media: declared.media, etag, sizeBytes };
  });
}

function unlessArchived(error: unknown): 'archived' {
  if (error instanceof BlobArchived) return 'archived';
  throw error;
}

function refuseEach<Item>(
  code: RefusalCode,
  pointers: string[],
  items: Item[],
  faultOf: (item: Item, i: number) => string | undefined,
): void {
  const errors = items.flatMap((item, i) => {
    const detail = faultOf(item, i);
    return detail === undefined ? [] : [{ pointer: pointers[i] ?? '', code, detail }];
  });
  if (errors.length > 0) throw new Refusal(code, { errors });
}
