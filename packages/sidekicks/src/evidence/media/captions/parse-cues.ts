import { mediaBounds } from '../bounds.ts';
import { createCueText } from './cue-text.ts';
import { type Flaw, type FlawKind, flawKinds } from './flaws.ts';
import { openLines } from './lines.ts';
import { looksLikeTiming, readTiming } from './timing.ts';

export type Cue = {
  startMs: number;
  endMs: number;
  /** As displayed: without tags and empty lines. */
  lines: string[];
  /** The line number of the cue's time in the file. */
  line: number;
};

/** Of each kind, so that many harmless flaws do not hide another kind. */
const flawsOfKindMax = 1000;

const vttBlock = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/;
const vttSetting = /^(?:vertical|line|position|size|align|region):\S/;
const language = /^language:[ \t]*([A-Za-z0-9-]{1,35})[ \t]*$/i;
const counter = /^[ \t]*(\d{1,9})[ \t]*$/;

/** The lines that precede a time in its block: their number, the first and the last. */
type CueHeading = { lineCount: number; firstLine: number; first: string; last: string };

/** Reads cues as players do, and records each deviation from the format with its line number. */
export function parseCues(text: string, format: CueFormat) {
  return new CueParser(text, format).parse();
}

type CueFormat = 'vtt' | 'srt';

class CueParser {
  readonly #format: CueFormat;
  readonly #lines: ReturnType<typeof openLines>;
  readonly #cues: Cue[] = [];
  readonly #flaws: Flaw[] = [];
  readonly #flawCounts = new Map<FlawKind, number>();
  /** The counter of the last cue that has one. */
  #number: number | null = null;
  /** A counter read at the end of the previous text, because there was no empty line before it. */
  #nextCounter: string | null = null;

  constructor(text: string, format: CueFormat) {
    this.#format = format;
    this.#lines = openLines(text);
  }

  parse() {
    const lines = this.#lines;
    const language = this.#format === 'vtt' ? this.#readHeader() : null;
    for (let line = lines.peek(); line !== null; line = lines.peek()) {
      if (this.#nextCounter === null && line.trim() === '') {
        lines.take();
      } else if (this.#cues.length === mediaBounds.captions.max) {
        this.#addFlaw('tooManyCues', lines.number());
        break;
      } else {
        this.#readBlock();
      }
    }
    return { language, cues: this.#cues, flaws: this.#flaws };
  }

  #addFlaw(kind: FlawKind, line: number): void {
    const count = (this.#flawCounts.get(kind) ?? 0) + 1;
    this.#flawCounts.set(kind, count);
    if (count <= flawsOfKindMax) this.#flaws.push({ line, ...flawKinds[kind] });
  }

  #isTiming(line: string): boolean {
    return looksLikeTiming(line, this.#format);
  }

  #readHeader(): string | null {
    let found: string | null = null;
    this.#lines.take();
    for (let line = this.#lines.peek(); line !== null && line.trim() !== ''; line = this.#lines.peek()) {
      if (this.#isTiming(line)) {
        this.#addFlaw('noEmptyLine', this.#lines.number());
        break;
      }
      found ??= language.exec(line)?.[1] ?? null;
      this.#lines.take();
    }
    return found;
  }

  #readBlock(): void {
    const heading = this.#readHeading();
    const timingLine = this.#lines.number();
    const line = this.#lines.peek();
    if (line === null || !this.#isTiming(line)) {
      this.#checkTextWithoutTime(heading);
      return;
    }
    this.#checkHeading(heading, timingLine);
    this.#lines.take();
    const timing = readTiming(line, this.#format);
    const cueText = this.#readText();
    if (!timing) {
      this.#addFlaw('badTime', timingLine);
      return;
    }
    if (!timing.isUsual) this.#addFlaw('unusualTime', timingLine);
    if (timing.settings.split(/[ \t]+/).some((one) => one !== '' && !vttSetting.test(one))) {
      this.#addFlaw('unknownSetting', timingLine);
    }
    if (cueText.isCut) this.#addFlaw('longText', timingLine);
    this.#cues.push({ startMs: timing.startMs, endMs: timing.endMs, lines: cueText.lines, line: timingLine });
  }

  #readHeading(): CueHeading {
    const heading: CueHeading = { lineCount: 0, firstLine: this.#lines.number(), first: '', last: '' };
    if (this.#nextCounter !== null) {
      Object.assign(heading, {
        lineCount: 1,
        firstLine: this.#lines.number() - 1,
        first: this.#nextCounter,
        last: this.#nextCounter,
      });
      this.#nextCounter = null;
    }
    for (
      let line = this.#lines.peek();
      line !== null && line.trim() !== '' && !this.#isTiming(line);
      line = this.#lines.peek()
    ) {
      if (heading.lineCount++ === 0) heading.first = line;
      heading.last = line;
      this.#lines.take();
    }
    return heading;
  }

  #checkTextWithoutTime({ lineCount, firstLine, first }: CueHeading): void {
    if (this.#format === 'vtt' && vttBlock.test(first)) return;
    this.#addFlaw(
      this.#format === 'srt' && lineCount === 1 && counter.test(first) ? 'numberAlone' : 'textWithoutTime',
      firstLine,
    );
  }

  #checkHeading({ lineCount, firstLine, first, last }: CueHeading, timingLine: number): void {
    if (this.#format === 'vtt') {
      if (vttBlock.test(first)) this.#addFlaw('commentAtCue', timingLine);
      else if (lineCount > 1) this.#addFlaw('textWithoutTime', firstLine);
      return;
    }
    const counted = counter.exec(last)?.[1];
    if (lineCount > (counted === undefined ? 0 : 1)) this.#addFlaw('textWithoutTime', firstLine);
    if (counted === undefined) this.#addFlaw('noNumber', timingLine);
    else if (this.#number !== null && Number(counted) !== this.#number + 1)
      this.#addFlaw('wrongNumber', timingLine - 1);
    this.#number = counted === undefined ? this.#number : Number(counted);
  }

  #readText() {
    const cueText = createCueText(this.#format);
    let last: string | null = null;
    for (let line = this.#lines.peek(); line !== null && line.trim() !== ''; line = this.#lines.peek()) {
      if (this.#isTiming(line)) {
        this.#addFlaw('noEmptyLine', this.#lines.number());
        if (this.#format === 'srt' && last !== null && counter.test(last)) {
          this.#nextCounter = last;
          last = null;
        }
        break;
      }
      if (last !== null) cueText.add(last);
      last = line;
      this.#lines.take();
    }
    if (last !== null) cueText.add(last);
    return cueText.end();
  }
}
