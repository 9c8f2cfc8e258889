import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand, S3, type S3ServiceException, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type Backend, type PutWatch, type StoredBlob, toRangeResponse } from '../backend.ts';
import { type FailureKind, failureKindOf, isOutageStatus, StorageFailure } from '../blob-failures.ts';
import { putNewS3 } from './put-new-s3.ts';
import { openS3Credentials } from './s3-credentials.ts';
import { abortAll, createS3Parts } from './s3-parts.ts';
import type { S3Settings } from './settings.ts';
import { openPartSigner } from './sign-parts.ts';

const triesMax = 2;
const retryMillis = 100;
const tryMillisMax = 30_000;
/** URLs are backdated, so that storage accepts them at once even if our clock is ahead. */
const backdatedSeconds = 3600 + 15 * 60;
const segmentBytesMax = 255;

/** Amazon S3, or another store with its protocol. */
export function openS3(settings: S3Settings): Backend {
  const s3 = openClient(settings, settings.endpoint);
  const provider = s3.config.credentials; // both clients use the same temporary credentials
  const publicS3 = settings.publicEndpoint ? openClient(settings, settings.publicEndpoint, provider) : s3;
  const credentials = openS3Credentials(provider, settings.credentials !== undefined);

  return {
    blobAt: (container, name) => {
      const at = { Bucket: container, Key: keyOf(name) };
      const blob = openBlob(s3, at);
      const storedParts = createS3Parts(s3, at, throwStorageFailure);
      return {
        ...blob,
        async measure(uploadId, signal) {
          const parts = uploadId === null ? undefined : await storedParts.list(uploadId, signal);
          const fileBytes = (await blob.head(signal))?.sizeBytes ?? null;
          return { fileBytes, otherBytes: (parts ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
        },
        signPut: (expiresAt, sizeBytes) =>
          sign(publicS3, new PutObjectCommand({ ...at, ContentLength: sizeBytes }), expiresAt),
        parts: {
          ...storedParts,
          async openSigner(UploadId, expiresAt) {
            const { secretAccessKey } = await provider().catch(throwStorageFailure);
            const signByLibrary = (PartNumber: number) =>
              sign(publicS3, new UploadPartCommand({ ...at, UploadId, PartNumber }), expiresAt);
            return openPartSigner(signByLibrary, secretAccessKey);
          },
        },
      };
    },
    putHeaders: {},
    removeUnfinished: (container, prefix, signal) =>
      abortAll(s3, container, keyOf(prefix), signal).catch(throwStorageFailure),
    async *list(container, prefix, abortSignal) {
      let next: string | undefined;
      do {
        const request = { Bucket: container, Prefix: keyOf(prefix), ...(next && { ContinuationToken: next }) };
        const page = await s3.listObjectsV2(request, { abortSignal }).catch(throwStorageFailure);
        for (const { Key } of page.Contents ?? []) yield Key as string;
        next = page.NextContinuationToken;
      } while (next);
    },
    async keepsDeleted(container, name, abortSignal) {
      const at = { Bucket: container, Key: keyOf(name) };
      const { VersionId } = await s3.headObject(at, { abortSignal }).catch(throwStorageFailure);
      if (VersionId !== undefined) return 'versioning';
      // Some servers send no version ID while versioning is suspended, which keeps the old versions. AWS sends one, so
      // credentials that may not read this setting are enough there.
      const { Status } = await s3
        .getBucketVersioning({ Bucket: container }, { abortSignal })
        .catch(() => ({ Status: undefined }));
      return Status === undefined ? undefined : 'versioning';
    },
    async checkContainer(container, abortSignal) {
      await s3.headBucket({ Bucket: container }, { abortSignal }).catch(throwStorageFailure);
    },
    latestExpiry: (wanted) => credentials.latestExpiry(wanted).catch(throwStorageFailure),
    describeCredentials: credentials.describe,
  };
}

const ignore = () => {};
// The SDK would write to the console. Our own log contains failures with their causes.
const silentLogger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

function openClient(settings: S3Settings, endpoint: string | undefined, provider?: S3['config']['credentials']): S3 {
  const credentials = provider ?? settings.credentials;
  return new S3({
    region: settings.region,
    forcePathStyle: settings.isPathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    logger: silentLogger,
    maxAttempts: triesMax,
    // Otherwise the checksum of an empty body becomes part of presigned URLs.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Some proxies ignore the Expect header, which would delay every upload by seconds.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: tryMillisMax,
      requestTimeout: tryMillisMax,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
    },
  });
}

type SignedCommand = PutObjectCommand | UploadPartCommand;

function sign(s3: S3, command: SignedCommand, expiresAt: Date): Promise<string> {
  const signingDate = new Date(expiresAt.getTime() - backdatedSeconds * 1000);
  return getSignedUrl(s3, command as PutObjectCommand, { signingDate, expiresIn: backdatedSeconds });
}

/**
 * S3 accepts keys of 1,024 bytes, but many servers store a key as a file, and a file name can have 255 bytes. So the
 * last segment is cut to that length. It begins with the id of the blob, so that keys stay unique.
 */
export function keyOf(name: string): string {
  const start = name.lastIndexOf('/') + 1;
  const segment = Buffer.from(name.slice(start));
  if (segment.length <= segmentBytesMax) return name;
  // If the cut splits a character, the text ends with U+FFFD.
  const kept = segment
    .subarray(0, segmentBytesMax)
    .toString()
    .replace(/\ufffd$/u, '');
  return name.slice(0, start) + kept;
}

function openBlob(s3: S3, at: { Bucket: string; Key: string }): Omit<StoredBlob, 'signPut' | 'parts' | 'measure'> {
  return {
    async readRange(range, abortSignal) {
      const { offset, length, ifMatch } = range;
      const request = { ...at, Range: `bytes=${offset}-${offset + length - 1}`, ...(ifMatch && { IfMatch: ifMatch }) };
      const response = await s3.getObject(request, { abortSignal }).catch(throwStorageFailure);
      const { ETag: etag = '', ContentRange: contentRange, ContentLength: contentLength } = response;
      return toRangeResponse(response.Body as Readable, { etag, contentRange, contentLength }, range);
    },
    async head(abortSignal) {
      try {
        const { ETag: etag = '', ContentLength: sizeBytes = 0 } = await s3.headObject(at, { abortSignal });
        return { etag, sizeBytes };
      } catch (error) {
        // The response to HEAD has no error code, so the bucket may be missing instead of the blob.
        return (error as S3ServiceException).name === 'NotFound' ? undefined : throwStorageFailure(error);
      }
    },
    async put(content, sizeBytes, contentType, watch) {
      const request = { ...at, ContentLength: sizeBytes, ContentType: contentType };
      // The SDK does not retry requests whose body is a stream.
      for (let tries = 1; ; tries++) {
        const body = countBytes(content(), watch);
        try {
          await s3.putObject({ ...request, Body: body }, { abortSignal: watch.signal }).catch(throwStorageFailure);
          return;
        } catch (error) {
          const isTransient = failureKindOf(error) === 'unavailable' && !watch.signal.aborted;
          if (!isTransient || tries === triesMax) throw error;
          await sleep(retryMillis);
        } finally {
          body.destroy();
        }
      }
    },
    async putNew(content, signal) {
      try {
        await putNewS3(s3, at, content, signal);
        return true;
      } catch (error) {
        return kindOf(error) === 'changed' ? false : throwStorageFailure(error);
      }
    },
    async remove(abortSignal) {
      await s3.deleteObject(at, { abortSignal }).catch(throwStorageFailure);
    },
  };
}

function countBytes(content: Readable, { moved }: PutWatch): Readable {
  async function* counted() {
    let sentBytes = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      yield chunk;
      sentBytes += chunk.length;
      moved(sentBytes);
    }
  }
  // If the content cannot be read, no more bytes are sent and the request is aborted as stalled.
  return Readable.from(counted(), { objectMode: false }).on('error', () => {});
}

function throwStorageFailure(error: unknown): never {
  throw new StorageFailure(kindOf(error), error);
}

/** Errors about credentials with the status 400. */
const credentialErrors = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'];

function kindOf(error: unknown): FailureKind {
  const { name, $metadata } = error as S3ServiceException;
  const status = $metadata?.httpStatusCode;
  if (name === 'InvalidObjectState') return 'archived';
  if (name === 'NoSuchKey' || name === 'NoSuchUpload') return 'missing';
  if (status === 412 || name === 'InvalidPart') return 'changed';
  if (status === 416) return 'empty';
  // Any other 404 concerns the bucket or a proxy, and does not mean that the blob is missing.
  const isOutage = status === undefined || status === 404 || isOutageStatus(status);
  if (isOutage || name === 'RequestTimeout') return 'unavailable';
  return status === 401 || status === 403 || credentialErrors.includes(name) ? 'rejected' : 'refused';
}
