import type { Handles } from '../handles/handles.ts';
import type { Seal } from './secret.ts';
import { listSealedSecrets, replaceSealed } from './store.ts';

const resealedAtOnceMax = 500;

/** Seals every secret of a subscription under the newest key, so that older ones can be taken out of the configuration. */
export async function resealSecrets({ db }: Handles, seal: Seal): Promise<{ resealed: number; current: number }> {
  const count = { resealed: 0, current: 0 };
  let afterId: string | undefined;
  for (;;) {
    const rows = await listSealedSecrets(db, afterId, resealedAtOnceMax);
    for (const { subscriptionId, secret, previousSecret } of rows) {
      const isCurrent = [secret, previousSecret].every((one) => !one || seal.isCurrent(subscriptionId, one));
      if (isCurrent) {
        count.current++;
        continue;
      }
      const reseal = (sealed: Buffer) => seal.close(subscriptionId, seal.open(subscriptionId, sealed));
      const fresh = { secret: reseal(secret), previousSecret: previousSecret && reseal(previousSecret) };
      // Rotated meanwhile: then it is under the newest key already.
      const isReplaced = await replaceSealed(db, subscriptionId, secret, fresh);
      count[isReplaced ? 'resealed' : 'current']++;
    }
    if (rows.length < resealedAtOnceMax) return count;
    afterId = rows.at(-1)?.subscriptionId;
  }
}
