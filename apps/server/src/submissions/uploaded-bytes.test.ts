import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assetBytesMax, type Category } from '@assay/contract/limits.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { liftedLimits, openTestApi, testEnvironment } from '../../../../test/support/api.ts';
import { sample } from '../../../../test/support/samples.ts';

const MiB = 1024 * 1024;
const storage = await openCountingStorage(testEnvironment().BLOB_URL as string);
const api = await openTestApi({ ...liftedLimits, BLOB_URL: storage.url });
const client = api.client((await api.makeWorkspace()).liveKey);

type File = { filename: string; contentType: string };
const files: Record<Category, File> = {
  video: { filename: 'clip.mp4', contentType: 'video/mp4' },
  audio: { filename: 'tone.wav', contentType: 'audio/wav' },
  image: { filename: 'still.png', contentType: 'image/png' },
  document: { filename: 'note.txt', contentType: 'text/plain' },
};

/** Puts these pieces one after another. Storage takes a piece once, however often it stands in the list. */
async function putPieces(file: File, pieces: Uint8Array[]): Promise<string> {
  const { body } = await client.post('/uploads/url', file);
  const put = async (query: string, content: Uint8Array | string) => {
    const request = { method: 'PUT', body: content as Uint8Array<ArrayBuffer> };
    const { status } = await fetch(`${body.uploadUrl}&${query}`, request);
    if (status !== 201) throw new Error(`the storage answered ${status}`);
  };
  const known = [...new Set(pieces)];
  const nameOf = (piece: Uint8Array) => Buffer.from(String(known.indexOf(piece))).toString('base64');
  for (const piece of known) await put(`comp=block&blockid=${encodeURIComponent(nameOf(piece))}`, piece);
  const list = pieces.map((piece) => `<Latest>${nameOf(piece)}</Latest>`).join('');
  await put('comp=blocklist', `<BlockList>${list}</BlockList>`);
  return body.blobPath;
}

/** This head and then zeros or another filling, exactly so many bytes. */
function fill(sizeBytes: number, head: Uint8Array, filling = 0): Uint8Array[] {
  const large = Buffer.alloc(2 * MiB, filling);
  const rest = sizeBytes - head.length;
  const count = Math.floor(rest / large.length);
  return [head, ...Array(count).fill(large), Buffer.alloc(rest % large.length, filling)].filter(
    ({ length }) => length > 0,
  );
}

const submitBlob = (blobPath: string) => client.post('/submissions', { assets: [{ blobPath }] });
const empty = new Uint8Array();

describe('the bytes of a submitted file', () => {
  test.each([
    ['video', sample('clip.mp4'), 0],
    ['audio', sample('tone.wav'), 0],
    ['image', sample('still.png'), 0],
    ['document', empty, 0x61],
  ] as [Category, Uint8Array, number][])('%s: 201 at the cap, 413 above (§8.1b)', async (category, head, filling) => {
    const cap = assetBytesMax[category];
    const file = files[category];
    expect(await submitBlob(await putPieces(file, fill(cap, head, filling)))).toMatchObject({ status: 201 });
    expect(await submitBlob(await putPieces(file, fill(cap + 1, head, filling)))).toMatchObject({
      status: 413,
      body: { code: 'asset_too_large', errors: [{ pointer: '/assets/0/blobPath' }] },
    });
  });

  test.each(['video', 'audio', 'document'] as Category[])(
    '%s of many megabytes: a few ranges are read, never the whole',
    async (category) => {
      const head = { video: sample('clip.mp4'), audio: sample('tone.wav'), image: empty, document: empty }[category];
      const blobPath = await putPieces(files[category], fill(90 * MiB, head, category === 'document' ? 0x61 : 0));
      const before = storage.bytesRead;
      expect(await submitBlob(blobPath)).toMatchObject({ status: 201 });
      const read = storage.bytesRead - before;
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(3 * MiB);
    },
  );

  test.each([
    ['the first bytes', [Buffer.from('\0'), Buffer.alloc(4 * MiB, 'a')]],
    ['the last bytes', [Buffer.alloc(4 * MiB, 'a'), Buffer.from('\0')]],
    ['all but the first bytes', [Buffer.alloc(64 * 1024, 'a'), randomBytes(5 * MiB)]],
  ])('a large text that is none in %s: 415', async (_, pieces) => {
    expect(await submitBlob(await putPieces(files.document, pieces))).toMatchObject({
      status: 415,
      body: { code: 'content_type_mismatch' },
    });
  });

  test('a large text of characters that are longer than a byte', async () => {
    const pieces = fill(6 * MiB, Buffer.from('世𝄞é'.repeat(200_001)), 0x61);
    expect(await submitBlob(await putPieces(files.document, pieces))).toMatchObject({ status: 201 });
  });

  test('an empty text is a text, an empty picture is no picture', async () => {
    const put = async (file: File) => {
      const { body } = await client.post('/uploads/url', file);
      await fetch(body.uploadUrl, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: '' });
      return body.blobPath;
    };
    expect(await submitBlob(await put(files.document))).toMatchObject({ status: 201 });
    expect(await submitBlob(await put(files.image))).toMatchObject({ status: 415 });
  });

  test.each([
    ['a picture as a film', files.video, 'still.png'],
    ['a film as a sound', files.audio, 'clip.mp4'],
    ['a sound as a picture', files.image, 'tone.wav'],
    ['a picture as a text', files.document, 'still.png'],
    ['a picture as another kind of picture', files.image, 'still.jpg'],
  ])('415 content_type_mismatch: %s (§4.3k, §8.1d)', async (_, file, name) => {
    expect(await submitBlob(await putPieces(file, [sample(name)]))).toMatchObject({
      status: 415,
      body: { code: 'content_type_mismatch', errors: [{ pointer: '/assets/0/blobPath' }] },
    });
  });
});

/** The real storage behind an address of its own, which counts what is read from it. */
async function openCountingStorage(url: string) {
  const { hostname, port, pathname } = new URL(url);
  const counted = { url: '', bytesRead: 0 };
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => {
        if (method === 'GET') counted.bytesRead += chunk.length;
      });
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  counted.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return counted;
}
