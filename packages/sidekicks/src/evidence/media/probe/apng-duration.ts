import type { Source } from '@assay/jail/source/source.ts';
import { createByteCursor } from '../../file/bytes/byte-cursor.ts';

const signatureBytes = 8;
const checksumBytes = 4;
/** ffmpeg shows a frame for this long if it declares no delay. */
const defaultDelaySeconds = 1 / 15;

/** How long an animated PNG plays once: the sum of the delays of its frames (`fcTL`). ffprobe does not tell it. */
export async function readApngSeconds(source: Source): Promise<number> {
  const cursor = createByteCursor(source, signatureBytes, source.bytes.sizeBytes);
  let seconds = 0;
  for (;;) {
    if (!cursor.has(8)) await cursor.fill();
    const head = cursor.take(8);
    if (head.length < 8) return seconds;
    const [sizeBytes, name] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
    if (name === 'IEND') return seconds;
    if (name !== 'fcTL' || sizeBytes !== 26) {
      cursor.skip(sizeBytes + checksumBytes);
      continue;
    }
    if (!cursor.has(sizeBytes)) await cursor.fill();
    const control = cursor.take(sizeBytes);
    if (control.length < sizeBytes) return seconds;
    const [delay, denominator] = [control.readUInt16BE(20), control.readUInt16BE(22)];
    seconds += delay === 0 ? defaultDelaySeconds : delay / (denominator || 100);
    cursor.skip(checksumBytes);
  }
}
