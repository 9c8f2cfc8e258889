import type { ListMultipartUploadsCommandInput, S3 } from '@aws-sdk/client-s3';
import { completeMillisMax, type StoredPart, type StoredParts } from '../backend.ts';
import { failureKindOf } from '../blob-failures.ts';

export function createS3Parts(
  s3: S3,
  at: { Bucket: string; Key: string },
  fail: (error: unknown) => never,
): Omit<StoredParts, 'openSigner'> {
  return {
    async open(contentType, abortSignal) {
      const { UploadId } = await s3
        .createMultipartUpload({ ...at, ContentType: contentType }, { abortSignal })
        .catch(fail);
      return UploadId as string;
    },
    async list(UploadId, abortSignal) {
      const parts: StoredPart[] = [];
      let next: string | undefined;
      try {
        do {
          const request = { ...at, UploadId, ...(next && { PartNumberMarker: next }) };
          const page = await s3.listParts(request, { abortSignal }).catch(fail);
          for (const { PartNumber, Size, ETag } of page.Parts ?? []) {
            parts.push({ partNumber: PartNumber as number, sizeBytes: Size as number, etag: ETag });
          }
          next = page.IsTruncated ? page.NextPartNumberMarker : undefined;
        } while (next);
      } catch (error) {
        if (failureKindOf(error) === 'missing') return undefined;
        throw error;
      }
      return parts;
    },
    async complete(UploadId, parts, _, abortSignal) {
      const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }));
      await s3
        .completeMultipartUpload(
          { ...at, UploadId, MultipartUpload: { Parts } },
          { abortSignal, requestTimeout: completeMillisMax },
        )
        .catch(fail);
    },
    abort: (uploadId, signal) => abortOne(s3, at, uploadId, signal).catch(fail),
  };
}

/** Aborts every unfinished upload with this prefix. */
export async function abortAll(s3: S3, container: string, prefix: string, abortSignal: AbortSignal): Promise<void> {
  let from: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> | undefined = {};
  while (from) {
    const request: ListMultipartUploadsCommandInput = { Bucket: container, Prefix: prefix, ...from };
    const page = await s3.listMultipartUploads(request, { abortSignal });
    for (const { Key, UploadId } of page.Uploads ?? []) {
      await abortOne(s3, { Bucket: container, Key: Key as string }, UploadId as string, abortSignal);
    }
    from = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
}

async function abortOne(
  s3: S3,
  at: { Bucket: string; Key: string },
  UploadId: string,
  abortSignal: AbortSignal,
): Promise<void> {
  await s3.abortMultipartUpload({ ...at, UploadId }, { abortSignal }).catch((error) => {
    if (error.name !== 'NoSuchUpload') throw error; // NoSuchUpload: it has ended meanwhile
  });
}
