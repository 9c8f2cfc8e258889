import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { countWords } from './count-words.ts';

/** The reading speed of one caption, or of several short ones that are read together. */
export type ReadingSpeed = { cue: Cue; position: number; wordsPerMinute: number };

/** Captions shorter than `shortMs` are measured together with the next or previous one within `pauseMs`. */
const shortMs = 1000;
const pauseMs = 500;
/** A caption that follows within this time may repeat lines that are still shown (roll-up captions). */
const rollMs = 100;

type CaptionGroup = { cue: Cue; startMs: number; endMs: number; words: number };

/** Reading speeds, in the order of display. Captions in scripts without spaces are left out. */
export function readingSpeedsOf(cues: readonly Cue[]): ReadingSpeed[] {
  const groups: CaptionGroup[] = [];
  let open: CaptionGroup | null = null;
  for (const [position, cue] of cues.entries()) {
    const words = countWords(newLines(cue, cues[position - 1]));
    if (words === null) continue;
    if (open && isShort(open) && cue.startMs - open.endMs <= pauseMs) {
      open.endMs = Math.max(open.endMs, cue.endMs);
      open.words += words;
      continue;
    }
    if (open) closeGroup(groups, open);
    open = { cue, startMs: cue.startMs, endMs: cue.endMs, words };
  }
  if (open) closeGroup(groups, open);
  return groups.map(({ cue, startMs, endMs, words }, position) => ({
    cue: { ...cue, endMs },
    position,
    wordsPerMinute: Math.round((words * 60_000) / (endMs - startMs)),
  }));
}

/** A short caption that no other follows closely is measured together with the previous one. */
function closeGroup(groups: CaptionGroup[], open: CaptionGroup): void {
  const last = groups.at(-1);
  if (last && isShort(open) && open.startMs - last.endMs <= pauseMs) {
    last.endMs = Math.max(last.endMs, open.endMs);
    last.words += open.words;
  } else {
    groups.push(open);
  }
}

const isShort = ({ startMs, endMs }: CaptionGroup) => endMs - startMs < shortMs;

/** The lines of a caption, without those that are still shown from the previous one. */
function newLines({ startMs, lines }: Cue, previous: Cue | undefined): readonly string[] {
  if (!previous || startMs - previous.endMs > rollMs) return lines;
  for (let kept = Math.min(previous.lines.length, lines.length); kept > 0; kept--) {
    if (previous.lines.slice(-kept).every((line, i) => line === lines[i])) return lines.slice(kept);
  }
  return lines;
}
