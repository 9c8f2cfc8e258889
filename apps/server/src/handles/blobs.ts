import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Refusal } from '@assay/contract/refusals.ts';
import {
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
const putStallMillisMax = 4000;

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
    async ask() {
      await client.getProperties({ abortSignal: AbortSignal.timeout(askMillisMax) }).catch(refuseOutage);
    },
  };
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
  const isOutage = error.statusCode === undefined || error.statusCode >= 500;
  if (isOutage) throw new Refusal('storage_unavailable', { internal: 'blobs', cause: error });
  throw error;
}
