/** A second, less what the rounding of time stamps to milliseconds may take from 30 pictures of a thirtieth. */
const secondSpan = 0.998;
const bitsPerWord = 32;
/** More pictures than 512 a second have broken time stamps; the older ones of them are forgotten. */
const chunksMax = 16;

type Chunk = { firstFrame: number; words: Int32Array };

/** Of each pixel, at which pictures of the last second it made a transition, as bits, and in which direction the last. */
export type History = {
  /** Newest first; the words of a chunk are 32 pictures of each pixel. */
  chunks: Chunk[];
  /** 0: none yet, 1: up or to red, 2: down or from red. */
  directions: Uint8Array;
  frame: number;
  /** Of the latest picture, at [0], and of those before it. */
  secondsOf(age: number): number;
  transitionsOf(age: number): number;
  /** Pictures of the last second, the latest among them. */
  span(): number;
  begin(frame: number, seconds: number): void;
  /** Notes a pixel's transition at the latest picture. */
  note(pixel: number, direction: number): void;
  /** Notes one in the same direction as the last, which it takes the place of: together they count once, the later. */
  noteAgain(pixel: number): void;
  /** The words of each pixel, and the bits of them that lie within the last second. */
  live(): { words: Int32Array; bits: number }[];
  /** How many pictures ago the pixel made its last transition that is still known; else a large number. */
  ageOfLast(pixel: number): number;
};

/** Who looks only now and then looks back further than a second by as much, and so misses none. */
export function createHistory(pixels: number, lookedAtEverySeconds = 0): History {
  const lookBackSeconds = secondSpan + lookedAtEverySeconds;
  const kept = chunksMax * bitsPerWord;
  const seconds = new Float64Array(kept);
  const transitions = new Int32Array(kept);
  const directions = new Uint8Array(pixels);
  const chunks: Chunk[] = [];
  let frame = -1;
  let words: Int32Array = new Int32Array(0);
  let bit = 0;

  const note = (pixel: number) => {
    words[pixel] = (words[pixel] as number) | bit;
    transitions[frame % kept] = (transitions[frame % kept] as number) + 1;
  };
  const secondsOf = (age: number) => seconds[(frame - age) % kept] as number;
  const span = () => {
    let age = 1;
    const most = Math.min(frame - (chunks.at(-1)?.firstFrame ?? 0), kept - 1);
    const now = secondsOf(0);
    while (age <= most && now - secondsOf(age) < lookBackSeconds) age++;
    return age;
  };

  return {
    chunks,
    directions,
    get frame() {
      return frame;
    },
    secondsOf,
    transitionsOf: (age) => transitions[(frame - age) % kept] as number,
    span,
    begin(number, now) {
      frame = number;
      seconds[frame % kept] = now;
      transitions[frame % kept] = 0;
      const newest = chunks[0];
      if (!newest || frame - newest.firstFrame >= bitsPerWord) {
        const oldest = chunks.at(-1);
        const isDone =
          oldest !== undefined &&
          (chunks.length === chunksMax ||
            (chunks.length > 1 && now - (seconds[(oldest.firstFrame + 31) % kept] as number) >= lookBackSeconds));
        const chunk = isDone ? (chunks.pop() as Chunk) : { firstFrame: 0, words: new Int32Array(pixels) };
        if (isDone) chunk.words.fill(0);
        chunk.firstFrame = frame;
        chunks.unshift(chunk);
        words = chunk.words;
      }
      bit = 1 << (frame - (chunks[0] as Chunk).firstFrame);
    },
    note(pixel, direction) {
      directions[pixel] = direction;
      note(pixel);
    },
    noteAgain(pixel) {
      const last = chunks.find((chunk) => chunk.words[pixel])?.words;
      if (last) last[pixel] = (last[pixel] as number) & ~(1 << (31 - Math.clz32(last[pixel] as number)));
      note(pixel);
    },
    live() {
      const oldest = frame - span() + 1;
      return chunks
        .filter(({ firstFrame }) => oldest - firstFrame < bitsPerWord)
        .map(({ words, firstFrame }) => ({ words, bits: -1 << Math.max(0, oldest - firstFrame) }));
    },
    ageOfLast(pixel) {
      for (const chunk of chunks) {
        const word = chunk.words[pixel] as number;
        if (word) return frame - chunk.firstFrame - 31 + Math.clz32(word);
      }
      return kept;
    },
  };
}
