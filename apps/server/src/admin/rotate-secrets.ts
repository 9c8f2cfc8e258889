import { z } from 'zod';
import { countKeysByPepper } from '#modules/identity/keys/store.ts';
import { resealSecrets } from '#modules/webhooks/subscriptions/reseal-secrets.ts';
import { createSeal } from '#modules/webhooks/subscriptions/secret.ts';
import { idOfSecret } from '#platform/mechanisms/key-ring.ts';
import { defineCommand, recordAround } from './command.ts';

/** Reseals webhook secrets. API keys are stored only as HMACs, so each is replaced when its key is next used. */
export const rotateSecrets = defineCommand('', z.object({}), async (_, context) => {
  const { handles, secrets } = context;
  return recordAround(context, { command: 'secrets rotate', workspaceId: null, arguments: {} }, async () => ({
    webhookSecrets: await resealSecrets(handles, createSeal(secrets.WEBHOOK_SECRETS_KEY)),
    apiKeys: await countKeysByPepper(handles.db, idOfSecret(secrets.KEY_PEPPER[0])),
  }));
});
