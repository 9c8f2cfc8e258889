/** Transitions in the same direction that are this near are one, wherever in the picture; 0.5 ms for rounded stamps. */
const togetherSeconds = 0.0205;
/** Flashes so fast that they follow each other within this time are seen as one. */
const fastSeconds = 0.015;

export type Alternation = { transitions: number; firstAge: number };

/**
 * How many transitions pixels flashed by age of the picture: [0] up, [1] down. From the oldest on, those of one
 * direction that happen together are added, and what is large enough and opposite to the last counts.
 */
export function countAlternating(
  pixelsOf: readonly [Float64Array, Float64Array],
  span: number,
  secondsOf: (age: number) => number,
  pixelsMin: number,
): Alternation {
  let transitions = 0;
  let firstAge = 0;
  let last = -1;
  const lastSeconds = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let age = span - 1; age >= 0; age--) {
    const seconds = secondsOf(age);
    for (let direction = 0; direction < 2; direction++) {
      if (direction === last) continue;
      const pixels = pixelsOf[direction as 0 | 1];
      let together = pixels[age] as number;
      if (together === 0) continue;
      for (let later = age - 1; later >= 0 && secondsOf(later) - seconds <= togetherSeconds; later--) {
        together += pixels[later] as number;
      }
      if (together < pixelsMin) continue;
      const isFast = seconds - (lastSeconds[direction] as number) <= fastSeconds;
      if (!isFast && transitions++ === 0) firstAge = age;
      last = direction;
      lastSeconds[direction] = seconds;
    }
  }
  return { transitions, firstAge };
}

/** The most pixels that made so many alternating transitions together; 0 if that is less than `pixelsMin`. */
export function largestAlternating(
  pixelsOf: readonly [Float64Array, Float64Array],
  span: number,
  secondsOf: (age: number) => number,
  transitionsMin: number,
  pixelsMin: number,
): number {
  const counts = (pixels: number) => countAlternating(pixelsOf, span, secondsOf, pixels).transitions >= transitionsMin;
  let least = Math.max(1, Math.ceil(pixelsMin));
  if (!counts(least)) return 0;
  let most = least * 2;
  while (counts(most)) {
    least = most;
    most *= 2;
  }
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (counts(middle)) least = middle;
    else most = middle;
  }
  return least;
}
