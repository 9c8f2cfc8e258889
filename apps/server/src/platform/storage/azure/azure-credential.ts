import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { TokenCredential } from '@azure/identity';
import {
  type BlobServiceClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
  type UserDelegationKey,
} from '@azure/storage-blob';
import type { AzureSettings } from './settings.ts';

type SignedBlob = Parameters<typeof generateBlobSASQueryParameters>[0];

export type AzureCredential = {
  forClient: StorageSharedKeyCredential | TokenCredential;
  /** The source of the credential, for the log. */
  describe(): Promise<string>;
  openSigner(service: BlobServiceClient): AzureSigner;
};

export type AzureSigner = {
  sign(blob: SignedBlob): Promise<{ toString(): string }>;
  /** The latest time, at most the wanted one, at which the signing key is still valid. */
  latestExpiry(wanted: Date): Promise<Date>;
};

const storageScope = 'https://storage.azure.com/.default';
const keyLifetimeMillis = 24 * 3_600_000;
/** The key is renewed this long before it expires, so that uploads survive an outage of the identity service. */
const keyRenewalMillis = 12 * 3_600_000;
/** Keys are backdated, so that storage accepts them at once even if our clock is ahead. */
const backdatedMillis = 15 * 60_000;
/** Time limit of a request for a token or a key. */
const identityMillisMax = 5000;

/** Uses the account key, or the identity that Azure's library finds in its environment. */
export async function openAzureCredential({ account, accountKey }: AzureSettings): Promise<AzureCredential> {
  return accountKey ? openSharedKey(account, accountKey) : openIdentity(account);
}

function openSharedKey(account: string, accountKey: string): AzureCredential {
  const credential = new CachedKeyCredential(account, accountKey);
  return {
    forClient: credential,
    describe: async () => 'BLOB_ACCOUNT_KEY',
    openSigner: () => ({
      sign: async (blob) => generateBlobSASQueryParameters(blob, credential),
      latestExpiry: async (wanted) => wanted,
    }),
  };
}

/** The public interface of the library does not say which of its credentials was used. */
type CredentialChain = { getTokenInternal?(scope: string): Promise<{ successfulCredential: object }> };

// Imported only when it is needed: the library takes 12 MB of memory.
async function openIdentity(account: string): Promise<AzureCredential> {
  const { DefaultAzureCredential } = await import('@azure/identity');
  const credential = new DefaultAzureCredential();
  return {
    forClient: {
      getToken: (scopes, options = {}) => withTimeout(options.abortSignal, credential.getToken(scopes, options)),
    },
    async describe() {
      const used = await (credential as unknown as CredentialChain).getTokenInternal?.(storageScope);
      return used?.successfulCredential.constructor.name ?? 'DefaultAzureCredential';
    },
    openSigner(service) {
      const currentKey = keepDelegationKey(service);
      return {
        sign: async (blob) => generateBlobSASQueryParameters(blob, await currentKey(), account),
        async latestExpiry(wanted) {
          const { signedExpiresOn } = await currentKey();
          return new Date(Math.min(signedExpiresOn.getTime(), wanted.getTime()));
        },
      };
    },
  };
}

/** The library retries for longer than our callers wait, and does not stop when it is aborted. */
async function withTimeout<T>(given: { aborted: boolean } | undefined, work: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(identityMillisMax);
  const signal = given instanceof AbortSignal ? AbortSignal.any([timeout, given]) : timeout;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new Error('no token was issued in time'));
  signal.addEventListener('abort', abort);
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** One key signs all URLs. The current key stays in use while it is renewed. */
function keepDelegationKey(service: BlobServiceClient): () => Promise<UserDelegationKey> {
  let key: UserDelegationKey | undefined;
  let renewal: Promise<UserDelegationKey> | undefined;
  const renew = async () => {
    const from = new Date(Date.now() - backdatedMillis);
    const until = new Date(Date.now() + keyLifetimeMillis);
    const abortSignal = AbortSignal.timeout(identityMillisMax);
    key = await service.getUserDelegationKey(from, until, { abortSignal });
    return key;
  };
  return async () => {
    const leftMillis = key ? key.signedExpiresOn.getTime() - Date.now() : 0;
    if (leftMillis < keyRenewalMillis) {
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
    }
    if (!key || leftMillis <= 0) return renewal as Promise<UserDelegationKey>;
    renewal?.catch(() => {}); // the next call tries again
    return key;
  };
}

// The library imports the account key again for every signature, which takes five times as long as signing.
class CachedKeyCredential extends StorageSharedKeyCredential {
  readonly #key: KeyObject;

  constructor(account: string, accountKey: string) {
    super(account, accountKey);
    this.#key = createSecretKey(accountKey, 'base64');
  }

  override computeHMACSHA256(text: string): string {
    return createHmac('sha256', this.#key).update(text, 'utf8').digest('base64');
  }
}
