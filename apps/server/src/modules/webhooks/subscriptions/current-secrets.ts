import type { Seal } from './secret.ts';
import type { SecretRow } from './subscription-store.ts';

/** Returns the secrets that currently sign: the newest, and during the grace period also the previous one. */
export function currentSecrets(subscriptionId: string, row: SecretRow, seal: Seal, now: Date): string[] {
  const isInGrace = row.previousSecretExpiresAt !== null && row.previousSecretExpiresAt > now;
  const sealed = [row.secret, ...(row.previousSecret && isInGrace ? [row.previousSecret] : [])];
  return sealed.map((one) => seal.open(subscriptionId, one));
}
