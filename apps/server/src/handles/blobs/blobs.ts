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
import { type BlobSnapshot, openSnapshot } from './blob-snapshot.ts';

/** Where a blob is stored. It stays there when the configured account or container changes. */
export type BlobLocation = { account: string; container: string };

export type Blobs = {
  /** Where new blobs are stored. */
  home: BlobLocation;
  /** A URL that allows to create and write this blob alone until it expires. */
  signUpload(location: BlobLocation, name: string, expiresAt: Date): string;
  put(name: string, content: () => Readable, sizeBytes: number, contentType: string): Promise<void>;
  /** Opens the current state of a blob; undefined when there is no blob. */
  openSnapshot(location: BlobLocation, name: string, signal: AbortSignal): Promise<BlobSnapshot | undefined>;
  /** The whole content in the state of this ETag; undefined when the blob no longer exists. */
  download(
    location: BlobLocation,
    name: string,
    etag: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Buffer> | undefined>;
  /** Deletes every blob whose name has this prefix. */
  removeAll(location: BlobLocation, prefix: string): Promise<void>;
  /** Resolves when the container responds. */
  checkHealth(): Promise<void>;
};

export type BlobSettings = {
  url: string;
  /** The host that callers use may differ from the internal one; the signature does not cover the host. */
  publicUrl: string;
  account: string;
  accountKey: string;
  container: string;
};

const healthMillisMax = 2000;
const removeMillisMax = 8000;
const putStallMillisMax = 4000;

export function openBlobs(settings: BlobSettings): Blobs {
  const { account } = settings;
  const credential = new QuickCredential(account, settings.accountKey);
  const service = new BlobServiceClient(settings.url, credential, {
    retryOptions: { maxTries: 2, retryDelayInMs: 100, tryTimeoutInMs: 30_000 },
  });
  const home = { account, container: settings.container };
  const clientOf = (location: BlobLocation) => {
    if (location.account === account) return service.getContainerClient(location.container);
    const cause = new Error(`the blob is in the account ${location.account}, which is not configured`);
    throw new Refusal('storage_unavailable', { internal: 'blobs', cause });
  };
  const client = clientOf(home);
  const protocol = settings.publicUrl.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp;
  const permissions = BlobSASPermissions.parse('cw');

  return {
    home,
    signUpload(location, name, expiresOn) {
      const { containerName: container } = clientOf(location);
      // No start time: if our clock is ahead, storage would refuse the URL at first.
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
    openSnapshot: async (location, name, signal) => openSnapshot(clientOf(location).getBlobClient(name), signal),
    download: async (location, name, etag, signal) =>
      downloadBlob(clientOf(location).getBlobClient(name), etag, signal),
    async removeAll(location, prefix) {
      const container = clientOf(location);
      const abortSignal = AbortSignal.timeout(removeMillisMax);
      try {
        for await (const { name } of container.listBlobsFlat({ prefix, abortSignal })) {
          await removeBlob(container.getBlobClient(name), abortSignal);
        }
      } catch (error) {
        refuseOutage(error as RestError);
      }
    },
    async checkHealth() {
      await client.getProperties({ abortSignal: AbortSignal.timeout(healthMillisMax) }).catch(refuseOutage);
    },
  };
}

/** Whoever can write a blob can also create snapshots and leases of it, which would prevent its deletion. */
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

// The library imports the account key again for every signature, which takes five times as long as signing.
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

/** A large blob may take long, but must make progress. Bytes that a retry sends again do not count. */
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
