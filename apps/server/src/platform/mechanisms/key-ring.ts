import { createHash } from 'node:crypto';

/** New data uses the first secret, and old data any of them, so that a secret can be replaced without downtime. */
export type KeyRing = readonly [string, ...string[]];

/** Returns a short id for a secret; the id does not reveal the secret. */
export function idOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8);
}
