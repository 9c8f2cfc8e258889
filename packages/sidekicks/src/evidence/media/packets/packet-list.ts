/** Properties of the packets of a video stream, read without decoding them. */
export type Packets = {
  count: number;
  sizeBytes: number;
  /** The number of frames in the longest group of pictures. The last one may be incomplete and still be the longest. */
  groupFramesMax: number;
  /**
   * Whether frames that are shown before a key frame follow it in the file. `null` if none do as far as
   * there are timestamps, but some are missing where it matters.
   */
  hasOpenGroup: boolean | null;
};

const packetLine = /^(-?\d+|N\/A),(\d+),(.)/gm;

/** Reads lines of `pts,size,flags` in file order; `null` if there are none. */
export function readPacketList(csv: string): Packets | null {
  const packets: Packets = { count: 0, sizeBytes: 0, groupFramesMax: 0, hasOpenGroup: null };
  let groupFrames = 0;
  let keyPts = Number.NaN;
  let isUntimed = false; // whether a group other than the first has no timestamps where they matter
  for (const [, pts, size, flag] of csv.matchAll(packetLine)) {
    packets.count++;
    packets.sizeBytes += Number(size);
    const time = Number(pts); // NaN for N/A, which is never less than `keyPts`
    if (!Number.isNaN(time)) packets.hasOpenGroup ??= false;
    if (flag === 'K') {
      groupFrames = 0;
      // Nothing refers to a frame before the first key frame.
      keyPts = packets.count === 1 ? Number.NaN : time;
    } else if (time < keyPts) packets.hasOpenGroup = true;
    groupFrames++;
    // Frames that are shown before a key frame follow it immediately: the two tell whether there are any.
    if (packets.count > groupFrames && groupFrames <= 2 && Number.isNaN(time)) isUntimed = true;
    packets.groupFramesMax = Math.max(packets.groupFramesMax, groupFrames);
  }
  if (isUntimed && !packets.hasOpenGroup) packets.hasOpenGroup = null;
  return packets.count > 0 ? packets : null;
}
