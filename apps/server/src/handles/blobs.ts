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
import { downloadBlob } from './blob-download.ts';
import { refuseOutage } from './blob-failures.ts';
import { type BlobSnapshot, lookAt } from './blob-snapshot.ts';

/** Where a blob is: each is read and removed where it was put, also after new ones go elsewhere. */
export type BlobPlace = { account: string; container: string };

export type Blobs = {
  /** Where new ones go. */
  home: BlobPlace;
  /** A URL under which this one blob, and no other, may be created and written until then. */
  signUpload(place: BlobPlace, name: string, expiresAt: Date): string;
  put(name: string, content: () => Readable, sizeBytes: number, contentType: string): Promise<void>;
  /** What lies there now, and reads of just that; nothing when nothing does. */
  look(place: BlobPlace, name: string, signal: AbortSignal): Promise<BlobSnapshot | undefined>;
  /** All of it, as it was under this tag; undefined when it is gone. */
  download(
    place: BlobPlace,
    name: string,
    etag: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer> | undefined>;
  /** Removes whatever lies under names that begin so. */
  removeAll(place: BlobPlace, prefix: string): Promise<void>;
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

export function openBlobs(settings: BlobSettings): Blobs {
  const { account } = settings;
  const credential = new QuickCredential(account, settings.accountKey);
  const service = new BlobServiceClient(settings.url, credential, {
    retryOptions: { maxTries: 2, retryDelayInMs: 100, tryTimeoutInMs: 30_000 },
  });
  const home = { account, container: settings.container };
  const clientOf = (place: BlobPlace) => {
    if (place.account === account) return service.getContainerClient(place.container);
    const cause = new Error(`the blob is in the account ${place.account}, which is not configured`);
    throw new Refusal('storage_unavailable', { internal: 'blobs', cause });
  };
  const client = clientOf(home);
  const protocol = settings.publicUrl.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp;
  const permissions = BlobSASPermissions.parse('cw');

  return {
    home,
    signUpload(place, name, expiresOn) {
      const { containerName: container } = clientOf(place);
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
    look: async (place, name, signal) => lookAt(clientOf(place).getBlobClient(name), signal),
    download: async (place, name, etag, signal) => downloadBlob(clientOf(place).getBlobClient(name), etag, signal),
    async removeAll(place, prefix) {
      const container = clientOf(place);
      const abortSignal = AbortSignal.timeout(removeMillisMax);
      try {
        for await (const { name } of container.listBlobsFlat({ prefix, abortSignal })) {
          await removeBlob(container.getBlobClient(name), abortSignal);
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
