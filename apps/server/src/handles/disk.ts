import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** With less free space, the next file may not fit. */
const freeBytesMin = 256 * 1024 * 1024;

/** Health check: fails when the folder for scratch files is nearly full. */
export async function checkDisk(): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < freeBytesMin) throw new Error(`${tmpdir()} has ${bavail * bsize} bytes left`);
}
