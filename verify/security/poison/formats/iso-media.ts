import { be, latin } from './bytes.ts';

export const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const payload = Buffer.concat(parts);
  return Buffer.concat([be.u32(payload.length + 8), latin(type), payload]);
};

/** A box with version and flags. */
export const fullBox = (type: string, ...parts: Uint8Array[]) => box(type, be.u32(0), ...parts);

/** A box with a false size. */
export const boxWithSize = (type: string, claimedBytes: number, ...parts: Uint8Array[]) =>
  Buffer.concat([be.u32(claimedBytes), latin(type), ...parts]);

export const largeBoxWithSize = (type: string, claimedBytes: bigint, ...parts: Uint8Array[]) =>
  Buffer.concat([be.u32(1), latin(type), be.u64(claimedBytes), ...parts]);

export const fileType = box('ftyp', latin('isom'), be.u32(512), latin('isomiso2avc1mp41'));

export const sampleTable = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/**
 * Replaces the payload of each box at this path with the result of the callback; `null` removes the box. The sizes of
 * the enclosing boxes are updated, sample offsets are not, so the video must have its `moov` box last.
 */
export function changeBoxes(
  video: Uint8Array,
  path: readonly string[],
  change: (payload: Buffer) => Uint8Array | null,
): Buffer {
  const [type, ...rest] = path;
  const changed = boxesOf(video).map(({ type: boxType, payload, whole }) => {
    if (boxType !== type) return whole;
    const after = rest.length > 0 ? changeBoxes(payload, rest, change) : change(payload);
    return after === null ? Buffer.alloc(0) : box(boxType, after);
  });
  return Buffer.concat(changed);
}

/** Appends bytes to the box at this path. */
export const addToBox = (video: Uint8Array, path: readonly string[], ...more: Uint8Array[]) =>
  changeBoxes(video, path, (payload) => Buffer.concat([payload, ...more]));

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
