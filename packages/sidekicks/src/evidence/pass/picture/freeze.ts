import { createRanges, type Range } from '../series.ts';

/**
 * The mean difference to the picture at which it stood still: −60 dB, as ffmpeg's freezedetect has it for luma and halved
 * chroma. The same noise is twice as much in R'G'B', where chroma counts in full.
 */
export const freezeNoise = 2 * 0.001;
/** Drawn films and pulldown show a picture two or three times: that is no standstill. */
const secondsMin = 0.5;
const chunkBytes = 8192;

/** Keeps the stretches in which the picture does not change. */
export function createFreezeWatch() {
  // What creeps stands still again and again, each time for itself.
  const ranges = createRanges({ secondsMin, gapSeconds: Number.NEGATIVE_INFINITY });
  let reference = new Uint8Array(0);
  let since: number | null = null;
  let isStill = false;

  function close(seconds: number): void {
    if (since !== null && isStill) ranges.add(since, seconds);
    since = null;
    isStill = false;
  }

  return {
    /** `null` is a picture that cannot stand still. */
    take(seconds: number, picture: Uint8Array | null): void {
      if (picture && since !== null && isLike(reference, picture)) {
        isStill = true;
        return;
      }
      close(seconds);
      if (!picture) return;
      if (reference.length !== picture.length) reference = new Uint8Array(picture.length);
      reference.set(picture);
      since = seconds;
    },

    end(endSeconds: number): Range[] {
      close(endSeconds);
      return ranges.end().ranges;
    },
  };
}

/** Looks only until they are too far apart: of moving pictures, that is soon. */
function isLike(a: Uint8Array, b: Uint8Array): boolean {
  const differenceMax = freezeNoise * 256 * b.length;
  let difference = 0;
  for (let start = 0; start < b.length; start += chunkBytes) {
    const end = Math.min(b.length, start + chunkBytes);
    for (let at = start; at < end; at++) difference += Math.abs((a[at] as number) - (b[at] as number));
    if (difference > differenceMax) return false;
  }
  return true;
}
