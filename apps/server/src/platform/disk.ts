import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** With less free space, the next scratch file may not fit. */
const freeBytesMin = 256 * 1024 * 1024;

/** Health check: fails when the folder for scratch files is nearly full. Returns its free bytes. */
export async function checkDisk(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  const freeBytes = bavail * bsize;
  if (freeBytes < freeBytesMin) throw new Error(`${tmpdir()} has ${freeBytes} bytes left`);
  return freeBytes;
}
