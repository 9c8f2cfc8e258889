import { readFileSync } from 'node:fs';
import { crc32, createDeflate } from 'node:zlib';
import { makePng } from '@assay/sidekicks/evidence/file/samples/make-image.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { openFixture } from '#verify/security/poison/fixture.ts';
import { recipes, sampleOf } from '#verify/security/poison/recipes.ts';
import type { Hostile } from './beside-hostile.ts';

type HostileFile = Hostile['files'][number];

const MiB = 2 ** 20;
const packedMebibytes = 2900;
/** The longest that is accepted. */
const soundHours = 6;

/** Some recipes of every kind of hostile file. */
export async function makePoison(perKind: number): Promise<HostileFile[]> {
  const fixture = await openFixture();
  const files = sampleOf(recipes, perKind).map((recipe) => {
    const bytes = recipe.make(fixture);
    return { filename: recipe.filename, bytes: () => bytes };
  });
  fixture.close();
  return files;
}

/** An image of 2.9 MB whose text, after the pixels, unpacks to 2.9 GB. */
export async function makeTextBomb(): Promise<HostileFile> {
  const image = makePng(64, 64);
  const atEnd = image.length - 12; // before the chunk IEND
  const text = Buffer.concat([Buffer.from('zTXtComment\0\0'), await packZeros()]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(text.length - 4, 0);
  frame.writeUInt32BE(crc32(text), 4);
  const bytes = Buffer.concat([
    image.subarray(0, atEnd),
    frame.subarray(0, 4),
    text,
    frame.subarray(4),
    image.subarray(atEnd),
  ]);
  return { filename: 'bomb.png', bytes: () => bytes };
}

async function packZeros(): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 });
  const zeros = Buffer.alloc(MiB);
  const chunks: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (let i = 0; i < packedMebibytes; i++) {
    if (!deflate.write(zeros)) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  await new Promise<void>((resolve) => deflate.end(resolve));
  return Buffer.concat(chunks);
}

/** A small file of still frames in 4K at 60 frames a second. */
export async function makeCostlyVideo(): Promise<HostileFile> {
  const path = await makeWithFfmpeg('.mp4', [
    ...['-f', 'lavfi', '-i', 'color=gray:s=3840x2160:r=60', '-t', '20'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'stillimage', '-g', '600', '-pix_fmt', 'yuv420p'],
  ]);
  return { filename: 'costly.mp4', bytes: () => readFileSync(path) };
}

/** Hours of sound in a file of some megabytes. */
export async function makeCostlySound(): Promise<HostileFile> {
  const minute = await makeWithFfmpeg('.m4a', [
    ...['-f', 'lavfi', '-i', 'anoisesrc=a=0.1:r=48000', '-t', '60'],
    ...['-c:a', 'aac', '-b:a', '24k', '-ac', '1'],
  ]);
  const path = await makeWithFfmpeg('.m4a', [
    ...['-stream_loop', `${soundHours * 60 - 1}`, '-i', minute, '-c', 'copy'],
  ]);
  return { filename: 'costly.m4a', bytes: () => readFileSync(path) };
}
