import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Refusal } from '@assay/contract/refusals.ts';
import {
  type BlobClient,
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  type RestError,
  SASProtocol,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';

export type Blobs = {
  account: string;
  container: string;
  /** A URL under which this one blob, and no other, may be created and written until then. */
  signUpload(name: string, expiresAt: Date): string;
  put(name: string, content: () => Readable, sizeBytes: number, contentType: string): Promise<void>;
  /** What lies there now, and reads of just that; nothing when nothing does. */
  look(name: string): Promise<BlobSnapshot | undefined>;
  /** All of it, as it was under this tag; undefined when it is gone. */
  download(name: string, etag: string, signal: AbortSignal): Promise<Readable | undefined>;
  /** Resolves when the container answers. */
  ask(): Promise<void>;
};

/** A blob in one state: reads fail with `BlobChanged` once it is in another. */
export type BlobSnapshot = {
  etag: string;
  sizeBytes: number;
  read(target: Uint8Array, offset: number): Promise<number>;
};

export class BlobChanged extends Error {
  override readonly name = 'BlobChanged';
}

export type BlobSettings = {
  url: string;
  /** The address that callers see may differ from the one inside; the signature does not cover the host. */
  publicUrl: string;
  account: string;
  accountKey: string;
  container: string;
};

const askMillisMax = 2000;
const readMillisMax = 3000;
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
    look: (name) => lookAt(client.getBlobClient(name)),
    async download(name, etag, signal) {
      const blob = client.getBlobClient(name);
      const stall = abortWhenStalled(downloadStallMillisMax);
      const abortSignal = AbortSignal.any([signal, stall.signal]);
      try {
        const conditions = { ifMatch: etag };
        const answer = await blob.download(0, undefined, { conditions, abortSignal, onProgress: stall.moved });
        return (answer.readableStreamBody as Readable).once('close', stall.end);
      } catch (error) {
        stall.end();
        // Some servers say of a blob that is gone that the condition does not hold.
        const isGone =
          [404, 412].includes((error as RestError).statusCode ?? 0) && !(await blob.exists({ abortSignal }));
        return isGone ? undefined : refuseOutage(error as RestError);
      }
    },
    async ask() {
      await client.getProperties({ abortSignal: AbortSignal.timeout(askMillisMax) }).catch(refuseOutage);
    },
  };
}

const chunkBytes = 64 * 1024;
const chunksMax = 32;

// One ranged read tells tag and size beside the first bytes, which a HEAD before it would only tell a second time.
async function lookAt(blob: BlobClient): Promise<BlobSnapshot | undefined> {
  const first = await readChunk(blob, 0).catch(unlessEmpty).catch(unlessMissing);
  if (first === undefined) return undefined;
  if (first === 'empty') {
    const { etag = '' } = await blob
      .getProperties({ abortSignal: AbortSignal.timeout(readMillisMax) })
      .catch(refuseOutage);
    return { etag, sizeBytes: 0, read: async () => 0 };
  }
  const { etag, sizeBytes } = first;
  const chunks = new Map([[0, Promise.resolve(first)]]);
  const chunkAt = (index: number) => {
    if (!chunks.has(index)) {
      if (chunks.size >= chunksMax) chunks.clear();
      chunks.set(index, readChunk(blob, index, etag));
    }
    return chunks.get(index) as Promise<Chunk>;
  };
  return {
    etag,
    sizeBytes,
    async read(target, offset) {
      let filled = 0;
      while (filled < target.length && offset + filled < sizeBytes) {
        const position = offset + filled;
        const { bytes } = await chunkAt(Math.floor(position / chunkBytes));
        const piece = bytes.subarray(position % chunkBytes, (position % chunkBytes) + target.length - filled);
        target.set(piece, filled);
        filled += piece.length;
      }
      return filled;
    },
  };
}

type Chunk = { bytes: Buffer; etag: string; sizeBytes: number };

async function readChunk(blob: BlobClient, index: number, ifMatch?: string): Promise<Chunk> {
  const abortSignal = AbortSignal.timeout(readMillisMax);
  const conditions = ifMatch === undefined ? {} : { conditions: { ifMatch } };
  try {
    const answer = await blob.download(index * chunkBytes, chunkBytes, { ...conditions, abortSignal });
    const pieces = await (answer.readableStreamBody as Readable).toArray();
    const sizeBytes = Number(answer.contentRange?.split('/')[1] ?? answer.contentLength);
    return { bytes: Buffer.concat(pieces), etag: answer.etag as string, sizeBytes };
  } catch (error) {
    return refuseOutage(error as RestError);
  }
}

function unlessEmpty(error: RestError): 'empty' {
  if (error.statusCode === 416) return 'empty'; // no range of an empty blob can be read
  throw error;
}

function unlessMissing(error: RestError): undefined {
  if (error.statusCode !== 404) throw error;
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

/** A large upload may take its time, but not stand still. */
function abortWhenStalled(millis: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), millis);
  return { signal: controller.signal, moved: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

function refuseOutage(error: RestError): never {
  if (error.statusCode === 412) throw new BlobChanged('the blob is in another state', { cause: error });
  const isOutage = error.statusCode === undefined || error.statusCode >= 500;
  if (isOutage) throw new Refusal('storage_unavailable', { internal: 'blobs', cause: error });
  throw error;
}
