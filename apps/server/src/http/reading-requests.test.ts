import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { prefixes } from '@assay/contract/route.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const note = await uploadText(client);
const withMetadata = (metadata: string) => `{"assets":[{"blobPath":"${note}"}],"metadata":${metadata}}`;
const postJson = (path: string, body: string) =>
  client.send('POST', path, { body, headers: { 'content-type': 'application/json' } });

/** Sends the body with only these headers. fetch would add a Content-Type of its own. */
async function postBytes(path: string, body: string, headers: Record<string, string>): Promise<[number, unknown]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number, unknown]>();
  const request = httpRequest(`${api.url}${prefixes[0]}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': workspace.sandboxKey, 'content-length': Buffer.byteLength(body), ...headers },
  });
  request.on('error', reject).on('response', async (response) => {
    const text = (await Array.fromAsync(response)).join('');
    resolve([response.statusCode ?? 0, JSON.parse(text)]);
  });
  request.end(body);
  return promise;
}

describe('a body is read as JSON where JSON is expected, whatever its Content-Type (§D4)', () => {
  const types = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'json', 'multipart/form-data'];
  test.each([undefined, ...types])('a JSON body with the Content-Type %s is accepted', async (type) => {
    const { submissionId } = await submit(sandbox, [note]);
    const headers = type === undefined ? {} : { 'content-type': type };
    const event = JSON.stringify({ eventType: 'asset.processing.completed', submissionId });
    expect(await postBytes('/sandbox/events/fire', event, headers)).toMatchObject([200, { dispatched: 0 }]);
    expect(await postBytes('/sandbox/events/fire', '<x/>', headers)).toMatchObject([
      422,
      { code: 'validation_failed' },
    ]);
  });

  test.each([undefined, ...types])('an empty body with the Content-Type %s is accepted', async (type) => {
    const { submissionId, assets } = await submitAndCancel(sandbox);
    const headers = type === undefined ? {} : { 'content-type': type };
    const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId}/retry`;
    expect(await postBytes(path, '', headers)).toMatchObject([202, { submissionId }]);
  });
});

describe('metadata is stored and returned unchanged, or rejected (§D5)', () => {
  test.each(['{"constructor":{"a":1}}', '{"x":1,"__proto__":{"a":1}}', '{"a":{"__proto__":null,"prototype":[]}}'])(
    'metadata with special member names is returned as sent: %s',
    async (metadata) => {
      const { status, body } = await postJson('/submissions', withMetadata(metadata));
      expect(status).toBe(201);
      const read = await fetch(`${api.url}${prefixes[0]}/submissions/${body.submissionId}`, {
        headers: { 'x-api-key': workspace.liveKey },
      });
      expect(await read.text()).toContain(`"metadata":${metadata}`);
    },
  );

  test.each(['9007199254740991', '-9007199254740991', '1e20', '0.1234567890123456789', '"12345678901234567890"'])(
    'a string, a decimal or an exact integer is accepted: %s',
    async (value) => {
      expect((await postJson('/submissions', withMetadata(`{"n":${value}}`))).status).toBe(201);
    },
  );

  test.each(['9007199254740992', '-12345678901234567890', '1e999', '[[123456789012345678901234567890]]'])(
    'an inexact integer or an infinite number is rejected with 422: %s',
    async (value) => {
      expect(await postJson('/submissions', withMetadata(`{"n":${value}}`))).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ code: 'number_out_of_range' }] },
      });
    },
  );
});

describe('the response to a rejected request names the reason (§D6)', () => {
  test('a gzip body is rejected with 422 unsupported_content_encoding', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await client.send('POST', '/submissions', { body: gzipSync(withMetadata('{}')), headers });
    expect(response).toMatchObject({ status: 422, body: { code: 'unsupported_content_encoding' } });
    const plain = { ...headers, 'content-encoding': 'identity' };
    expect((await client.send('POST', '/submissions', { body: withMetadata('{}'), headers: plain })).status).toBe(201);
  });

  test('a JSON body over 1 MiB is rejected with 422 request_too_large', async () => {
    const response = await postJson('/submissions', withMetadata(`{"x":"${'x'.repeat(1024 * 1024)}"}`));
    expect(response).toMatchObject({ status: 422, body: { code: 'request_too_large' } });
  });

  test.each([
    [
      '/submissions?simulation_delay_seconds=5',
      'POST',
      'simulation_delay_seconds',
      ' Did you mean simulationDelaySeconds?',
    ],
    ['/submissions?Limit=5', 'GET', 'Limit', ' Did you mean limit?'],
    ['/submissions?createdafter=2026-01-01T00:00:00Z', 'GET', 'createdafter', ' Did you mean createdAfter?'],
    [
      '/submissions?colour=red',
      'GET',
      'colour',
      ' Allowed: status, mode, verdict, profile, clientReference, filename, createdAfter, createdBefore, limit, cursor.',
    ],
    ['/me?x=1', 'GET', 'x', ''],
  ])('%s is rejected with 422 and the name of the unknown parameter', async (path, method, name, hint) => {
    const response = await client.send(
      method,
      path,
      method === 'POST' ? { json: { assets: [{ blobPath: note }] } } : {},
    );
    const detail = `Unknown parameter: ${name}.${hint}`;
    expect(response).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: `/${name}`, code: 'unknown_parameter', detail }] },
    });
  });
});

describe('a path with a trailing slash leads to the same route as without it (§D7)', () => {
  test.each(['/submissions/', '/me/', '/webhooks/subscriptions/'])(
    'GET %s returns the same body as without the slash',
    async (path) => {
      const { status, body } = await client.get(path);
      expect([status, body]).toEqual([200, (await client.get(path.slice(0, -1))).body]);
    },
  );

  test('an unsupported method is rejected with 405 on a path with a trailing slash', async () => {
    expect((await client.send('DELETE', '/me/')).status).toBe(405);
  });
});

describe('a file name is returned as it was sent, or rejected (§2.3c, §D8)', () => {
  const nameOf = async (blobPath: string) => {
    const { submissionId } = await submit(client, [blobPath]);
    return (await client.get(`/submissions/${submissionId}`)).body.assets[0].filename;
  };
  const upload = async (disposition: Buffer | string) => {
    const boundary = randomUUID();
    const body = Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; `),
      Buffer.from(disposition),
      Buffer.from(`\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`),
    ]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return client.send('POST', '/uploads/direct', { body, headers });
  };

  test('a file name over 255 bytes in Unicode NFD is accepted if it has at most 255 bytes in NFC', async () => {
    const filename = `${'\ud55c\uae00'.normalize('NFD').repeat(20)}.txt`;
    expect([Buffer.byteLength(filename) > 255, Buffer.byteLength(filename.normalize('NFC')) <= 255]).toEqual([
      true,
      true,
    ]);
    const { status, body } = await client.uploadFile(filename, 'hello');
    expect(status).toBe(201);
    expect(await nameOf(body.blobPath)).toBe(filename);
  });

  test('a file name in Unicode NFD is returned in NFD, and only the blobPath is normalised to NFC', async () => {
    const filename = 'Cafe\u0301.txt';
    const { body } = await client.post('/uploads/url', { filename, contentType: 'text/plain' });
    expect(body.blobPath).toMatch(/-Caf\u00e9\.txt$/);
    await putBlob(body.uploadUrl, 'hello');
    expect(await nameOf(body.blobPath)).toBe(filename);
  });

  test.each([
    ['as a quoted string', 'name="file"; filename="a b.txt"', 'a b.txt'],
    ['as .NET sends it', `name=file; filename="=?utf-8?B?w6QudHh0?="; filename*=utf-8''%C3%A4.txt`, 'ä.txt'],
    ['as filename* alone', `name="file"; filename*=UTF-8'en'%E2%82%AC%20rates.txt`, '€ rates.txt'],
    ['as filename next to a malformed filename*', `name="file"; filename="a.txt"; filename*=b.txt`, 'a.txt'],
    ['as filename next to a non-ASCII filename*', `name="file"; filename="a.txt"; filename*=UTF-8''ŁŃ.txt`, 'a.txt'],
    ['as filename* in ISO 8859-1', `name="file"; filename*=iso-8859-1''%A3.txt`, '£.txt'],
  ])('the file name of a direct upload can be sent %s', async (_, disposition, filename) => {
    const { status, body } = await upload(disposition);
    expect(status).toBe(201);
    expect(await nameOf(body.blobPath)).toBe(filename);
  });

  test.each([
    ['raw bytes', Buffer.concat([Buffer.from('name="file"; filename="'), Buffer.from([0xe4]), Buffer.from('.txt"')])],
    ['percent-encoded bytes', `name="file"; filename*=UTF-8''%E4.txt`],
  ])('a file name whose %s are not UTF-8 is rejected with 403 invalid_filename', async (_, disposition) => {
    expect(await upload(disposition)).toMatchObject({ status: 403, body: { code: 'invalid_filename' } });
  });
});

test("the caller's X-Request-Id is used as the request id if it is well-formed (§D14)", async () => {
  const idOf = async (given: string) => {
    const { headers, body } = await client.send('GET', `/submissions/${randomUUID()}`, {
      headers: { 'x-request-id': given },
    });
    expect(body.requestId).toBe(headers.get('x-request-id'));
    return body.requestId;
  };
  expect(await idOf('trace-17:a.b_c')).toBe('trace-17:a.b_c');
  for (const odd of ['with space', 'x'.repeat(129), '<script>']) expect(await idOf(odd)).not.toBe(odd);
});
