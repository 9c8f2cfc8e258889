import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  type BlobClient,
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  type RestError,
  SASProtocol,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { refuseOutage } from './blob-failures.ts';
import { type BlobSnapshot, lookAt } from './blob-snapshot.ts';

export type Blobs = {
  account: string;
  container: string;
  /** A URL under which this one blob, and no other, may be created and written until then. */
  signUpload(name: string, expiresAt: Date): string;
  put(name: string, content: () => Readable, sizeBytes: number, contentType: string): Promise<void>;
  /** What lies there now, and reads of just that; nothing when nothing does. */
  look(name: string, signal: AbortSignal): Promise<BlobSnapshot | undefined>;
  /** All of it, as it was under this tag; undefined when it is gone. */
  download(name: string, etag: string, signal: AbortSignal): Promise<AsyncIterable<Buffer> | undefined>;
  /** Removes whatever lies under names that begin so. */
  removeAll(prefix: string): Promise<void>;
  /** Resolves when the container answers. */
  ask(): Promise<void>;
};

export type BlobSettings = {
  url: string;
  /** The address that callers see may differ from the one inside; the signature does not cover the host. */
  publicUrl: string;
  account: string;
  accountKey: string;
  container: string;
};

const askMillisMax = 2000;
const removeMillisMax = 8000;
const putStallMillisMax = 4000;
const downloadStallMillisMax = 20_000;

export function openBlobs(settings: BlobSettings): Blobs {
  const { account, container } = settings;
  const credential = new QuickCredential(account, settings.accountKey);
  const service = new BlobServiceClient(settings.url, credential, {
    retryOptions: { maxTries: 2, retryDelayInMs: 100, tryTimeoutInMs: 30_000 },
  });
  const client = service.getContainerClient(container);
  const protocol = settings.publicUrl.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp;
  const permissions = BlobSASPermissions.parse('cw');

  return {
    account,
    container,
    signUpload(name, expiresOn) {
      // No start time: a signer whose clock is ahead would hand out URLs that are refused at first.
      const signature = generateBlobSASQueryParameters(
        { containerName: container, blobName: name, permissions, expiresOn, protocol },
        credential,
      );
      return `${settings.publicUrl}/${container}/${name.split('/').map(encodeURIComponent).join('/')}?${signature}`;
    },
    async put(name, content, sizeBytes, contentType) {
      const stall = abortWhenStalled(putStallMillisMax);
      await client
        .getBlockBlobClient(name)
        .upload(content, sizeBytes, {
          blobHTTPHeaders: { blobContentType: contentType },
          abortSignal: stall.signal,
          onProgress: stall.moved,
        })
        .catch(refuseOutage)
        .finally(stall.end);
    },
    look: (name, signal) => lookAt(client.getBlobClient(name), signal),
    async download(name, etag, signal) {
      const blob = client.getBlobClient(name);
      const stall = abortWhenStalled(downloadStallMillisMax);
      const abortSignal = AbortSignal.any([signal, stall.signal]);
      try {
        const conditions = { ifMatch: etag };
        const answer = await blob.download(0, undefined, { conditions, abortSignal, onProgress: stall.moved });
        const body = answer.readableStreamBody as Readable;
        // Given up before anyone reads, it says so to nobody, and that would end the process. A reader hears it later.
        body.on('error', () => {});
        return bytesOf(body, stall.end);
      } catch (error) {
        stall.end();
        // Some servers say of a blob that is gone that the condition does not hold.
        const isGone =
          [404, 412].includes((error as RestError).statusCode ?? 0) && !(await blob.exists({ abortSignal }));
        return isGone ? undefined : refuseOutage(error as RestError);
      }
    },
    async removeAll(prefix) {
      const abortSignal = AbortSignal.timeout(removeMillisMax);
      try {
        for await (const { name } of client.listBlobsFlat({ prefix, abortSignal })) {
          await removeBlob(client.getBlobClient(name), abortSignal);
        }
      } catch (error) {
        refuseOutage(error as RestError);
      }
    },
    async ask() {
      await client.getProperties({ abortSignal: AbortSignal.timeout(askMillisMax) }).catch(refuseOutage);
    },
  };
}

/** Whoever may write a blob may also take snapshots of it and lease it, which would keep it for ever. */
async function removeBlob(blob: BlobClient, abortSignal: AbortSignal): Promise<void> {
  const remove = () => blob.deleteIfExists({ deleteSnapshots: 'include', abortSignal });
  try {
    await remove();
  } catch (error) {
    if ((error as RestError).code !== 'LeaseIdMissing') throw error;
    await blob.getBlobLeaseClient().breakLease(0, { abortSignal });
    await remove();
  }
}

// A connection may break in the middle as well as at the start.
async function* bytesOf(body: Readable, end: () => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    refuseOutage(error as RestError);
  } finally {
    end();
  }
}

// The library imports the account key anew for every signature, which costs five times the signature itself.
class QuickCredential extends StorageSharedKeyCredential {
  readonly #key: KeyObject;

  constructor(account: string, accountKey: string) {
    super(account, accountKey);
    this.#key = createSecretKey(accountKey, 'base64');
  }

  override computeHMACSHA256(text: string): string {
    return createHmac('sha256', this.#key).update(text, 'utf8').digest('base64');
  }
}

/** A large blob may take its time, but not stand still. What a second try transfers again is no progress. */
function abortWhenStalled(millis: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), millis);
  let mostBytes = 0;
  const moved = ({ loadedBytes }: { loadedBytes: number }) => {
    if (loadedBytes <= mostBytes) return;
    mostBytes = loadedBytes;
    timer.refresh();
  };
  return { signal: controller.signal, moved, end: () => clearTimeout(timer) };
}
