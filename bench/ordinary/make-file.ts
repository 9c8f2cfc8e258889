import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { isFromRecordings, type Recipe } from './recipe.ts';

const run = promisify(execFile);
const secondsMax = 120;

/** Makes the file in this folder; returns its path. */
export async function makeFile(folder: string, filename: string, recipe: Recipe): Promise<string> {
  const path = join(folder, filename);
  const timeout = secondsMax * 1000;
  if (recipe.bytes) await writeFile(path, recipe.bytes());
  if (recipe.ffmpeg && isFromRecordings(recipe))
    await run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...recipe.ffmpeg, path], { timeout });
  else if (recipe.ffmpeg) await copyFile(await makeWithFfmpeg(extname(filename), recipe.ffmpeg), path);
  if (recipe.exiftool) await run('exiftool', ['-q', '-overwrite_original', ...recipe.exiftool, path], { timeout });
  const change = async (work: (bytes: Buffer) => Uint8Array) => writeFile(path, work(await readFile(path)));
  const { turnedDegrees, keptShare, damagedBytes, appended } = recipe;
  if (turnedDegrees) await change((bytes) => setRotation(bytes, turnedDegrees));
  if (keptShare) await change((bytes) => bytes.subarray(0, Math.floor(bytes.length * keptShare)));
  if (damagedBytes) await change((bytes) => bytes.fill(0x55, middle(bytes), middle(bytes) + damagedBytes));
  if (appended) await change((bytes) => Buffer.concat([bytes, appended()]));
  return path;
}

function middle({ length }: Buffer): number {
  return Math.floor(length / 2);
}

/** Writes a rotation matrix to the first track, which is the video: at byte 48 of its header, in 16.16 fixed point. */
function setRotation(bytes: Buffer, degrees: 90 | 180): Buffer {
  const matrixAt = bytes.indexOf('tkhd') - 4 + 48;
  const turned = degrees === 90 ? [0, 1, 0, -1, 0, 0] : [-1, 0, 0, 0, -1, 0];
  for (const [i, value] of turned.entries()) bytes.writeInt32BE(value * 0x10000, matrixAt + 4 * i);
  return bytes;
}
