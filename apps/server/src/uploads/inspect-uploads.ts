import { assetBytesMax } from '@assay/contract/limits.ts';
import { type MediaType, mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { type FieldError, Refusal, type RefusalCode } from '@assay/contract/refusals.ts';
import { BlobArchived, BlobChanged } from '../handles/blob-failures.ts';
import type { BlobSnapshot } from '../handles/blob-snapshot.ts';
import type { BlobPlace, Blobs } from '../handles/blobs.ts';
import { type BlobPath, formatBlobPath } from './blob-path.ts';
import { requireBytesOf } from './require-bytes-of.ts';

type LocatedPath = BlobPath & BlobPlace;

/** What was really uploaded: the tag pins the very bytes that were looked at. */
export type Upload = { media: MediaType; etag: string; sizeBytes: number };

const lookedAtOnceMax = 8;
const looksMax = 3;
/** For all of them together. */
const inspectMillisMax = 20_000;

/** §4.3: 422 where nothing lies yet, 413 over the cap of a category, 415 where the bytes are not what they say. */
export async function inspectUploads(blobs: Blobs, paths: LocatedPath[], pointers: string[]): Promise<Upload[]> {
  const media = paths.map(({ filename }) => mediaTypeOfFilename(filename));
  refuseEach('content_type_not_allowed', pointers, media, (one) => one !== undefined);
  const signal = AbortSignal.timeout(inspectMillisMax);
  for (let look = 1; ; look++) {
    try {
      return await inspectOnce(
        (path) => blobs.look(path, formatBlobPath(path), signal),
        paths,
        media as MediaType[],
        pointers,
      );
    } catch (error) {
      // Overwritten while we looked: the upload still goes on, or there is a new one.
      if (!(error instanceof BlobChanged)) throw error;
      if (look === looksMax) throw new Refusal('blob_not_uploaded', { cause: error });
    }
  }
}

async function inspectOnce(
  look: (path: LocatedPath) => Promise<BlobSnapshot | undefined>,
  paths: LocatedPath[],
  media: MediaType[],
  pointers: string[],
): Promise<Upload[]> {
  const snapshots = await inTurns(paths, (path) => look(path).catch(unlessArchived));
  refuseEach('blob_archived', pointers, snapshots, (snapshot) => snapshot !== 'archived');
  refuseEach('blob_not_uploaded', pointers, snapshots, (snapshot) => snapshot !== undefined);
  const present = snapshots as BlobSnapshot[];
  refuseEach(
    'asset_too_large',
    pointers,
    present,
    ({ sizeBytes }, i) => sizeBytes <= assetBytesMax[(media[i] as MediaType).category],
  );
  return inTurns(present, async (snapshot, i) => {
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
  isFine: (item: Item, i: number) => boolean,
): void {
  const errors = items.flatMap((item, i) => (isFine(item, i) ? [] : [fieldError(code, pointers[i])]));
  if (errors.length > 0) throw new Refusal(code, { errors });
}

function fieldError(code: RefusalCode, pointer = ''): FieldError {
  return { pointer, code, detail: 'This is the asset that is meant.' };
}

/** All of them, a few at a time, in their order. */
async function inTurns<Item, Result>(
  items: Item[],
  work: (item: Item, i: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let begin = 0; begin < items.length; begin += lookedAtOnceMax) {
    const turn = items.slice(begin, begin + lookedAtOnceMax);
    results.push(...(await Promise.all(turn.map((item, i) => work(item, begin + i)))));
  }
  return results;
}
