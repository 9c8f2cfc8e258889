/** The part of a movie that is presented. */
type Kept = { startSeconds: number; seconds: number };

const secondsToTicks = (seconds: number, timescale: number) => Math.round(seconds * timescale);

/**
 * Sets the edit list of every track of a QuickTime movie, so that only this part is presented, and the durations that
 * depend on it. The muxer has written a list with one edit that presents the whole track.
 */
export function trimByEditList(movie: Uint8Array, { startSeconds, seconds }: Kept): Buffer {
  const bytes = Buffer.from(movie);
  const movieHeader = onlyBox(bytes, 'mvhd');
  const movieTimescale = bytes.readUInt32BE(movieHeader + 12);
  const duration = secondsToTicks(seconds, movieTimescale);
  bytes.writeUInt32BE(duration, movieHeader + 16);
  for (const trackHeader of boxes(bytes, 'tkhd')) bytes.writeUInt32BE(duration, trackHeader + 20);
  const mediaHeaders = boxes(bytes, 'mdhd');
  const editLists = boxes(bytes, 'elst');
  if (editLists.length !== mediaHeaders.length) throw new Error('a track without an edit list');
  for (const [i, editList] of editLists.entries()) {
    const timescale = bytes.readUInt32BE((mediaHeaders[i] as number) + 12);
    if (bytes.readUInt32BE(editList + 4) !== 1) throw new Error('an edit list with more than one edit');
    bytes.writeUInt32BE(duration, editList + 8);
    bytes.writeInt32BE(secondsToTicks(startSeconds, timescale), editList + 12);
  }
  return bytes;
}

/** Where the content of each box of this type begins. All are of version 0, because the movie is short. */
function boxes(bytes: Buffer, type: string): number[] {
  const index = bytes.lastIndexOf('moov');
  const found: number[] = [];
  for (let at = bytes.indexOf(type, index); at !== -1; at = bytes.indexOf(type, at + 4)) {
    if (bytes[at + 4] !== 0) throw new Error(`${type} of another version`);
    found.push(at + 4);
  }
  return found;
}

function onlyBox(bytes: Buffer, type: string): number {
  const [first, ...others] = boxes(bytes, type);
  if (first === undefined || others.length > 0) throw new Error(`not one ${type}`);
  return first;
}
