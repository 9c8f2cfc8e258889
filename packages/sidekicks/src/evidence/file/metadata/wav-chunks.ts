import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';

/** A file that exceeds these is not copied: its metadata is not read, and the check says so. */
const chunksMax = 10_000;
const bytesMax = 16 * 1024 * 1024;
const headBytes = 12;
const sizeIn64Bits = 0xffffffff;

/**
 * Returns a WAV file with all chunks of a BW64 file (ITU-R BS.2088) but its audio. ExifTool does not know BW64, which
 * differs from RF64 only in its first two letters. `null` if the file is no BW64, is damaged, or has more than is copied.
 */
export async function copyBw64Chunks({ bytes, signal }: Pick<Source, 'bytes' | 'signal'>): Promise<Buffer | null> {
  const head = await readBytes(bytes, 0, headBytes);
  if (!/^BW64[\s\S]{4}WAVE$/.test(head.toString('latin1'))) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  let audioBytes = sizeIn64Bits;
  for (let at = headBytes, count = 0; at + 8 <= bytes.sizeBytes; count++) {
    signal.throwIfAborted();
    const chunk = await readBytes(bytes, at, 8);
    const name = chunk.toString('latin1', 0, 4);
    const declared = chunk.readUInt32LE(4);
    if (count === chunksMax || !/^[ -~]{4}$/.test(name)) return null;
    if (name === 'ds64') audioBytes = await readAudioBytes(bytes, at + 8);
    const size = name === 'data' && declared === sizeIn64Bits ? audioBytes : declared;
    const padded = size + (size % 2);
    if (name !== 'ds64' && name !== 'data') {
      length += 8 + padded;
      if (length > bytesMax) return null;
      chunks.push(chunk, await readBytes(bytes, at + 8, padded));
    }
    at += 8 + padded;
  }
  const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks, Buffer.from('data\0\0\0\0')]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** The second number of the chunk `ds64`, each of which has 64 bits. */
async function readAudioBytes(bytes: Source['bytes'], at: number): Promise<number> {
  const sizes = await readBytes(bytes, at, 16);
  return sizes.length === 16 ? Number(sizes.readBigUInt64LE(8)) : sizeIn64Bits;
}
