import type { Cue } from '#evidence/media/captions/parse-cues.ts';
import { countWords } from './count-words.ts';

/** Captions that are read together; usually one. */
export type Stretch = { cue: Cue; position: number; wordsPerMinute: number };

/** Shorter captions are measured together with the next or the previous one, unless a longer pause separates them. */
const shortMs = 1000;
const pauseMs = 500;
/** A caption that follows within this time may repeat lines that are still shown (roll-up captions). */
const rollMs = 100;

type Draft = { cue: Cue; startMs: number; endMs: number; words: number };

/** Reading speeds, in the order of display. Captions in scripts without spaces are left out. */
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

/** A short caption that no other follows closely is measured together with the previous one. */
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

/** The lines of a caption, without those that are still shown from the previous one. */
function newLines({ startMs, lines }: Cue, previous: Cue | undefined): readonly string[] {
  if (!previous || startMs - previous.endMs > rollMs) return lines;
  for (let kept = Math.min(previous.lines.length, lines.length); kept > 0; kept--) {
    if (previous.lines.slice(-kept).every((line, i) => line === lines[i])) return lines.slice(kept);
  }
  return lines;
}
