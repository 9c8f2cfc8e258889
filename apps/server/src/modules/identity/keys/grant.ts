import { Refusal } from '@assay/contract/refusals.ts';
import type { Scope } from '@assay/contract/rights.ts';
import type { Caller } from '#call/caller.ts';

/** 403: a key gives others no scope that it lacks, and none for longer than it is valid itself. */
export function refuseGrant({ actor }: Caller, scopes: readonly Scope[], expiresAt: Date | null): void {
  const lacking = scopes.filter((scope) => !actor.scopes.includes(scope));
  if (lacking.length > 0) {
    const detail = `A key can give only scopes that it has. The API key lacks: ${lacking.join(', ')}.`;
    throw new Refusal('insufficient_scope', { detail });
  }
  if (actor.expiresAt && isLater(expiresAt, actor.expiresAt)) {
    const detail = `A key cannot make another one valid for longer than itself. The API key expires at ${actor.expiresAt.toISOString()}: choose an expiresAt that is not later.`;
    throw new Refusal('insufficient_scope', { detail });
  }
}

/** Whether a key that expires at `one` is valid for longer than one that expires at `other`. */
export function isLater(one: Date | null, other: Date | null): boolean {
  return other !== null && (one === null || one > other);
}
