import type { ApiKey } from '@assay/contract/schemas/key.ts';
import { scopesOf } from './key.ts';
import type { KeyRow } from './store.ts';

export function presentKey(row: KeyRow): ApiKey {
  return {
    keyId: row.keyId,
    name: row.name,
    mode: row.mode,
    scopes: [...scopesOf(row.scopes)],
    prefix: row.prefix,
    lastFour: row.lastFour,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
