import type { Cue } from '../../evidence/captions/parse-cues.ts';
import { countWords } from './words.ts';

/** Captions that are read in one go, mostly just one. */
export type Stretch = { cue: Cue; position: number; wordsPerMinute: number };

/** A single short word is not fast because it is gone soon: what is shorter is read with its neighbour … */
const shortMs = 1000;
/** … unless there is a pause between them. */
const pauseMs = 500;
/** A caption that follows sooner may repeat lines that still stand, as those do that roll up. */
const rollMs = 100;

type Draft = { cue: Cue; startMs: number; endMs: number; words: number };

/** How fast captions are, in their order on the screen. Those in scripts without spaces are left out. */
export function stretchesOf(cues: readonly Cue[]): Stretch[] {
  const stretches: Draft[] = [];
  let open: Draft | null = null;
  for (const [position, cue] of cues.entries()) {
    const words = countWords(newLines(cue, cues[position - 1]));
    if (words === null) continue;
    if (open && isShort(open) && cue.startMs - open.endMs <= pauseMs) {
      open.endMs = Math.max(open.endMs, cue.endMs);
      open.words += words;
      continue;
    }
    if (open) close(stretches, open);
    open = { cue, startMs: cue.startMs, endMs: cue.endMs, words };
  }
  if (open) close(stretches, open);
  return stretches.map(({ cue, startMs, endMs, words }, position) => ({
    cue: { ...cue, endMs },
    position,
    wordsPerMinute: Math.round((words * 60_000) / (endMs - startMs)),
  }));
}

/** A short one that nothing follows is read with what went before. */
function close(stretches: Draft[], open: Draft): void {
  const last = stretches.at(-1);
  if (last && isShort(open) && open.startMs - last.endMs <= pauseMs) {
    last.endMs = Math.max(last.endMs, open.endMs);
    last.words += open.words;
  } else {
    stretches.push(open);
  }
}

const isShort = ({ startMs, endMs }: Draft) => endMs - startMs < shortMs;

/** Its lines without those that still stand from the one before. */
function newLines({ startMs, lines }: Cue, previous: Cue | undefined): readonly string[] {
  if (!previous || startMs - previous.endMs > rollMs) return lines;
  for (let kept = Math.min(previous.lines.length, lines.length); kept > 0; kept--) {
    if (previous.lines.slice(-kept).every((line, i) => line === lines[i])) return lines.slice(kept);
  }
  return lines;
}
