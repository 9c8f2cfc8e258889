import { AssayError } from './errors.ts';
import type { Event } from './wire.generated.ts';

export type { CompletedEvent, Event, FailedEvent } from './wire.generated.ts';

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export type RawBody = string | Uint8Array | ArrayBuffer;

export type SignatureFault =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'invalid_secret'
  | 'invalid_body';

/** The webhook cannot be verified: respond with 400 and ignore it. */
export class WebhookSignatureError extends AssayError {
  override name = 'WebhookSignatureError';
  readonly code: SignatureFault;

  constructor(code: SignatureFault, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Verifies the signature of a webhook (Standard Webhooks 1.0.0) and returns its event. Pass the raw body: parsed and
 * serialised again, it no longer matches the signature. During a secret rotation, pass both secrets.
 */
export async function unwrap(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: { toleranceSeconds?: number; now?: number } = {},
): Promise<Event> {
  const body = bytesOf(rawBody);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  requireRecentTimestamp(timestamp, toleranceSeconds, now);

  const signed = bytesToSign(id, timestamp, body);
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []));
  for (const one of [secret].flat()) {
    const key = await keyOf(one, 'verify');
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return parseEvent(body);
    }
  }
  throw new WebhookSignatureError(
    'wrong_signature',
    'The signature does not match. Pass the raw body and the secret of this subscription.',
  );
}

/** The headers that the service would send with this body, for testing a receiver and forwarding events. */
export async function testHeaders(
  rawBody: RawBody,
  secret: string,
  { id = crypto.randomUUID() as string, timestamp = Math.floor(Date.now() / 1000) } = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const signed = bytesToSign(id, String(timestamp), bytesOf(rawBody));
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signed);
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${text}` };
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody);
  throw new WebhookSignatureError(
    'invalid_body',
    'Pass the raw body as a string or bytes; a parsed body cannot be verified.',
  );
}

function parseEvent(body: Bytes): Event {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookSignatureError('invalid_body', 'The signature is valid, but the body is not JSON.');
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  // A Headers object is detected by its `get` method, because frameworks have Headers classes of their own.
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = [value ?? ''].flat().join(' ');
  if (text) return text;
  throw new WebhookSignatureError('missing_header', `The ${name} header is missing.`);
}

function requireRecentTimestamp(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookSignatureError('invalid_timestamp', 'webhook-timestamp is not a number of seconds.');
  }
  const ageSeconds = now / 1000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookSignatureError('too_old', 'The webhook is too old. Check the clock of this machine.');
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookSignatureError(
      'too_new',
      'The webhook was signed in the future. Check the clock of this machine.',
    );
  }
}

function bytesToSign(id: string, timestamp: string, body: Bytes): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

function keyOf(secret: string, usage: 'sign' | 'verify') {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length)
    throw new WebhookSignatureError('invalid_secret', 'Invalid secret: expected `whsec_` followed by base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

function decodeBase64(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
