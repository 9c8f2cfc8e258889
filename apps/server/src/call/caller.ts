import type { Tier } from '@assay/contract/limits.ts';
import type { Scope } from '@assay/contract/rights.ts';

/** Branded, so that a query cannot take an arbitrary string for its tenant. */
export type WorkspaceId = string & { readonly workspaceId: unique symbol };

export type Mode = 'live' | 'sandbox';

/** Who does something, as it is recorded. */
export type Actor = { kind: 'api_key' | 'person'; id: string } | { kind: 'operator' | 'service'; id: null };

/** An API key that calls. */
export type CallingKey = {
  kind: 'api_key';
  id: string;
  name: string | null;
  prefix: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
};

/** The authenticated caller. Only `identity/keys/authenticate.ts` creates one. */
export type Caller = {
  workspaceId: WorkspaceId;
  mode: Mode;
  tier: Tier;
  actor: CallingKey;
};
