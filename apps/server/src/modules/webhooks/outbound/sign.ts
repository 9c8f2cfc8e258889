import { createHmac } from 'node:crypto';

/** Standard Webhooks 1.0.0: one signature per secret, over exactly the bytes that are sent. */
export function signedHeaders(
  { id, body, secrets }: { id: string; body: string; secrets: string[] },
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
