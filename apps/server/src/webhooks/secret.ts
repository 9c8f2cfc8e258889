import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Turns secrets into what the database may hold, and back. Each is bound to its subscription: moved to another it does not open. */
export type Seal = {
  close(subscriptionId: string, secret: string): Buffer;
  open(subscriptionId: string, sealed: Buffer): string;
};

export function createSeal(key: Buffer): Seal {
  return {
    close(subscriptionId, secret) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(subscriptionId));
      const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), text]);
    },
    open(subscriptionId, sealed) {
      const opening = createDecipheriv(cipher, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
      opening.setAAD(Buffer.from(subscriptionId)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      return opening.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
    },
  };
}

/** As Standard Webhooks writes them. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
