import { mediaBounds } from '../bounds.ts';

const charactersMax = mediaBounds.captionCharacters.max;
/** Also matches WebVTT timestamps inside a cue: `<00:01.500>`. */
const tagPattern = /<\/?[\p{L}\d][^<>]*>/gu;
const styleOverride = /\{\\[^{}]*\}/g;
const entityPattern = /&(amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
  '#39': "'",
};

/** Collects the lines of one cue, up to `charactersMax`. */
export function createCueText(format: 'vtt' | 'srt') {
  const lines: string[] = [];
  let characters = 0;
  let isCut = false;
  return {
    add(line: string): void {
      const kept = line.slice(0, charactersMax - characters);
      characters += kept.length + 1;
      isCut ||= kept.length < line.length;
      if (kept !== '') lines.push(kept);
    },
    /** The text as displayed: without tags, and without lines that are empty once the tags are removed. */
    end: () => ({ lines: lines.map((line) => toPlainText(line, format)).filter((line) => line !== ''), isCut }),
  };
}

function toPlainText(line: string, format: 'vtt' | 'srt'): string {
  const bare = line.replace(tagPattern, '').replace(styleOverride, '');
  // Unescaped only once, even if the result contains another entity.
  const shown = format === 'vtt' ? bare.replace(entityPattern, (_, name: string) => entities[name] ?? '') : bare;
  return shown.replace(/[\p{Cf}]/gu, '').trim();
}
