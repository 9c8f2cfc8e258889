import { randomBytes } from 'node:crypto';
import { testHeaders, unwrap } from '@assay/sdk/webhooks';
import { Webhook } from 'standardwebhooks';
import { Headers as ForeignHeaders } from 'undici';
import { describe, expect, test } from 'vitest';

const bodies = [
  ['a plain body', '{"id":"1"}'],
  ['a body that is not only ASCII', '{"id":"Größe → 😀"}'],
  ['a body with white space', '{\n  "id": "1"\r\n}\n'],
] as const;

describe('webhook signatures', () => {
  test.each(bodies)('the Standard Webhooks library accepts the SDK’s signature of %s', async (_, body) => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const headers = await testHeaders(body, secret);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test.each(bodies)('the SDK accepts the Standard Webhooks library’s signature of %s', async (_, body) => {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const sentAt = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', sentAt, body),
    };
    expect(await unwrap(body, headers, secret)).toEqual(JSON.parse(body));
    expect(await unwrap(Buffer.from(body), new ForeignHeaders(headers) as unknown as Headers, secret)).toBeTruthy();
  });

  test('the Standard Webhooks library and the SDK both reject a signature made with a different secret', async () => {
    const [ours, theirs] = [0, 1].map(() => `whsec_${randomBytes(32).toString('base64')}`) as [string, string];
    const headers = await testHeaders('{}', ours);
    expect(() => new Webhook(theirs).verify('{}', headers)).toThrow();
    await expect(unwrap('{}', headers, theirs)).rejects.toThrow('The signature does not match');
  });
});
