import { createHash } from 'node:crypto';

/** The first one writes, all of them read: so a secret is replaced without a moment in which something does not open. */
export type KeyRing = readonly [string, ...string[]];

/** A name for a secret that says nothing about it. */
export function idOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8);
}
