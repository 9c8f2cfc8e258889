import { createCueText } from './cue-text.ts';
import { type Flaw, type FlawKind, flawKinds } from './flaws.ts';
import { openLines } from './lines.ts';
import { looksLikeTiming, readTiming } from './timing.ts';

export type Cue = {
  startMs: number;
  endMs: number;
  /** As read on the screen: without tags, none empty. */
  lines: string[];
  /** Of the file, where its time stands. */
  line: number;
};

export const cuesMax = 20_000;
const flawsMax = 1000;

const vttBlock = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;
const vttSetting = /^(?:vertical|line|position|size|align|region):\S/;
const language = /^language:[ \t]*([A-Za-z0-9-]{1,35})[ \t]*$/i;
const counter = /^[ \t]*(\d{1,9})[ \t]*$/;

/** What stands before a time in its block; of more than one line the last. */
type Heading = { lineCount: number; firstLine: number; first: string; last: string };

/** Reads cues as players do, and notes with its line whatever the format does not have. */
export function parseCues(text: string, format: 'vtt' | 'srt') {
  const lines = openLines(text);
  const cues: Cue[] = [];
  const flaws: Flaw[] = [];
  const note = (kind: FlawKind, line: number) => {
    if (flaws.length < flawsMax) flaws.push({ line, ...flawKinds[kind] });
  };
  const isTiming = (line: string) => looksLikeTiming(line, format);

  let number: number | null = null;
  /** A counter that stood at the end of the text before, for want of an empty line. */
  let ahead: string | null = null;
  const said = format === 'vtt' ? readHeader() : null;

  for (let line = lines.peek(); line !== null; line = lines.peek()) {
    if (ahead === null && line.trim() === '') {
      lines.take();
    } else if (cues.length === cuesMax) {
      note('tooManyCues', lines.number());
      break;
    } else {
      readBlock();
    }
  }
  return { language: said, cues, flaws };

  function readHeader(): string | null {
    let found: string | null = null;
    lines.take();
    for (let line = lines.peek(); line !== null && line.trim() !== ''; line = lines.peek()) {
      if (isTiming(line)) {
        note('noEmptyLine', lines.number());
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
      judgeTextAlone(heading);
      return;
    }
    judgeHeading(heading, timingLine);
    lines.take();
    const timing = readTiming(line, format);
    const shown = readText();
    if (!timing) {
      note('badTime', timingLine);
      return;
    }
    if (!timing.isUsual) note('unusualTime', timingLine);
    if (timing.settings.split(/[ \t]+/).some((one) => one !== '' && !vttSetting.test(one))) {
      note('unknownSetting', timingLine);
    }
    if (shown.isCut) note('longText', timingLine);
    cues.push({ startMs: timing.startMs, endMs: timing.endMs, lines: shown.lines, line: timingLine });
  }

  function readHeading(): Heading {
    const heading: Heading = { lineCount: 0, firstLine: lines.number(), first: '', last: '' };
    if (ahead !== null) {
      Object.assign(heading, { lineCount: 1, firstLine: lines.number() - 1, first: ahead, last: ahead });
      ahead = null;
    }
    for (let line = lines.peek(); line !== null && line.trim() !== '' && !isTiming(line); line = lines.peek()) {
      if (heading.lineCount++ === 0) heading.first = line;
      heading.last = line;
      lines.take();
    }
    return heading;
  }

  function judgeTextAlone({ lineCount, firstLine, first }: Heading): void {
    if (format === 'vtt' && vttBlock.test(first)) return;
    note(format === 'srt' && lineCount === 1 && counter.test(first) ? 'numberAlone' : 'textWithoutTime', firstLine);
  }

  function judgeHeading({ lineCount, firstLine, first, last }: Heading, timingLine: number): void {
    if (format === 'vtt') {
      if (vttBlock.test(first)) note('commentAtCue', timingLine);
      else if (lineCount > 1) note('textWithoutTime', firstLine);
      return;
    }
    const counted = counter.exec(last)?.[1];
    if (lineCount > (counted === undefined ? 0 : 1)) note('textWithoutTime', firstLine);
    if (counted === undefined) note('noNumber', timingLine);
    else if (number !== null && Number(counted) !== number + 1) note('wrongNumber', timingLine - 1);
    number = counted === undefined ? number : Number(counted);
  }

  function readText() {
    const shown = createCueText(format);
    let last: string | null = null;
    for (let line = lines.peek(); line !== null && line.trim() !== ''; line = lines.peek()) {
      if (isTiming(line)) {
        note('noEmptyLine', lines.number());
        if (format === 'srt' && last !== null && counter.test(last)) {
          ahead = last;
          last = null;
        }
        break;
      }
      if (last !== null) shown.add(last);
      last = line;
      lines.take();
    }
    if (last !== null) shown.add(last);
    return shown.end();
  }
}
