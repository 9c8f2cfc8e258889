import { createHistory, type History } from './history.ts';
import type { Light } from './light.ts';
import { createRedSense, type RedLimits } from './red.ts';

/**
 * A change counts if it is reached within 66 ms, or from one picture to the next; less 1.5 ms, as time stamps are often
 * rounded and two pictures of a thirtieth, 66.7 ms, are too slow.
 */
const slowestSeconds = 0.0645;
/** Pictures looked back at: 8 cover the time at 120 a second. */
const lookBackMax = 8;
const up = 1;
const down = 2;

export type TransitionLimits = RedLimits & {
  levelStep: number;
  /** A larger step that is counted as well, apart from the other. */
  secondStep?: number;
  /** How often somebody looks at the transitions by the first step and at those of red; left out: after each picture. */
  lookedAtEverySeconds?: number;
};

export type TransitionTracker = {
  see(rgb: Uint8Array, seconds: number): void;
  luminance: History;
  /** By the second step, if one was given. */
  second: History | null;
  /** Until a red transition is seen, there is none, as it takes much memory. */
  red(): History | null;
};

type Seen = { seconds: number; rgb: Uint8Array; words: Int32Array; levels: Uint16Array };

/**
 * Finds the moments at which each pixel goes up or down by enough in the time allowed, or to a saturated red or from
 * it. A pixel is compared with itself in the pictures of that time, back to its last transition and no further.
 */
export function createTransitionTracker(pixels: number, light: Light, limits: TransitionLimits): TransitionTracker {
  const { levelStep, secondStep } = limits;
  const { red: redPart, green: greenPart, blue: bluePart, level, plainMax } = light;
  const sense = createRedSense(light, limits);
  const { othersMax } = sense;
  // Whole groups of four pixels, which are twelve bytes or three words, so that groups that stay the same are passed by.
  const groups = Math.ceil(pixels / 4);
  const luminance = createHistory(groups * 4, limits.lookedAtEverySeconds);
  const second = secondStep ? createHistory(groups * 4) : null;
  let red: History | null = null;
  let frame = -1;
  /** Newest first. */
  const seen: Seen[] = [];
  let lookBack = 0;
  /** Where more than one picture is looked back at: the last at which a pixel left what may be red. */
  let lastRed: Int32Array | null = null;

  function see(rgb: Uint8Array, seconds: number): void {
    frame++;
    luminance.begin(frame, seconds);
    second?.begin(frame, seconds);
    red?.begin(frame, seconds);
    while (seen.length > 1 && (seen.length > lookBackMax || seconds - (seen.at(-1) as Seen).seconds > slowestSeconds)) {
      spare.push(seen.pop() as Seen);
    }
    lookBack = seen.length;
    if (lookBack > 1) lastRed ??= new Int32Array(groups * 4).fill(-lookBackMax);
    const now = spare.pop() ?? createSeen(groups);
    now.seconds = seconds;
    now.rgb.set(rgb.length === pixels * 3 ? rgb : rgb.subarray(0, pixels * 3));
    const before = seen[0];
    seen.unshift(now);
    if (before) compare(now, before);
    else fillLevels(now);
  }
  const spare: Seen[] = [];

  function fillLevels({ rgb, levels }: Seen): void {
    for (let i = 0, at = 0; i < levels.length; i++, at += 3) {
      levels[i] = level[
        (redPart[rgb[at] as number] as number) +
          (greenPart[rgb[at + 1] as number] as number) +
          (bluePart[rgb[at + 2] as number] as number)
      ] as number;
    }
  }

  function compare(now: Seen, before: Seen): void {
    const { rgb, words, levels } = now;
    const { rgb: rgbBefore, words: wordsBefore, levels: levelsBefore } = before;
    const levelsThen = (seen[2] ?? before).levels;
    const levelsEarlier = (seen[3] ?? before).levels;
    levels.set(levelsBefore);
    for (let group = 0, word = 0; group < groups; group++, word += 3) {
      if (
        words[word] === wordsBefore[word] &&
        words[word + 1] === wordsBefore[word + 1] &&
        words[word + 2] === wordsBefore[word + 2]
      ) {
        continue;
      }
      const end = group * 4 + 4;
      for (let i = group * 4, at = group * 12; i < end; i++, at += 3) {
        const r = rgb[at] as number;
        const g = rgb[at + 1] as number;
        const b = rgb[at + 2] as number;
        const sum = (redPart[r] as number) + (greenPart[g] as number) + (bluePart[b] as number);
        const is = sum <= plainMax ? sum : (level[sum] as number);
        levels[i] = is;
        let low = levelsBefore[i] as number;
        let high = low;
        if (lookBack > 1) {
          const then = levelsThen[i] as number;
          const earlier = levelsEarlier[i] as number;
          if (then < low) low = then;
          else if (then > high) high = then;
          if (earlier < low) low = earlier;
          else if (earlier > high) high = earlier;
          for (let age = 4; age <= lookBack; age++) {
            const longAgo = levelAgo(age, i);
            if (longAgo < low) low = longAgo;
            else if (longAgo > high) high = longAgo;
          }
        }
        if (is - low >= levelStep || high - is >= levelStep) {
          findTurn(luminance, levelStep, i, is);
          if (second && secondStep) findTurn(second, secondStep, i, is);
        }

        const redMax = othersMax[r] as number;
        const before = othersMax[rgbBefore[at] as number] as number;
        const wasRed = (rgbBefore[at + 1] as number) <= before && (rgbBefore[at + 2] as number) <= before;
        if (wasRed || (g <= redMax && b <= redMax) || (lastRed && frame - (lastRed[i] as number) < lookBack)) {
          if (wasRed && lastRed) lastRed[i] = frame;
          senseRed(i, at, now);
        }
      }
    }
  }

  function levelAgo(age: number, pixel: number): number {
    return (seen[age] as Seen).levels[pixel] as number;
  }

  /** The nearest picture that differs by enough, no further back than the pixel's last transition. */
  function findTurn(history: History, step: number, pixel: number, is: number): void {
    const age = history.ageOfLast(pixel);
    const furthest = Math.min(lookBack, age);
    for (let back = 1; back <= furthest; back++) {
      const change = is - levelAgo(back, pixel);
      if (change < step && change > -step) continue;
      const direction = change > 0 ? up : down;
      if (history.directions[pixel] !== direction) history.note(pixel, direction);
      // It goes on as it went: the same transition. After a slow way back it is another that does not alternate.
      else if (age > lookBack || !isMonotone(pixel, direction, age)) history.noteAgain(pixel);
      return;
    }
  }

  function isMonotone(pixel: number, direction: number, age: number): boolean {
    for (let i = 0; i < age; i++) {
      const step = levelAgo(i, pixel) - levelAgo(i + 1, pixel);
      if (direction === up ? step < 0 : step > 0) return false;
    }
    return true;
  }

  function senseRed(pixel: number, at: number, now: Seen): void {
    const isRed = sense.isSaturated(now.rgb, at);
    const furthest = red ? Math.min(lookBack, red.ageOfLast(pixel)) : lookBack;
    for (let age = 1; age <= furthest; age++) {
      const { rgb: then } = seen[age] as Seen;
      if (sense.isSaturated(then, at) === isRed || !sense.isFar(now.rgb, then, at)) continue;
      turnRed(pixel, isRed ? up : down, now.seconds);
      return;
    }
  }

  function turnRed(pixel: number, direction: number, seconds: number): void {
    if (!red) {
      red = createHistory(groups * 4, limits.lookedAtEverySeconds);
      red.begin(frame, seconds);
    }
    if (red.directions[pixel] !== direction) red.note(pixel, direction);
    else if (red.ageOfLast(pixel) > lookBack) red.noteAgain(pixel);
  }

  return { see, luminance, second, red: () => red };
}

function createSeen(groups: number): Seen {
  const bytes = new ArrayBuffer(groups * 12);
  return {
    seconds: 0,
    rgb: new Uint8Array(bytes),
    words: new Int32Array(bytes),
    levels: new Uint16Array(groups * 4),
  };
}
