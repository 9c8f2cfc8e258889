import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** With less free space, the next file may not fit. */
const freeBytesMin = 256 * 1024 * 1024;

/** Health check: fails when the folder for scratch files is nearly full. */
export async function checkDisk(): Promise<void> {
  const freeBytes = await measureScratch();
  if (freeBytes < freeBytesMin) throw new Error(`${tmpdir()} has ${freeBytes} bytes left`);
}

/** The free bytes in the folder for scratch files. */
export async function measureScratch(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize;
}
