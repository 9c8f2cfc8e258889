/** An MP4 in which the first track names the second as its chapters. The file must end with `moov`. */
export function nameSecondAsChapters(mp4: Buffer): Buffer {
  return nameAsChapters(mp4, { by: 0, trackId: 2 });
}

/** An MP4 in which the second track names the first as its chapters. The file must end with `moov`. */
export function nameFirstAsChapters(mp4: Buffer): Buffer {
  return nameAsChapters(mp4, { by: 1, trackId: 1 });
}

function nameAsChapters(mp4: Buffer, { by, trackId }: { by: number; trackId: number }): Buffer {
  const movie = boxesIn(mp4, 0, mp4.length).find(({ type }) => type === 'moov');
  if (!movie || movie.end !== mp4.length) throw new Error('the file does not end with its moov box');
  const track = boxesIn(mp4, movie.start + 8, movie.end).filter(({ type }) => type === 'trak')[by];
  if (!track) throw new Error('the file has too few tracks');
  const reference = Buffer.alloc(20);
  reference.writeUInt32BE(20, 0);
  reference.write('tref', 4);
  reference.writeUInt32BE(12, 8);
  reference.write('chap', 12);
  reference.writeUInt32BE(trackId, 16);
  const longer = Buffer.concat([mp4.subarray(0, track.end), reference, mp4.subarray(track.end)]);
  for (const { start, end } of [movie, track]) longer.writeUInt32BE(end - start + reference.length, start);
  return longer;
}

function boxesIn(bytes: Buffer, from: number, to: number) {
  const boxes: { type: string; start: number; end: number }[] = [];
  for (let start = from; start + 8 <= to; ) {
    const end = start + bytes.readUInt32BE(start);
    boxes.push({ type: bytes.toString('latin1', start + 4, start + 8), start, end });
    if (end <= start) break;
    start = end;
  }
  return boxes;
}
