import { type RawBody, type SignatureFault, testHeaders, unwrap, WebhookSignatureError } from '@assay/sdk/webhooks';
import { equal, expectRejection, ok } from './assert.ts';
import type { ClientTests } from './connection.ts';

const newSecret = () => `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
const body = JSON.stringify({
  id: 'e1',
  type: 'asset.processing.completed',
  livemode: false,
  data: { asset_id: 'ä→😀' },
});
const bodyBytes = new TextEncoder().encode(body);
const nowSeconds = () => Math.floor(Date.now() / 1000);

async function faultOf(promise: Promise<unknown>): Promise<SignatureFault> {
  return (await expectRejection(promise, WebhookSignatureError)).code;
}

async function unwrapSignedAt(timestamp: number): Promise<SignatureFault | 'accepted'> {
  const secret = newSecret();
  const headers = await testHeaders(body, secret, { timestamp });
  return unwrap(body, headers, secret).then(
    () => 'accepted',
    (error: WebhookSignatureError) => error.code,
  );
}

export const signatureTests: ClientTests = {
  'a correctly signed event is returned unchanged': async () => {
    const secret = newSecret();
    const event = await unwrap(body, await testHeaders(body, secret), secret);
    equal(event, JSON.parse(body), 'the event');
  },
  'the body may be text or bytes': async () => {
    const secret = newSecret();
    const headers = await testHeaders(bodyBytes, secret);
    const inTheMiddle = new Uint8Array([1, 2, ...bodyBytes, 3]).subarray(2, 2 + bodyBytes.length);
    const forms: RawBody[] = [body, bodyBytes, bodyBytes.buffer, inTheMiddle];
    for (const form of forms) equal((await unwrap(form, headers, secret)).id, 'e1', 'the event');
  },
  'headers may be a Headers object or Node’s headers, in any letter case, with lists of values': async () => {
    const secret = newSecret();
    const headers = await testHeaders(body, secret);
    const entries = Object.entries(headers);
    const forms = [
      new Headers(headers),
      { host: 'here', ...headers },
      Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])),
      Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    ];
    for (const form of forms) equal((await unwrap(body, form, secret)).id, 'e1', 'the event');
  },
  'Headers objects of another realm are accepted': async () => {
    const secret = newSecret();
    const headers = new Map(Object.entries(await testHeaders(body, secret)));
    const foreign = { get: (name: string) => headers.get(name) ?? null };
    equal((await unwrap(body, foreign as unknown as Headers, secret)).id, 'e1', 'the event');
  },
  'an event with a forged id, time, body or signature is rejected': async () => {
    const secret = newSecret();
    const headers = await testHeaders(body, secret);
    const forged = 'wrong_signature';
    equal(await faultOf(unwrap(body, headers, newSecret())), forged, 'another secret');
    equal(await faultOf(unwrap(`${body} `, headers, secret)), forged, 'another body');
    equal(await faultOf(unwrap(body, { ...headers, 'webhook-id': 'e2' }, secret)), forged, 'another id');
    const later = String(nowSeconds() + 1);
    equal(await faultOf(unwrap(body, { ...headers, 'webhook-timestamp': later }, secret)), forged, 'another time');
    for (const signature of ['v1,', 'v1,AAAA', 'v1,%%%', 'v2,AAAA', 'nonsense']) {
      equal(await faultOf(unwrap(body, { ...headers, 'webhook-signature': signature }, secret)), forged, signature);
    }
    const asV2 = headers['webhook-signature'].replace('v1,', 'v2,');
    equal(await faultOf(unwrap(body, { ...headers, 'webhook-signature': asV2 }, secret)), forged, 'another version');
    equal(await faultOf(unwrap(body, headers, [])), forged, 'no secret at all');
  },
  'an event that is too old or from the future is rejected': async () => {
    const now = nowSeconds();
    const times = [now - 290, now + 290, now - 320, now + 320];
    equal(await Promise.all(times.map(unwrapSignedAt)), ['accepted', 'accepted', 'too_old', 'too_new'], 'the verdicts');
  },
  'the tolerance for old events can be changed': async () => {
    const secret = newSecret();
    const headers = await testHeaders(body, secret, { timestamp: nowSeconds() - 60 });
    equal(await faultOf(unwrap(body, headers, secret, { toleranceSeconds: 30 })), 'too_old', 'with 30 s');
    const old = await testHeaders(body, secret, { timestamp: nowSeconds() - 6000 });
    equal((await unwrap(body, old, secret, { toleranceSeconds: 7000 })).id, 'e1', 'with 7000 s');
  },
  'during a secret rotation, sender and receiver may each use both secrets': async () => {
    const [before, after] = [newSecret(), newSecret()];
    const old = await testHeaders(body, before, { id: 'e1' });
    const fresh = await testHeaders(body, after, { id: 'e1', timestamp: Number(old['webhook-timestamp']) });
    equal((await unwrap(body, old, [after, before])).id, 'e1', 'a receiver that knows both');
    const both = { ...old, 'webhook-signature': `${old['webhook-signature']} ${fresh['webhook-signature']}` };
    for (const secret of [before, after]) equal((await unwrap(body, both, secret)).id, 'e1', 'a sender that uses both');
  },
  'a missing header and an invalid time, secret or body are reported as such': async () => {
    const secret = newSecret();
    const headers = await testHeaders(body, secret);
    for (const name of Object.keys(headers)) {
      equal(await faultOf(unwrap(body, { ...headers, [name]: undefined }, secret)), 'missing_header', name);
    }
    equal(await faultOf(unwrap(body, new Headers(), secret)), 'missing_header', 'no headers');
    const badTime = { ...headers, 'webhook-timestamp': 'noon' };
    equal(await faultOf(unwrap(body, badTime, secret)), 'invalid_timestamp', 'a time that is none');
    equal(await faultOf(unwrap(body, headers, 'whsec_%%')), 'invalid_secret', 'a secret that is none');
    equal(await faultOf(unwrap(JSON.parse(body), headers, secret)), 'invalid_body', 'a parsed body');
  },
  'a signed body that is not JSON is rejected': async () => {
    const secret = newSecret();
    const text = 'no JSON';
    equal(await faultOf(unwrap(text, await testHeaders(text, secret), secret)), 'invalid_body', 'the fault');
  },
  'testHeaders returns a new id and the current time on each call': async () => {
    const secret = newSecret();
    const [one, other] = [await testHeaders(body, secret), await testHeaders(body, secret)];
    ok(one['webhook-id'] !== other['webhook-id'], 'their ids differ');
    ok(Math.abs(Number(one['webhook-timestamp']) - nowSeconds()) < 60, 'their time is now');
  },
};
