import { createHash } from 'node:crypto';

/** The first secret writes and all of them read, so that a secret can be replaced without an interruption. */
export type KeyRing = readonly [string, ...string[]];

/** A short id for a secret that reveals nothing about it. */
export function idOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8);
}
