import { createHmac, randomBytes } from 'node:crypto';
import { type Scope, usualScopes } from '@assay/contract/rights.ts';
import type { Mode } from '#call/caller.ts';

// §5: the prefix alone selects live or sandbox.
const keyPrefixes: Record<Mode, string> = { live: 'sk_live_', sandbox: 'sk_test_' };
const keyPattern = /^sk_(live|test)_[0-9a-f]{64}$/;

export function makeKey(mode: Mode): string {
  return keyPrefixes[mode] + randomBytes(32).toString('hex');
}

export function hasKeyShape(text: string): boolean {
  return keyPattern.test(text);
}

// A keyed hash suffices: 32 random bytes cannot be guessed, so a slow hash is not needed, and without the pepper a
// stolen table cannot even be checked against a leaked key.
export function hashKey(key: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** The parts of a key that are shown to tell keys apart. */
export function displayPartsOf(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, 12), lastFour: key.slice(-4) };
}

/** The scopes of a key as they are stored. Keys from before there were scopes have none stored. */
export function scopesOf(stored: readonly string[] | null): readonly Scope[] {
  return (stored as readonly Scope[] | null) ?? usualScopes;
}
