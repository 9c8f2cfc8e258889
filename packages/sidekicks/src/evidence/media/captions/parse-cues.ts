import { createCueText } from './cue-text.ts';
import { type Flaw, type FlawKind, flawKinds } from './flaws.ts';
import { openLines } from './lines.ts';
import { looksLikeTiming, readTiming } from './timing.ts';

export type Cue = {
  startMs: number;
  endMs: number;
  /** As displayed: without tags and empty lines. */
  lines: string[];
  /** The line number of its time in the file. */
  line: number;
};

export const cuesMax = 20_000;
const flawsMax = 1000;

const vttBlock = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;
const vttSetting = /^(?:vertical|line|position|size|align|region):\S/;
const language = /^language:[ \t]*([A-Za-z0-9-]{1,35})[ \t]*$/i;
const counter = /^[ \t]*(\d{1,9})[ \t]*$/;

/** The lines before a time in its block: the first and the last. */
type Heading = { lineCount: number; firstLine: number; first: string; last: string };

/** Reads cues as players do, and records each deviation from the format with its line number. */
export function parseCues(text: string, format: 'vtt' | 'srt') {
  const lines = openLines(text);
  const cues: Cue[] = [];
  const flaws: Flaw[] = [];
  const addFlaw = (kind: FlawKind, line: number) => {
    if (flaws.length < flawsMax) flaws.push({ line, ...flawKinds[kind] });
  };
  const isTiming = (line: string) => looksLikeTiming(line, format);

  let number: number | null = null;
  /** A counter read at the end of the previous text, because there was no empty line before it. */
  let nextCounter: string | null = null;
  const declaredLanguage = format === 'vtt' ? readHeader() : null;

  for (let line = lines.peek(); line !== null; line = lines.peek()) {
    if (nextCounter === null && line.trim() === '') {
      lines.take();
    } else if (cues.length === cuesMax) {
      addFlaw('tooManyCues', lines.number());
      break;
    } else {
      readBlock();
    }
  }
  return { language: declaredLanguage, cues, flaws };

  function readHeader(): string | null {
    let found: string | null = null;
    lines.take();
    for (let line = lines.peek(); line !== null && line.trim() !== ''; line = lines.peek()) {
      if (isTiming(line)) {
        addFlaw('noEmptyLine', lines.number());
        break;
      }
      found ??= language.exec(line)?.[1] ?? null;
      lines.take();
    }
    return found;
  }

  function readBlock(): void {
    const heading = readHeading();
    const timingLine = lines.number();
    const line = lines.peek();
    if (line === null || !isTiming(line)) {
      checkTextWithoutTime(heading);
      return;
    }
    checkHeading(heading, timingLine);
    lines.take();
    const timing = readTiming(line, format);
    const cueText = readText();
    if (!timing) {
      addFlaw('badTime', timingLine);
      return;
    }
    if (!timing.isUsual) addFlaw('unusualTime', timingLine);
    if (timing.settings.split(/[ \t]+/).some((one) => one !== '' && !vttSetting.test(one))) {
      addFlaw('unknownSetting', timingLine);
    }
    if (cueText.isCut) addFlaw('longText', timingLine);
    cues.push({ startMs: timing.startMs, endMs: timing.endMs, lines: cueText.lines, line: timingLine });
  }

  function readHeading(): Heading {
    const heading: Heading = { lineCount: 0, firstLine: lines.number(), first: '', last: '' };
    if (nextCounter !== null) {
      Object.assign(heading, { lineCount: 1, firstLine: lines.number() - 1, first: nextCounter, last: nextCounter });
      nextCounter = null;
    }
    for (let line = lines.peek(); line !== null && line.trim() !== '' && !isTiming(line); line = lines.peek()) {
      if (heading.lineCount++ === 0) heading.first = line;
      heading.last = line;
      lines.take();
    }
    return heading;
  }

  function checkTextWithoutTime({ lineCount, firstLine, first }: Heading): void {
    if (format === 'vtt' && vttBlock.test(first)) return;
    addFlaw(format === 'srt' && lineCount === 1 && counter.test(first) ? 'numberAlone' : 'textWithoutTime', firstLine);
  }

  function checkHeading({ lineCount, firstLine, first, last }: Heading, timingLine: number): void {
    if (format === 'vtt') {
      if (vttBlock.test(first)) addFlaw('commentAtCue', timingLine);
      else if (lineCount > 1) addFlaw('textWithoutTime', firstLine);
      return;
    }
    const counted = counter.exec(last)?.[1];
    if (lineCount > (counted === undefined ? 0 : 1)) addFlaw('textWithoutTime', firstLine);
    if (counted === undefined) addFlaw('noNumber', timingLine);
    else if (number !== null && Number(counted) !== number + 1) addFlaw('wrongNumber', timingLine - 1);
    number = counted === undefined ? number : Number(counted);
  }

  function readText() {
    const cueText = createCueText(format);
    let last: string | null = null;
    for (let line = lines.peek(); line !== null && line.trim() !== ''; line = lines.peek()) {
      if (isTiming(line)) {
        addFlaw('noEmptyLine', lines.number());
        if (format === 'srt' && last !== null && counter.test(last)) {
          nextCounter = last;
          last = null;
        }
        break;
      }
      if (last !== null) cueText.add(last);
      last = line;
      lines.take();
    }
    if (last !== null) cueText.add(last);
    return cueText.end();
  }
}
