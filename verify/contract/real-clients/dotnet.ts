import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename } from 'node:path';

const secondsMax = 60;

/** Sends the bytes that .NET's HttpClient sends, all on one connection, which its pool would reuse. */
export async function runAsDotNet(url: string, key: string, file: string): Promise<string> {
  const { host, hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.setTimeout(secondsMax * 1000, () => socket.destroy(new Error(`no answer within ${secondsMax} s`)));
  const pieces: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  const send = async (method: string, path: string, headers: string[] = [], body: Buffer | string = '') => {
    const head = [`${method} ${pathname}${path} HTTP/1.1`, `Host: ${host}`, `X-API-Key: ${key}`, ...headers];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    if (body.length > 0) socket.write(body);
    return readResponse(pieces);
  };
  try {
    const form = multipartFormDataContent(file);
    const upload = await send('POST', '/uploads/direct', form.headers, form.body);
    const { blobPath } = JSON.parse(upload);
    const submission = { assets: [{ blobPath }], metadata: { description: 'ä'.repeat(1500) } };
    const text = stringContent(JSON.stringify(submission));
    const submit = await send('POST', '/submissions', text.headers, text.body);
    const { submissionId, assets } = JSON.parse(submit);
    const path = `/submissions/${submissionId}`;
    const read = await send('GET', path);
    const json = jsonContent({ eventType: 'asset.processing.completed', submissionId });
    await send('POST', '/sandbox/events/fire', json.headers, json.body);
    await send('POST', `${path}/cancel`, stringContent('').headers);
    await send('POST', `${path}/assets/${assets[0].assetId}/retry`, withoutContent);
    return JSON.parse(read).assets[0].filename;
  } finally {
    socket.destroy();
  }
}

/** The headers of `PostAsync(url, null)`. */
const withoutContent = ['Content-Length: 0'];

/** `new MultipartFormDataContent { { new StreamContent(…), "file", name } }`: a MIME word, and a filename*. */
function multipartFormDataContent(file: string) {
  const boundary = randomUUID();
  const name = basename(file);
  const word = `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
  const extended = encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const disposition = `form-data; name=file; filename="${word}"; filename*=utf-8''${extended}`;
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    readFileSync(file),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    headers: [`Content-Type: multipart/form-data; boundary="${boundary}"`, `Content-Length: ${body.length}`],
    body,
  };
}

/** `new StringContent(text)`: plain text, unless the program says that it is JSON. */
function stringContent(body: string) {
  const headers = ['Content-Type: text/plain; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`];
  return { headers, body };
}

/** `PostAsJsonAsync`: chunked, because the length is unknown. */
function jsonContent(value: object) {
  const json = JSON.stringify(value);
  const headers = ['Transfer-Encoding: chunked', 'Content-Type: application/json; charset=utf-8'];
  return { headers, body: `${Buffer.byteLength(json).toString(16)}\r\n${json}\r\n0\r\n\r\n` };
}

/** The body of the next response on the connection. Every response has a Content-Length. */
async function readResponse(pieces: AsyncIterator<Buffer>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const { value: piece, done } = await pieces.next();
    if (done) throw new Error(`the connection was closed after ${bytes}`);
    bytes = Buffer.concat([bytes, piece]);
    const headLength = bytes.indexOf('\r\n\r\n');
    if (headLength < 0) continue;
    const head = bytes.toString('latin1', 0, headLength);
    const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
    if (!length) throw new Error(`a response without a length: ${head}`);
    const body = bytes.subarray(headLength + 4);
    if (body.length >= Number(length)) return body.toString();
  }
}
