import type { Tier } from '@assay/contract/limits.ts';

/** Branded, so that a query cannot take an arbitrary string for its tenant. */
export type WorkspaceId = string & { readonly workspaceId: unique symbol };

export type Mode = 'live' | 'sandbox';

/** The authenticated caller. Only `identity/keys/authenticate.ts` creates one. */
export type Caller = {
  workspaceId: WorkspaceId;
  keyId: string;
  keyPrefix: string;
  mode: Mode;
  tier: Tier;
};
