import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { makePdf, streamObject } from '@assay/testing/media/make-pdf.ts';
import type { ApiResponse, Client } from '@assay/testing/service/client.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import type { FileKind } from './measured.ts';

/** A file whose examination is measured. Audio and video have a duration. */
export type CostFile = { kind: FileKind; what: string; blobPath: string; bytes: number; seconds?: number };

const lavfi = (source: string) => ['-f', 'lavfi', '-i', source];
const noisySound = lavfi('anoisesrc=c=pink:r=48000:a=0.2');
const stereo = ['-c:a', 'aac', '-ac', '2'];

type Recipe = { what: string; type: string; seconds?: number; make(): Promise<{ name: string; bytes: Uint8Array }> };

async function madeByFfmpeg(extension: string, args: string[]) {
  const path = await makeWithFfmpeg(extension, args);
  return { name: `cost${extension}`, bytes: await readFile(path) };
}

/** One file of each kind. Noise prevents that frames repeat, so that no part of an examination can be skipped. */
const recipes: Record<Exclude<FileKind, 'text'>, Recipe> = {
  image: {
    what: 'a photo of 12 megapixels',
    type: 'image/jpeg',
    make: () =>
      madeByFfmpeg('.jpg', [
        ...lavfi('mandelbrot=s=4000x3000:r=1,noise=alls=18:allf=u'),
        ...['-frames:v', '1', '-q:v', '3'],
      ]),
  },
  document: {
    what: 'a PDF with 400 objects',
    type: 'application/pdf',
    make: async () => ({ name: 'cost.pdf', bytes: makeLongPdf() }),
  },
  audio: {
    what: '30 s of stereo sound',
    type: 'audio/mp4',
    seconds: 30,
    make: () => madeByFfmpeg('.m4a', [...noisySound, '-t', '30', ...stereo]),
  },
  video: {
    what: '10 s of 1080p at 25 frames/s and 15 Mb/s, with sound',
    type: 'video/mp4',
    seconds: 10,
    make: () =>
      madeByFfmpeg('.mp4', [
        ...[...lavfi('testsrc2=s=1920x1080:r=25,noise=alls=10:allf=t+u'), ...noisySound, '-t', '10'],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '15M', '-pix_fmt', 'yuv420p', '-g', '50', ...stereo],
      ]),
  },
};

/** Uploads one file of each kind. */
export async function uploadCostFiles(client: Client): Promise<CostFile[]> {
  const files: CostFile[] = [];
  for (const [kind, { what, type, seconds, make }] of Object.entries(recipes)) {
    const { name, bytes } = await make();
    const { body } = await requestUploadUrl(client, name, type);
    await putBlob(body.uploadUrl, bytes, { 'content-type': type });
    files.push({
      kind: kind as FileKind,
      what: `${what}, ${(bytes.length / 1e6).toFixed(1)} MB`,
      blobPath: body.blobPath,
      bytes: bytes.length,
      ...(seconds && { seconds }),
    });
  }
  return files;
}

/** Requests a URL for the upload of a file. */
export async function requestUploadUrl(client: Client, filename: string, contentType: string): Promise<ApiResponse> {
  const response = await client.post('/uploads/url', { filename, contentType });
  if (!response.body.uploadUrl) throw new Error(`no upload URL: ${response.status} ${JSON.stringify(response.body)}`);
  return response;
}

/** A PDF with as many objects as a brochure; every stream is compressed text. */
function makeLongPdf(): Uint8Array {
  const text = (i: number) => Array.from({ length: 200 }, (_, line) => `(${i} ${line ** 3 % 8191}) Tj T*`).join('\n');
  return makePdf({
    objects: Array.from({ length: 400 }, (_, i) => streamObject('/Filter /FlateDecode', deflateSync(text(i)))),
  });
}
