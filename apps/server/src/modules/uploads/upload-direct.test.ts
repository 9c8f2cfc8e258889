import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { makeOffice, makeZip, sample, sampleNames, samplePath } from '@assay/testing/media/samples.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import { openFullWorkspace, smallQuota } from '@assay/testing/service/full-workspace.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { readStored } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';
import { activeRequests } from '#http/metrics.ts';

// The API under test runs in this process, so nothing here may block it.
const runCommand = promisify(execFile);
const api = await openTestApi({ ...smallQuota, REQUEST_TIMEOUT_SECONDS: '3' });
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const url = new URL(`${api.url}/api/integrations/uploads/direct`);

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const docx = makeOffice('word/document.xml', `${wordType}.document.main+xml`);
const pdf = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF';

const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n';
const srt = '1\n00:00:00,000 --> 00:00:01,000\nHello\n';

/** Makes a WAV file of exactly this size, with random samples. */
function makeWav(sizeBytes: number): Uint8Array {
  const bytes = randomBytes(sizeBytes);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(sizeBytes - 8, 4);
  bytes.write('WAVEfmt ', 8);
  return bytes;
}

async function sendMultipart(parts: string[], ending = '--x--\r\n') {
  const body = parts.map((part) => `--x\r\n${part}\r\n`).join('') + ending;
  return client.send('POST', '/uploads/direct', {
    body: new TextEncoder().encode(body),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
}
const part = (disposition: string, content: string, type = '') =>
  `Content-Disposition: form-data; ${disposition}\r\n${type && `Content-Type: ${type}\r\n`}\r\n${content}`;

describe('POST /uploads/direct', () => {
  describe('201: the file is stored', () => {
    test.each(sampleNames)('%s from ffmpeg is stored, and its size and SHA-256 are returned', async (name) => {
      const { status, body } = await client.uploadFile(name, sample(name));
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body.sizeBytes).toBe(sample(name).length);
      expect(body.contentSha256).toBe(createHash('sha256').update(sample(name)).digest('hex'));
    });

    test.each([
      ['a.docx', docx],
      [
        'a.pptx',
        makeOffice(
          'ppt/presentation.xml',
          `${wordType.replace('wordprocessing', 'presentation')}.presentation.main+xml`,
        ),
      ],
      ['a.xlsx', makeOffice('xl/workbook.xml', `${wordType.replace('wordprocessing', 'spreadsheet')}.sheet.main+xml`)],
      ['a.pdf', Buffer.from(pdf, 'latin1')],
      ['a.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08free', 'latin1')],
      ['a.txt', 'Grüße, 世界'],
      ['windows-1252.txt', Buffer.from('Gr\xfc\xdfe', 'latin1')],
      ['windows-1252.srt', Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nGr\xfc\xdfe\n', 'latin1')],
      ['utf16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')])],
      ['a.vtt', vtt],
      ['utf16.vtt', Buffer.from(`\ufeff${vtt}`, 'utf16le')],
      ['a.srt', srt],
      ['captions.txt', srt],
      ['rf64.wav', Buffer.from('RF64\xff\xff\xff\xffWAVEds64', 'latin1')],
      ['bw64.wav', Buffer.from('BW64\xff\xff\xff\xffWAVEds64', 'latin1')],
      ['line-break.pdf', Buffer.from(`\r\n${pdf}`, 'latin1')],
      ['brand-of-heif.avif', Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0miafavif\0\0\0\x08free', 'latin1')],
    ])('%s is stored', async (name, bytes) => {
      expect(await client.uploadFile(name, bytes)).toMatchObject({ status: 201 });
    });

    test('the stored bytes and content type are those that were sent (§1a, §2.5b, §4.2a)', async () => {
      const bytes = sample('clip.mp4');
      const { body } = await client.uploadFile('Ünï "q" %41 #?&+.mp4', bytes, 'video/mp4');
      expect(body).toMatchObject({ sizeBytes: bytes.length, contentType: 'video/mp4' });
      expect(body.blobPath).toMatch(/-Ünï "q" %41 #\?&\+\.mp4$/);
      const stored = await readStored(api.config, body.blobPath);
      expect(stored.bytes.equals(bytes)).toBe(true);
      expect(stored.contentType).toBe('video/mp4');
    });

    test('curl -F file=@clip.mp4 uploads the file', async () => {
      const { stdout } = await runCommand('curl', [
        '-sS',
        '-w',
        '\n%{http_code}',
        '-H',
        `X-API-Key: ${workspace.liveKey}`,
        '-F',
        `file=@${samplePath('clip.mp4')}`,
        url.href,
      ]);
      expect(stdout).toMatch(/"contentType":"video\/mp4"[\s\S]*\n201$/);
    });

    test('a part without a Content-Type gets the type of its file extension', async () => {
      expect(await sendMultipart([part('name="file"; filename="a.txt"', 'hello')])).toMatchObject({
        status: 201,
        body: { sizeBytes: 5, contentType: 'text/plain' },
      });
    });

    test('a file of exactly 10,485,760 bytes is stored (§8.1a)', async () => {
      expect(await client.uploadFile('a.wav', makeWav(directUploadBytesMax))).toMatchObject({
        status: 201,
        body: { sizeBytes: 10_485_760 },
      });
    });
  });

  describe('403: an invalid file name (§4.2b, §7h)', () => {
    const tooLong = ['a'.repeat(252), 'a'.repeat(1021), 'a'.repeat(15_000), '\u0301\u0323'.repeat(3500)];
    test.each([...['../a.txt', 'a%0Ab.txt', '.txt', ' a.txt'], ...tooLong.map((name) => `${name}.txt`)])(
      'the name %.20s is refused with invalid_filename',
      async (name) => {
        expect(await sendMultipart([part(`name="file"; filename="${name}"`, 'hello')])).toMatchObject(
          refused(403, 'invalid_filename'),
        );
      },
    );
  });

  describe('413: the file is larger than 10 MB', () => {
    test('one byte over the limit is refused, and the detail names the presigned flow (§4.2c, §7l, §8.1a)', async () => {
      const response = await client.uploadFile('a.wav', makeWav(directUploadBytesMax + 1));
      expect(response).toMatchObject(refused(413, 'direct_upload_too_large'));
      expect(response.body.detail).toContain('uploads/url');
    });

    test.each([
      ['in the file', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF'],
      ['before the first part', 'nothing'],
    ])('at most 11 MB of a chunked 1 GB body are read if the excess bytes are %s', async (_, head) => {
      const { status, code, readBytes } = await sendEndless(head, 1024 * 1024 * 1024);
      expect({ status, code }).toEqual({ status: 413, code: 'direct_upload_too_large' });
      expect(readBytes).toBeGreaterThan(directUploadBytesMax);
      expect(readBytes).toBeLessThanOrEqual(11_000_000);
    });

    test('curl receives the 413 response for a file that is far too large', async () => {
      const { stdout } = await runCommand(
        'sh',
        [
          '-c',
          `head -c 200000000 /dev/zero | curl -sS -w '\\n%{http_code}' -H "X-API-Key: $KEY" -F 'file=@-;filename=a.wav' ${url.href}`,
        ],
        { env: { ...process.env, KEY: workspace.liveKey } },
      );
      expect(stdout).toMatch(/direct_upload_too_large[\s\S]*\n413$/);
    });
  });

  describe('415: the type of the file or of the request is not accepted', () => {
    test.each([
      ['a script as mp4', 'a.mp4', '#!/bin/sh\necho hello\n', 'plain text'],
      [
        'a program as mp4',
        'a.mp4',
        Buffer.from('\x7fELF\x02\x01\x01'.padEnd(64, '\0')),
        'a program (application/x-elf)',
      ],
      ['a PNG as JPEG', 'a.jpg', sample('still.png'), 'image/png'],
      ['a WebM as MP4', 'a.mp4', sample('clip.webm'), 'video/webm'],
      ['a plain zip as docx', 'a.docx', makeZip({ 'a.txt': 'a' }), 'application/zip'],
      [
        'a macro file as docx',
        'a.docx',
        makeOffice('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'),
        'application/vnd.ms-word.document.macroenabled.12',
      ],
      ['a PDF as text', 'a.txt', Buffer.from(pdf, 'latin1'), 'application/pdf'],
      ['text with a NUL character', 'a.txt', 'a\0b', 'not a known format'],
      [
        'text with invalid UTF-8',
        'a.srt',
        Buffer.concat([Buffer.from('é'), Buffer.from([0xff])]),
        'not a known format',
      ],
      [
        'text that ends in the middle of a UTF-8 character',
        'a.txt',
        Buffer.from('éé').subarray(0, 3),
        'not a known format',
      ],
      ['an empty file as PNG', 'a.png', '', 'empty'],
      ['an empty file as text', 'a.txt', '', 'empty'],
      ['plain text as WebVTT', 'a.vtt', 'Spring is here.', 'text without captions'],
      ['plain text as SubRip', 'a.srt', 'Spring is here.', 'text without captions'],
      ['SubRip as WebVTT', 'a.vtt', srt, 'SubRip (.srt): it does not begin with WEBVTT'],
      ['WebVTT as SubRip', 'a.srt', vtt, 'text/vtt'],
    ])(
      '%s results in content_type_mismatch with the actual format (§4.2d, §7m, §8.1d)',
      async (_, name, bytes, found) => {
        const { status, body } = await client.uploadFile(name, bytes);
        expect({ status, code: body.code }).toEqual({ status: 415, code: 'content_type_mismatch' });
        const named = `The file is named .${name.split('.').at(-1)}, but its content is ${found}.`;
        const detail = expect.stringMatching(new RegExp(`^${RegExp.escape(named)} [A-Z].*\\.$`)); // and what to do
        expect(body.errors).toEqual([{ pointer: '/file', code: 'content_type_mismatch', detail }]);
      },
    );

    test('a declared type that contradicts the file name is refused with content_type_mismatch', async () => {
      expect(await client.uploadFile('a.png', sample('still.png'), 'image/jpeg')).toMatchObject(
        refused(415, 'content_type_mismatch'),
      );
    });

    test.each([
      ['a.svg', 'image/svg+xml'],
      ['a.html', 'text/html'],
      ['a.exe', 'application/octet-stream'],
      ['noextension', 'application/octet-stream'],
    ])('%s sent as %s is refused with content_type_not_allowed (§4.2d, §7m)', async (name, type) => {
      expect(await client.uploadFile(name, 'x', type)).toMatchObject(refused(415, 'content_type_not_allowed'));
    });

    test.each([
      ['a JSON body', { json: { file: 'x' } }],
      ['no body', {}],
    ])('a request with %s is refused with unsupported_request_media_type', async (_, request) => {
      const response = await client.send('POST', '/uploads/direct', request);
      expect(response).toMatchObject(refused(415, 'unsupported_request_media_type'));
    });
  });

  describe('422: the workspace has no room', () => {
    test('storage_quota_reached is returned', async () => {
      const { live } = await openFullWorkspace(api);
      expect(await live.uploadFile('note.txt', 'hello')).toMatchObject(refused(422, 'storage_quota_reached', '/file'));
    });
  });

  describe('422: the form is not exactly one file part named file (§4.2a, §4.2e, §7n)', () => {
    const file = part('name="file"; filename="a.txt"', 'hello', 'text/plain');
    test.each([
      ['no part', []],
      ['a part of another name', [part('name="upload"; filename="a.txt"', 'hello')]],
      ['no file name', [part('name="file"', 'hello')]],
      ['an empty file name', [part('name="file"; filename=""', '')]],
      ['two files', [file, file]],
      ['a field after the file', [file, part('name="note"', 'x')]],
      ['a field before the file', [part('name="note"', 'x'), file]],
    ])('a form with %s is refused with validation_failed', async (_, parts) => {
      expect(await sendMultipart(parts)).toMatchObject(refused(422, 'validation_failed'));
    });

    test('a body that ends too early is refused with validation_failed', async () => {
      expect(await sendMultipart([file], '')).toMatchObject(refused(422, 'validation_failed'));
    });

    test('a Content-Type without a boundary is refused with validation_failed', async () => {
      const response = await client.send('POST', '/uploads/direct', {
        body: 'x',
        headers: { 'content-type': 'multipart/form-data' },
      });
      expect(response).toMatchObject(refused(422, 'validation_failed'));
    });
  });

  test('401: the body of a refused request is not read to its end', async () => {
    const { status, readBytes } = await sendEndless('nothing', 1024 * 1024 * 1024, 'none');
    expect(status).toBe(401);
    expect(readBytes).toBeLessThan(1_000_000);
  });

  test('a client that disconnects while it waits releases its permit', async () => {
    const leave = Array.from({ length: 20 }, () => {
      const head = { 'x-api-key': workspace.liveKey, 'content-type': 'multipart/form-data; boundary=x' };
      const request = httpRequest(url, { method: 'POST', agent: false, headers: head });
      request.on('error', () => {});
      request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
      return request;
    });
    await sleep(300);
    for (const request of leave.toReversed()) request.destroy(); // first the waiting requests, then those being served
    expect(await client.uploadFile('a.txt', 'hello')).toMatchObject({ status: 201 });
    await sleep(100);
    const { values } = await activeRequests(api.handles.metrics).get();
    expect(values[0]?.value).toBe(0);
  });

  describe('uploads that arrive slowly', () => {
    test('of three workspaces do not block the upload of a fourth, and end with 408 after some seconds', async () => {
      const patient = await openTestApi(smallQuota);
      const slow: ReturnType<typeof openTrickle>[] = [];
      for (let i = 0; i < 3; i++) {
        const { liveKey } = await patient.makeWorkspace();
        for (let j = 0; j < 8; j++)
          slow.push(openTrickle(new URL(`${patient.url}/api/integrations/uploads/direct`), liveKey));
      }
      await sleep(500);
      const other = patient.client((await patient.makeWorkspace()).liveKey);
      const uploaded = await Promise.race([other.uploadFile('a.txt', 'hello'), sleep(5000, 'blocked')]);
      expect(uploaded).toMatchObject({ status: 201 });
      for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 408 /);
    }, 60_000);

    test('of a workspace make its next one 429 with Retry-After, whichever key it uses', async () => {
      const slow = Array.from({ length: 8 }, () => openTrickle(url, workspace.liveKey));
      const uploadNext = async () => {
        const { status, headers } = await api.client(workspace.sandboxKey).uploadFile('a.txt', 'hello');
        return { status, retryAfter: headers.get('retry-after') };
      };
      await expect.poll(uploadNext).toEqual({ status: 429, retryAfter: '5' }); // once the slow ones have arrived
      await Promise.all(slow);
    });
  });

  test('a request whose body arrives too slowly is ended with 408', async () => {
    const response = await openTrickle(url, workspace.liveKey);
    expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*application\/problem\+json[\s\S]*"code":"request_timeout"/);
  });

  test('no scratch file is left behind', () => {
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('assay-upload-'))).toEqual([]);
  });
});

/** Sends a byte of an upload ten times a second until the server responds; returns the response. */
async function openTrickle(to: URL, key: string): Promise<string> {
  const socket = connect(Number(to.port), to.hostname);
  socket.on('error', () => {}); // the server may close while we still write
  socket.write(
    `POST ${to.pathname} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 10000\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
  );
  const trickle = setInterval(() => socket.write('a'), 100);
  try {
    const [response] = await once(socket, 'data');
    return String(response);
  } finally {
    clearInterval(trickle);
    socket.destroy();
  }
}

/** Sends a body without a length until the server stops reading; counts what the server's socket has read. */
async function sendEndless(head: string, limitBytes: number, key = workspace.liveKey) {
  const { promise: accepted, resolve: accept } = Promise.withResolvers<Socket>();
  api.api.server.once('connection', accept);
  const request = httpRequest(url, {
    method: 'POST',
    agent: false,
    headers: {
      'x-api-key': key,
      'content-type': 'multipart/form-data; boundary=x',
      'transfer-encoding': 'chunked',
    },
  });
  request.on('error', () => {}); // the server closes while we still write
  const responded = once(request, 'response');
  request.write(head);
  const endless = function* () {
    for (let sent = 0; sent < limitBytes; sent += chunk.length) yield chunk;
  };
  const chunk = Buffer.alloc(64 * 1024);
  Readable.from(endless()).pipe(request);
  const [response] = await responded;
  let text = '';
  for await (const data of response) text += data;
  request.destroy();
  return { status: response.statusCode, code: JSON.parse(text).code, readBytes: (await accepted).bytesRead };
}
