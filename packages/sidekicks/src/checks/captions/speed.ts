import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { countWords } from './count-words.ts';

/** How fast a caption has to be read. */
export type ReadingSpeed = {
  cue: Cue;
  /** Among the captions that were measured. */
  position: number;
  words: number;
  wordsPerMinute: number;
  /** If it is read at a glance, the speed together with its neighbours, where that is lower; it must be too high, too. */
  wordsPerMinuteTogether: number;
};

/** A caption that is shorter and has no more words is read at a glance, together with its neighbours. */
const shortMs = 1000;
const glanceWordsMax = 3;
/** A longer pause separates captions. */
const pauseMs = 500;
/** At most this many captions before it, and after it, are read together with a caption. */
const neighboursMax = 10;
/** A caption that follows within this time may repeat lines that are still shown (roll-up captions). */
const rollMs = 100;

type MeasuredCue = { cue: Cue; words: number };

/** Reading speeds, in the order of display. Captions in scripts without spaces are left out. */
export function readingSpeedsOf(cues: readonly Cue[]): ReadingSpeed[] {
  const measured = cues.flatMap((cue, i): MeasuredCue[] => {
    const words = countWords(newLines(cue, cues[i - 1]));
    const isRolling = words === 0 && isShort([{ cue, words }]);
    return words === null || isRolling ? [] : [{ cue, words }];
  });
  return measured.map((one, position) => {
    const wordsPerMinute = speedOf([one]);
    const isAtAGlance = isShort([one]) && one.words <= glanceWordsMax;
    const together = isAtAGlance ? speedOf(readTogether(measured, position)) : wordsPerMinute;
    return { ...one, position, wordsPerMinute, wordsPerMinuteTogether: Math.min(wordsPerMinute, together) };
  });
}

/** The formula that the README states. */
function speedOf(cues: readonly MeasuredCue[]): number {
  const words = cues.reduce((sum, one) => sum + one.words, 0);
  return Math.round((words * 60_000) / millisecondsOf(cues));
}

/** A caption with those that follow it closely, until they last long enough, or else with those before it. */
function readTogether(all: readonly MeasuredCue[], position: number): readonly MeasuredCue[] {
  let [from, to] = [position, position + 1];
  const isTooShort = () => isShort(all.slice(from, to));
  while (isTooShort() && to - position <= neighboursMax && isClose(all[to - 1], all[to])) to++;
  while (isTooShort() && position - from < neighboursMax && isClose(all[from - 1], all[from])) from--;
  return all.slice(from, to);
}

function isClose(one: MeasuredCue | undefined, next: MeasuredCue | undefined): boolean {
  return one !== undefined && next !== undefined && next.cue.startMs - one.cue.endMs <= pauseMs;
}

const isShort = (cues: readonly MeasuredCue[]) => millisecondsOf(cues) < shortMs;

function millisecondsOf(cues: readonly MeasuredCue[]): number {
  return Math.max(...cues.map(({ cue }) => cue.endMs)) - Math.min(...cues.map(({ cue }) => cue.startMs));
}

/** The lines of a caption, without those that are still shown from the previous one. */
function newLines({ startMs, lines }: Cue, previous: Cue | undefined): readonly string[] {
  if (!previous || startMs - previous.endMs > rollMs) return lines;
  for (let kept = Math.min(previous.lines.length, lines.length); kept > 0; kept--) {
    if (previous.lines.slice(-kept).every((line, i) => line === lines[i])) return lines.slice(kept);
  }
  return lines;
}
