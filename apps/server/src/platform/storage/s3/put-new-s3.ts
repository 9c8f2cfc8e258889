import type { S3 } from '@aws-sdk/client-s3';
import { isOnePart, type NewBlob } from '../backend.ts';
import { abortAll } from './s3-parts.ts';

type ObjectAddress = { Bucket: string; Key: string };
const unlessExists = { IfNoneMatch: '*' };

/** Fails with the library's 412 error if the blob already exists. */
export async function putNewS3(s3: S3, at: ObjectAddress, content: NewBlob, abortSignal: AbortSignal): Promise<void> {
  const { parts, contentType: ContentType } = content;
  if (isOnePart(content)) {
    const Body = Buffer.concat(await Array.fromAsync(parts));
    await s3.putObject({ ...at, ...unlessExists, Body, ContentType }, { abortSignal });
    return;
  }
  // A process that was killed may have left unfinished uploads, whose parts would stay for ever.
  await abortAll(s3, at.Bucket, at.Key, abortSignal);
  const { UploadId } = await s3.createMultipartUpload({ ...at, ContentType }, { abortSignal });
  const upload = { ...at, UploadId };
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for await (const Body of parts) {
      const PartNumber = Parts.length + 1;
      const { ETag } = await s3.uploadPart({ ...upload, PartNumber, Body }, { abortSignal });
      Parts.push({ PartNumber, ETag });
    }
    await s3.completeMultipartUpload({ ...upload, ...unlessExists, MultipartUpload: { Parts } }, { abortSignal });
  } catch (error) {
    await s3.abortMultipartUpload(upload).catch(() => {}); // the next try aborts it
    throw error;
  }
}
