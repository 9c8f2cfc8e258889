/** The requested entries of a PDF dictionary; the others are skipped. */
export type PdfDictionary = {
  /** The requested keys that the dictionary has. */
  keys: string[];
  /** The value of a requested key, if it is a name. */
  nameOf(key: string): string | undefined;
  filters: string[];
};

type OpenDictionary = PdfDictionary & { names: string[]; key: string; isValueExpected: boolean; arrayDepth: number };

export type PdfSink = {
  object(): void;
  /** Called at the end of each dictionary with a requested key, inner dictionaries first. */
  dictionary(dictionary: PdfDictionary): void;
  /** Called for a name outside all dictionaries: an object that consists of only a name. */
  bareName(name: string): void;
  stream(dictionary: PdfDictionary, start: number, end: number): void;
  /** Called for a dictionary deeper than `depthMax`. Its entries are taken for those of the one around it. */
  tooDeep(): void;
};

/** Windows overlap by this much, to find keywords across their boundary. */
export const pdfLookBackBytes = 32;

/** No known name is as long. */
const tokenCharactersMax = 128;
/** Above the limit `pdfFilters`, so that a stream with too many filters still exceeds it. */
const filtersKeptMax = 64;

const ordinaryClass = 0;
const spaceClass = 1;
const delimiterClass = 2;
const byteClasses = new Uint8Array(256);
for (const byte of Buffer.from('\0\t\n\f\r ', 'latin1')) byteClasses[byte] = spaceClass;
for (const byte of Buffer.from('()<>[]{}/%', 'latin1')) byteClasses[byte] = delimiterClass;

type LexerMode = 'plain' | 'name' | 'word' | 'less' | 'greater' | 'string' | 'hex' | 'comment' | 'stream';

/**
 * Reads the structure of a PDF in one pass and ignores its cross-reference table. An object counts wherever `n n obj`
 * occurs, even inside a string, a comment or a stream, because the table can point a reader there.
 * Loose mode does not recognise strings and comments, so that an unclosed bracket cannot hide anything.
 */
export class PdfLexer {
  readonly #sink: PdfSink;
  readonly #requestedKeys: ReadonlySet<string>;
  readonly #isLoose: boolean;
  readonly #depthMax: number;
  #mode: LexerMode = 'plain';
  #token = '';
  #stringDepth = 0;
  #isEscaped = false;
  #frames: OpenDictionary[] = [];
  #excessDepth = 0;
  #lastEnded: PdfDictionary | null = null;
  #streamAt = 0;

  constructor(sink: PdfSink, requestedKeys: ReadonlySet<string>, depthMax: number, isLoose = false) {
    this.#sink = sink;
    this.#requestedKeys = requestedKeys;
    this.#depthMax = depthMax;
    this.#isLoose = isLoose;
  }

  /** Reads the bytes of a window from index `from` on. Those before it were read already and only give context. */
  feed(window: Buffer, from: number, windowAt: number): void {
    for (let i = from; i < window.length; i++) {
      const byte = window[i] as number;
      if (byte === 0x6a && endsObjectHead(window, i)) {
        if (this.#mode === 'stream') this.#leaveStream(windowAt + i);
        this.#beginObject();
      } else if (this.#mode !== 'stream') this.#take(byte, windowAt + i);
      else if (byte === 0x6d && endsWith(window, i, 'endstream')) this.#leaveStream(windowAt + i - 8);
    }
  }

  end(at: number): void {
    if (this.#mode === 'stream') this.#leaveStream(at);
    if (this.#mode === 'name') this.#endName();
    this.#closeAll();
    this.#frames = [];
  }

  #open(): void {
    this.#acceptValue();
    if (this.#frames.length < this.#depthMax) this.#frames.push(openDictionary());
    else {
      this.#excessDepth++;
      this.#sink.tooDeep();
    }
  }

  #close(): void {
    if (this.#excessDepth > 0) {
      this.#excessDepth--;
      return;
    }
    const frame = this.#frames.pop();
    if (!frame) return;
    if (frame.keys.length > 0) this.#sink.dictionary(frame);
    this.#lastEnded = frame;
  }

  #closeAll(): void {
    this.#excessDepth = 0;
    while (this.#frames.length > 0) this.#close();
  }

  #acceptValue(): void {
    const frame = this.#frames.at(-1);
    if (frame && frame.arrayDepth === 0) frame.isValueExpected = false;
  }

  #endName(): void {
    const name = this.#token.includes('#') ? unescapeName(this.#token) : this.#token;
    const frame = this.#frames.at(-1);
    if (!frame) this.#sink.bareName(name);
    else if (frame.arrayDepth > 0) addFilter(frame, name);
    else if (frame.isValueExpected) {
      frame.isValueExpected = false;
      if (this.#requestedKeys.has(frame.key)) frame.names.push(frame.key, name);
      addFilter(frame, name);
    } else {
      frame.key = name;
      frame.isValueExpected = true;
      if (this.#requestedKeys.has(name)) frame.keys.push(name);
    }
  }

  #endWord(at: number): void {
    if (this.#token === 'stream') {
      this.#closeAll();
      this.#mode = 'stream';
      this.#streamAt = at;
    } else if (this.#token === 'endobj') this.#closeAll();
    else this.#acceptValue();
  }

  #leaveStream(end: number): void {
    if (this.#lastEnded) this.#sink.stream(this.#lastEnded, this.#streamAt, end);
    this.#lastEnded = null;
    this.#mode = 'plain';
  }

  #beginObject(): void {
    this.#closeAll();
    this.#sink.object();
    this.#lastEnded = null;
    this.#mode = 'plain';
    this.#token = '';
  }

  /** Handles a byte outside strings, comments and streams. */
  #takePlain(byte: number): void {
    this.#mode = 'plain';
    this.#token = '';
    if (byteClasses[byte] === ordinaryClass) {
      this.#mode = 'word';
      this.#token = String.fromCharCode(byte);
      return;
    }
    const frame = this.#frames.at(-1);
    if (byte === 0x2f) this.#mode = 'name';
    else if (byte === 0x3c) this.#mode = 'less';
    else if (byte === 0x3e) this.#mode = 'greater';
    else if (byte === 0x5b) {
      this.#acceptValue();
      if (frame) frame.arrayDepth++;
    } else if (byte === 0x5d && frame && frame.arrayDepth > 0) frame.arrayDepth--;
    else if (byte === 0x28) {
      this.#acceptValue();
      this.#stringDepth = 1;
      this.#isEscaped = false;
      if (!this.#isLoose) this.#mode = 'string';
    } else if (byte === 0x25 && !this.#isLoose) this.#mode = 'comment';
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === 0x5c) this.#isEscaped = true;
    else if (byte === 0x28) this.#stringDepth++;
    else if (byte === 0x29 && --this.#stringDepth === 0) this.#mode = 'plain';
  }

  #take(byte: number, at: number): void {
    switch (this.#mode) {
      case 'name':
      case 'word':
        if (byteClasses[byte] === ordinaryClass) {
          if (this.#token.length < tokenCharactersMax) this.#token += String.fromCharCode(byte);
          return;
        }
        if (this.#mode === 'name') this.#endName();
        else this.#endWord(at);
        if ((this.#mode as LexerMode) !== 'stream') this.#takePlain(byte);
        return;
      case 'less':
        if (byte === 0x3c) {
          this.#mode = 'plain';
          this.#open();
          return;
        }
        this.#acceptValue();
        this.#mode = this.#isLoose ? 'plain' : 'hex';
        this.#take(byte, at);
        return;
      case 'greater':
        this.#mode = 'plain';
        if (byte === 0x3e) this.#close();
        else this.#takePlain(byte);
        return;
      case 'string':
        this.#inString(byte);
        return;
      case 'hex':
        if (byte === 0x3e) this.#mode = 'plain';
        return;
      case 'comment':
        if (byte === 0x0a || byte === 0x0d) this.#mode = 'plain';
        return;
      default:
        this.#takePlain(byte);
    }
  }
}

// Arrays instead of maps, because hostile files have millions of dictionaries with one or two keys each. The last value
// of a duplicate key counts.
function openDictionary(): OpenDictionary {
  const names: string[] = [];
  return {
    keys: [],
    names,
    nameOf: (key) => {
      for (let i = names.length - 2; i >= 0; i -= 2) if (names[i] === key) return names[i + 1];
      return undefined;
    },
    filters: [],
    key: '',
    isValueExpected: false,
    arrayDepth: 0,
  };
}

// `7 0 obj`: one digit before `obj` is enough, because there may be many spaces between the two numbers.
function endsObjectHead(window: Buffer, last: number): boolean {
  if (window[last - 1] !== 0x62 || window[last - 2] !== 0x6f) return false;
  let at = last - 3;
  while (at >= 0 && last - at < pdfLookBackBytes && byteClasses[window[at] as number] === spaceClass) at--;
  const spaces = last - 3 - at;
  const before = window[at] ?? 0;
  return spaces > 0 && ((before >= 0x30 && before <= 0x39) || byteClasses[before] === spaceClass);
}

function endsWith(window: Buffer, last: number, word: string): boolean {
  return window.toString('latin1', Math.max(0, last - word.length + 1), last + 1) === word;
}

function addFilter(frame: OpenDictionary, name: string): void {
  if (frame.key === 'Filter' && frame.filters.length < filtersKeptMax) frame.filters.push(name);
}

/** `J#61vaScript` → `JavaScript` */
function unescapeName(token: string): string {
  return token.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
