import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from '#platform/mechanisms/key-ring.ts';

const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets for the database. Each is bound to its subscription and cannot be opened for another. */
export type Seal = {
  close(subscriptionId: string, secret: string): Buffer;
  /** Tries every key of the key ring. */
  open(subscriptionId: string, sealed: Buffer): string;
  /** Whether the secret is sealed with the first key, which seals every new secret. */
  isCurrent(subscriptionId: string, sealed: Buffer): boolean;
};

/** Each key of the key ring has 32 bytes in base64. */
export function createSeal(ring: KeyRing): Seal {
  const keys = ring.map((key) => Buffer.from(key, 'base64'));
  const [current] = keys as [Buffer];
  return {
    close(subscriptionId, secret) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipherName, current, iv).setAAD(Buffer.from(subscriptionId));
      const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), text]);
    },
    open(subscriptionId, sealed) {
      for (const key of keys) {
        const secret = openWithKey(key, subscriptionId, sealed);
        if (secret !== undefined) return secret;
      }
      throw new Error('a webhook secret is sealed with a key that is not in WEBHOOK_SECRETS_KEY, or was moved');
    },
    isCurrent: (subscriptionId, sealed) => openWithKey(current, subscriptionId, sealed) !== undefined,
  };
}

/** Returns undefined for a wrong key, which the cipher detects because it authenticates its data. */
function openWithKey(key: Buffer, subscriptionId: string, sealed: Buffer): string | undefined {
  try {
    const opening = createDecipheriv(cipherName, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
    opening.setAAD(Buffer.from(subscriptionId)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return opening.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return undefined;
  }
}

/** Makes a random secret in the Standard Webhooks format. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
