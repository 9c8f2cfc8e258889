import { GiB, type PaidTier, type StorageQuota } from '@assay/contract/limits.ts';
import type { Call, Reply } from '#call/call.ts';
import type { Handles } from '#platform/handles.ts';
import { readUsage } from './store.ts';

export async function getMe(
  { caller }: Call<'getMe'>,
  { db }: Handles,
  quotas: Record<PaidTier, StorageQuota>,
): Promise<Reply<'getMe'>> {
  const { workspaceId, mode, tier, actor: key } = caller;
  const { credits, files, bytes } = await readUsage(db, workspaceId);
  const { GiB: gibibytesMax, files: filesMax } = quotas[tier as PaidTier];
  const bytesMax = gibibytesMax === null ? null : gibibytesMax * GiB;
  return {
    workspaceId,
    mode,
    tier,
    keyId: key.id,
    keyName: key.name,
    keyPrefix: key.prefix,
    keyExpiresAt: key.expiresAt?.toISOString() ?? null,
    scopes: [...key.scopes],
    credits: { used: credits },
    storage: { files, filesMax, bytes, bytesMax },
  };
}
