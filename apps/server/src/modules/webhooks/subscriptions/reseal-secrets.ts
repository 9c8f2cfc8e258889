import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import type { Seal } from './secret.ts';
import {
  findSealedSecrets,
  listSealedSecrets,
  replaceSealedSecrets,
  type SealedSecrets,
} from './subscription-store.ts';

const resealedAtOnceMax = 500;

/** Seals the secrets of all subscriptions with the newest key, so that older ones can be removed. */
export async function resealSecrets({ db }: Handles, seal: Seal): Promise<{ resealed: number; current: number }> {
  const count = { resealed: 0, current: 0 };
  let afterId: string | undefined;
  for (;;) {
    const rows = await listSealedSecrets(db, afterId, resealedAtOnceMax);
    for (const row of rows) count[await resealOne(db, seal, row)]++;
    if (rows.length < resealedAtOnceMax) return count;
    afterId = rows.at(-1)?.subscriptionId;
  }
}

async function resealOne(db: Db, seal: Seal, row: SealedSecrets): Promise<'resealed' | 'current'> {
  const { subscriptionId, secret, previousSecret } = row;
  const isCurrent = [secret, previousSecret].every((one) => !one || seal.isCurrent(subscriptionId, one));
  if (isCurrent) return 'current';
  const reseal = (sealed: Buffer) => seal.close(subscriptionId, seal.open(subscriptionId, sealed));
  const fresh = { secret: reseal(secret), previousSecret: previousSecret && reseal(previousSecret) };
  if (await replaceSealedSecrets(db, row, fresh)) return 'resealed';
  // The secret was rotated in the meantime, so the previous one may still be sealed with an older key.
  const again = await findSealedSecrets(db, subscriptionId);
  return again ? resealOne(db, seal, again) : 'current';
}
