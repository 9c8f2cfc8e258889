import type { Source } from '@assay/jail/source/source.ts';
import { readBytes } from '../bytes/read-bytes.ts';

const signature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** The stream that has the encrypted Office package, as the directory of a compound file names it. */
const streamName = Buffer.from('EncryptedPackage', 'utf16le');
/** Programs write the few entries of such a directory without gaps. */
const directoryBytes = 4096;
const windowBytes = 1024 * 1024;

/** Whether the file is an Office file that is encrypted with a password: a compound file around an encrypted package. */
export async function isEncryptedOffice({ bytes }: Pick<Source, 'bytes'>): Promise<boolean> {
  const head = await readBytes(bytes, 0, 64);
  if (head.length < 64 || !head.subarray(0, 8).equals(signature)) return false;
  const sectorBytes = 2 ** Math.min(16, head.readUInt16LE(30));
  const directoryAt = (head.readUInt32LE(48) + 1) * sectorBytes;
  const directory = await readBytes(bytes, directoryAt, directoryBytes);
  // Other programs put the directory at the end, where it may have gaps.
  const end = await readBytes(bytes, Math.max(0, bytes.sizeBytes - windowBytes), windowBytes);
  return [directory, end].some((part) => part.includes(streamName));
}
