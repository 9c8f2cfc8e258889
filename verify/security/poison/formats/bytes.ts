/** Numbers in container formats: `be` is big-endian (ISO media, PNG, Matroska), `le` is little-endian (RIFF, GIF). */
export const u8 = (...values: number[]) => Buffer.from(values);

export const be = {
  u16: (...values: number[]) => numbers(values, 2, (bytes, value, at) => bytes.writeUInt16BE(value & 0xffff, at)),
  u32: (...values: number[]) => numbers(values, 4, (bytes, value, at) => bytes.writeUInt32BE(value >>> 0, at)),
  u64: (...values: bigint[]) => numbers(values, 8, (bytes, value, at) => bytes.writeBigUInt64BE(value, at)),
};

export const le = {
  u16: (...values: number[]) => numbers(values, 2, (bytes, value, at) => bytes.writeUInt16LE(value & 0xffff, at)),
  u32: (...values: number[]) => numbers(values, 4, (bytes, value, at) => bytes.writeUInt32LE(value >>> 0, at)),
};

export const MiB = 1024 * 1024;

/** Repeats the bytes this many times. */
export const repeatBytes = (count: number, bytes: Uint8Array) => Buffer.alloc(count * bytes.length, bytes);

export const latin = (text: string) => Buffer.from(text, 'latin1');

/** Returns a copy of these bytes, overwritten from this offset on. */
export function overwrite(bytes: Uint8Array, at: number, ...parts: Uint8Array[]): Buffer {
  const changed = Buffer.from(bytes);
  changed.set(Buffer.concat(parts).subarray(0, Math.max(0, changed.length - at)), at);
  return changed;
}

/** The offset of the n-th occurrence of these bytes; throws if there is none, which means that the recipe is wrong. */
export function offsetOf(bytes: Uint8Array, needle: string | Uint8Array, n = 1): number {
  const whole = Buffer.from(bytes);
  const pattern = typeof needle === 'string' ? latin(needle) : Buffer.from(needle);
  let at = -1;
  for (let found = 0; found < n; found++) {
    at = whole.indexOf(pattern, at + 1);
    if (at < 0) throw new Error(`occurrence ${n} of ${pattern.toString('latin1')} not found`);
  }
  return at;
}

/** CRC-32 with the usual polynomial, but not reflected: as in transport streams and Ogg. */
export function plainCrc32(bytes: Uint8Array, first: number): number {
  let sum = first;
  for (const byte of bytes) {
    sum = (sum ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1) >>> 0;
  }
  return sum;
}

function numbers<T>(values: T[], width: number, write: (bytes: Buffer, value: T, at: number) => void): Buffer {
  const bytes = Buffer.alloc(values.length * width);
  for (const [i, value] of values.entries()) write(bytes, value, i * width);
  return bytes;
}
