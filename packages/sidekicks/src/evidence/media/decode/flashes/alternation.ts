/** Transitions in one direction within this time count as one, anywhere in the frame; includes 0.5 ms for rounding. */
export const togetherSeconds = 0.0205;
/** Flashes that follow each other within this time are perceived as one. */
const fastSeconds = 0.015;

export type Alternation = { transitions: number; firstAge: number };

/**
 * Counts alternating transitions. `pixelsOf` has the number of pixels that made a transition, up in [0] and down in
 * [1], by age of the frame. From the oldest on, transitions in one direction that happen together are added up; a sum
 * counts if it is large enough and opposite in direction to the last sum that counted.
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

/** The most pixels that made `transitionsMin` alternating transitions together; 0 if fewer than `pixelsMin`. */
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
