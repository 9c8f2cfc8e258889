import { mediaBounds } from '../../bounds.ts';

/** A second, less the possible error of 30 frames of 1/30 s with timestamps that are rounded to milliseconds. */
export const secondSpan = 0.998;
const bitsPerWord = 32;
/** One more than are full. If a second has more frames, older ones are dropped. */
const chunksMax = mediaBounds.framesOfSecond.max / bitsPerWord + 1;
const framesKeptMax = chunksMax * bitsPerWord;

export type Chunk = { firstFrame: number; words: Int32Array };
export type Grid = { across: number; down: number };

/** For each pixel: the frames of the last second with a transition, as bits, and the direction of the last one. */
export type History = {
  /** Newest first. A chunk has one word per pixel, with one bit for each of 32 frames. */
  chunks(): Chunk[];
  /** 0: none yet, 1: up or to red, 2: down or from red. */
  directions(): Uint8Array;
  frame(): number;
  /** By age of the frame; the latest has age 0. */
  secondsOf(age: number): number;
  transitionsOf(age: number): number;
  /** Transitions of the latest frame by cell of the grid. */
  cells(): [up: Int32Array, down: Int32Array];
  /** The number of frames within the last second, including the latest. */
  span(): number;
  /** The words of each chunk, with a mask of the bits within the last second. */
  live(): { words: Int32Array; bits: number }[];
};

/** A history that the kernel writes, into the memory that `begin` returns. */
export type KernelHistory = History & { begin(frame: number, seconds: number): ArrayBufferView[]; end(): void };

/** Offsets in `numbers`: frame, transitions, then the first frame of each chunk. */
const numberOffsets = { frame: 0, transitions: 1, firstFrames: 2 };

export function createHistory(pixels: number, grid: Grid): KernelHistory {
  const cellCount = grid.across * grid.down;
  const numbers = new Int32Array(numberOffsets.firstFrames + chunksMax);
  const directions = new Uint8Array(pixels);
  const [up, down] = [new Int32Array(cellCount), new Int32Array(cellCount)];
  const seconds = new Float64Array(framesKeptMax);
  const transitions = new Int32Array(framesKeptMax);
  /** Newest first. */
  const chunks: Chunk[] = [];
  let frame = -1;

  const secondsOf = (age: number) => seconds[(frame - age) % framesKeptMax] as number;
  const span = () => {
    let age = 1;
    const most = Math.min(frame - (chunks.at(-1)?.firstFrame ?? 0), framesKeptMax - 1);
    const now = secondsOf(0);
    while (age <= most && now - secondsOf(age) < secondSpan) age++;
    return age;
  };

  function rotate(now: number): void {
    const newest = chunks[0];
    if (newest && frame - newest.firstFrame < bitsPerWord) return;
    const oldest = chunks.at(-1);
    const isExpired =
      oldest && chunks.length > 1 && now - (seconds[(oldest.firstFrame + 31) % framesKeptMax] as number) >= secondSpan;
    const used = isExpired || chunks.length === chunksMax ? chunks.pop() : undefined;
    chunks.unshift({ words: used?.words.fill(0) ?? new Int32Array(pixels), firstFrame: frame });
  }

  return {
    chunks: () => chunks,
    directions: () => directions,
    frame: () => frame,
    secondsOf,
    transitionsOf: (age) => transitions[(frame - age) % framesKeptMax] as number,
    cells: () => [up, down],
    span,
    begin(number, now) {
      frame = number;
      seconds[frame % framesKeptMax] = now;
      rotate(now);
      numbers.set([frame, 0, ...chunks.map(({ firstFrame }) => firstFrame)]);
      up.fill(0);
      down.fill(0);
      return [numbers, directions, up, down, ...chunks.map(({ words }) => words)];
    },
    end() {
      transitions[frame % framesKeptMax] = numbers[numberOffsets.transitions] as number;
    },
    live() {
      const oldest = frame - span() + 1;
      return chunks
        .filter(({ firstFrame }) => oldest - firstFrame < bitsPerWord)
        .map(({ words, firstFrame }) => ({ words, bits: -1 << Math.max(0, oldest - firstFrame) }));
    },
  };
}
