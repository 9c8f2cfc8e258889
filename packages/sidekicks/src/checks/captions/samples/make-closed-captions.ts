const resumeLoading = [0x14, 0x20];
const bottomRow = [0x14, 0x70];
const endOfCaption = [0x14, 0x2f];
const paddingPair = [0, 0];

/** Adds CEA-608 to a raw stream with one slice per frame: two bytes per frame, as ATSC A/53 Part 4 defines. */
export function withClosedCaptions(video: Buffer, words: string, codec: 'mpeg2video' | 'h264'): Buffer {
  const pairs = [resumeLoading, resumeLoading, bottomRow, bottomRow, ...bytePairsOf(words), endOfCaption, endOfCaption];
  const parts: Buffer[] = [];
  let from = 0;
  for (const at of codec === 'h264' ? slicesOfH264(video) : slicesOfMpeg2(video)) {
    const data = captionData(pairs.shift() ?? paddingPair);
    parts.push(video.subarray(from, at), codec === 'h264' ? asSei(data) : asUserData(data));
    from = at;
  }
  return Buffer.concat([...parts, video.subarray(from)]);
}

/** The byte offset of the first slice of every frame. */
function slicesOfMpeg2(video: Buffer): number[] {
  return startCodes(video).filter((at) => video[at + 3] === 1);
}

function slicesOfH264(video: Buffer): number[] {
  return startCodes(video).filter((at) => [1, 5].includes((video[at + 3] ?? 0) & 0x1f));
}

function startCodes(video: Buffer): number[] {
  const found: number[] = [];
  for (let at = video.indexOf('\0\0\x01', 0, 'latin1'); at >= 0; at = video.indexOf('\0\0\x01', at + 3, 'latin1')) {
    found.push(at);
  }
  return found;
}

function bytePairsOf(words: string): number[][] {
  const codes = [...words].map((character) => character.charCodeAt(0));
  return Array.from({ length: Math.ceil(codes.length / 2) }, (_, i) => [codes[2 * i] ?? 0, codes[2 * i + 1] ?? 0]);
}

function captionData(pair: readonly number[]): number[] {
  return [...Buffer.from('GA94', 'latin1'), 3, 0xc1, 0xff, 0xfc, ...pair.map(withOddParity), 0xff];
}

function asUserData(data: readonly number[]): Buffer {
  return Buffer.from([0, 0, 1, 0xb2, ...data]);
}

function asSei(data: readonly number[]): Buffer {
  const registered = [0xb5, 0, 0x31, ...data];
  return Buffer.from([0, 0, 1, 6, 4, registered.length, ...registered, 0x80]);
}

function withOddParity(code: number): number {
  const ones = [...code.toString(2)].filter((bit) => bit === '1').length;
  return ones % 2 === 1 ? code : code | 0x80;
}
