import { be, latin } from './bytes.ts';

export const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const payload = Buffer.concat(parts);
  return Buffer.concat([be.u32(payload.length + 8), latin(type), payload]);
};

/** A box with version and flags. */
export const fullBox = (type: string, ...parts: Uint8Array[]) => box(type, be.u32(0), ...parts);

/** A box that says of its size what it likes. */
export const lyingBox = (type: string, claimedBytes: number, ...parts: Uint8Array[]) =>
  Buffer.concat([be.u32(claimedBytes), latin(type), ...parts]);

export const lyingLargeBox = (type: string, claimedBytes: bigint, ...parts: Uint8Array[]) =>
  Buffer.concat([be.u32(1), latin(type), be.u64(claimedBytes), ...parts]);

export const fileType = box('ftyp', latin('isom'), be.u32(512), latin('isomiso2avc1mp41'));

export const sampleTable = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/**
 * The same film with the payload of each box at this path changed to what is given back; `null` takes the box out.
 * The sizes of what stands around it follow. The film must have its head last: places of samples do not.
 */
export function changeBoxes(
  film: Uint8Array,
  path: readonly string[],
  change: (payload: Buffer) => Uint8Array | null,
): Buffer {
  const [type, ...rest] = path;
  const changed = boxesOf(film).map(({ type: itsType, payload, whole }) => {
    if (itsType !== type) return whole;
    const after = rest.length > 0 ? changeBoxes(payload, rest, change) : change(payload);
    return after === null ? Buffer.alloc(0) : box(itsType, after);
  });
  return Buffer.concat(changed);
}

/** Puts more into the box at this path. */
export const addToBox = (film: Uint8Array, path: readonly string[], ...more: Uint8Array[]) =>
  changeBoxes(film, path, (payload) => Buffer.concat([payload, ...more]));

export function boxesOf(bytes: Uint8Array): { type: string; payload: Buffer; whole: Buffer }[] {
  const whole = Buffer.from(bytes);
  const boxes = [];
  for (let at = 0; at + 8 <= whole.length; ) {
    const sizeBytes = Math.max(8, whole.readUInt32BE(at));
    const one = whole.subarray(at, at + sizeBytes);
    boxes.push({ type: one.toString('latin1', 4, 8), payload: one.subarray(8), whole: one });
    at += sizeBytes;
  }
  return boxes;
}
