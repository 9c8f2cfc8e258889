import type { Config } from '#config/config.ts';
import { parseNetwork } from '#modules/webhooks/outbound/address-rules.ts';
import { openOutbound } from '#modules/webhooks/outbound/outbound.ts';
import { createSeal } from '#modules/webhooks/subscriptions/secret.ts';

export type WebhookTools = ReturnType<typeof openWebhooks>;

export function openWebhooks(config: Config) {
  const timeoutMillis = config.WEBHOOK_TIMEOUT_SECONDS * 1000;
  const outbound = openOutbound({
    allowedNetworks: config.WEBHOOK_ALLOWED_CIDRS.map(parseNetwork),
    isLoopbackAllowed: config.ASSAY_MODE === 'development',
    timeoutMillis,
  });
  return { outbound, seal: createSeal(config.WEBHOOK_SECRETS_KEY), timeoutMillis };
}
