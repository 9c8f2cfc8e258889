import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@assay/server/config/config.ts';
import { openInstance } from '@assay/stack/instance.ts';
import { bucketFolderOf } from '@assay/stack/parts/versitygw.ts';
import { putBlob } from './blobs.ts';

const sentBytesMax = 128 * 1024 * 1024;

type UploadUrl = { uploadUrl: string; blobPath: string };

/** Uploads a blob of these pieces, many of them repeated, without sending gigabytes. */
export async function putRepeated({ OBJECT_STORE }: Config, issued: UploadUrl, pieces: Uint8Array[]): Promise<void> {
  if (OBJECT_STORE === 'azure') return putBlocks(issued, pieces);
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  if (sizeBytes <= sentBytesMax) return void (await putBlob(issued.uploadUrl, Buffer.concat(pieces)));
  return putWithHole(issued, pieces, sizeBytes);
}

/** Each different piece is one block, which the block list can contain many times. */
async function putBlocks({ uploadUrl }: UploadUrl, pieces: Uint8Array[]): Promise<void> {
  const known = [...new Set(pieces)];
  const nameOf = (piece: Uint8Array) => Buffer.from(String(known.indexOf(piece))).toString('base64');
  // Not `putBlob`: with its header, Azurite would store the block list as the content.
  const put = async (query: string, content: Uint8Array | string) => {
    const request = { method: 'PUT', body: content as Uint8Array<ArrayBuffer> };
    const { status } = await fetch(`${uploadUrl}&${query}`, request);
    if (status !== 201) throw new Error(`storage answered ${status}`);
  };
  for (const piece of known) await put(`comp=block&blockid=${encodeURIComponent(nameOf(piece))}`, piece);
  const list = pieces.map((piece) => `<Latest>${nameOf(piece)}</Latest>`).join('');
  await put('comp=blocklist', `<BlockList>${list}</BlockList>`);
}

/** versitygw stores an object as a file, so zeros at the end need not be sent: they become a hole in the file. */
async function putWithHole({ uploadUrl, blobPath }: UploadUrl, pieces: Uint8Array[], sizeBytes: number): Promise<void> {
  const [head, ...rest] = pieces as [Uint8Array, ...Uint8Array[]];
  const isZeros = (piece: Uint8Array) => Buffer.alloc(piece.length).equals(piece);
  if (![...new Set(rest)].every(isZeros)) throw new Error('only zeros may follow the first piece');
  await putBlob(uploadUrl, head);
  truncateSync(join(bucketFolderOf(openInstance('test')), blobPath), sizeBytes);
}
