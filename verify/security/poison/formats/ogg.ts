import { plainCrc32 } from './bytes.ts';

/** Splits an Ogg file into pages; each starts with its signature and contains its length. */
export function pagesOf(bytes: Uint8Array): Buffer[] {
  const whole = Buffer.from(bytes);
  const pages: Buffer[] = [];
  for (let at = 0; at + 27 <= whole.length; ) {
    const segments = whole[at + 26] as number;
    const lacing = whole.subarray(at + 27, at + 27 + segments);
    const end = at + 27 + segments + lacing.reduce((sum, length) => sum + length, 0);
    pages.push(whole.subarray(at, end));
    at = end;
  }
  return pages;
}

/** Returns the page with a different position, stream and number, and a correct checksum. */
export function changePage(
  page: Uint8Array,
  { granule, serial, number }: { granule?: bigint; serial?: number; number?: number },
): Buffer {
  const changed = Buffer.from(page);
  if (granule !== undefined) changed.writeBigUInt64LE(BigInt.asUintN(64, granule), 6);
  if (serial !== undefined) changed.writeUInt32LE(serial, 14);
  if (number !== undefined) changed.writeUInt32LE(number, 18);
  changed.writeUInt32LE(0, 22);
  changed.writeUInt32LE(plainCrc32(changed, 0), 22);
  return changed;
}
