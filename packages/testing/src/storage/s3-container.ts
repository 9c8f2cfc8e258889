import type { Readable } from 'node:stream';
import type { Config } from '@assay/server/config/config.ts';
import { S3 } from '@aws-sdk/client-s3';
import type { ContainerClient } from '@azure/storage-blob';

/** A bucket with the methods of Azure's client that tests use. */
export function openBucket(config: Config): ContainerClient {
  const s3 = new S3({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY },
  });
  const bucket = { Bucket: config.S3_BUCKET };

  const blobAt = (Key: string) => {
    const at = { ...bucket, Key };
    const upload = (body: string | Buffer) => s3.putObject({ ...at, Body: body });
    const remove = () => s3.deleteObject(at);
    return {
      upload,
      uploadStream: async (stream: Readable) => upload(Buffer.concat(await stream.toArray())),
      exists: () => s3.headObject(at).then(() => true, isMissing),
      delete: remove,
      deleteIfExists: remove,
      getProperties: async () => ({ contentType: (await s3.headObject(at)).ContentType }),
      download: async () => {
        const { ContentType: contentType, Body } = await s3.getObject(at);
        return { contentType, readableStreamBody: Body as Readable };
      },
      downloadToBuffer: async () => Buffer.concat(await ((await s3.getObject(at)).Body as Readable).toArray()),
    };
  };
  async function* listBlobsFlat({ prefix = '', includeUncommitedBlobs = false } = {}) {
    let next: string | undefined;
    do {
      const page = await s3.listObjectsV2({ ...bucket, Prefix: prefix, ...(next && { ContinuationToken: next }) });
      for (const { Key } of page.Contents ?? []) yield { name: Key as string };
      next = page.NextContinuationToken;
    } while (next);
    if (!includeUncommitedBlobs) return;
    const { Uploads = [] } = await s3.listMultipartUploads({ ...bucket, Prefix: prefix });
    for (const { Key } of Uploads) yield { name: Key as string };
  }
  // Objects are deleted first, because only an empty bucket can be deleted.
  const remove = async () => {
    for await (const { name } of listBlobsFlat()) await blobAt(name).delete();
    await s3.deleteBucket(bucket);
  };
  const container = {
    create: () => s3.createBucket(bucket),
    delete: remove,
    deleteIfExists: () => remove().catch((error) => error.name !== 'NoSuchBucket' && Promise.reject(error)),
    getBlobClient: blobAt,
    getBlockBlobClient: blobAt,
    listBlobsFlat,
  };
  return container as unknown as ContainerClient;
}

function isMissing(error: { name: string }): boolean {
  if (error.name === 'NotFound') return false;
  throw error;
}
