/** The requested entries of a PDF dictionary; the others are skipped. */
export type PdfDictionary = {
  /** The requested keys that it has. */
  keys: string[];
  /** The value of a requested key, if it is a name. */
  nameOf(key: string): string | undefined;
  filters: string[];
};

type Frame = PdfDictionary & { names: string[]; key: string; isValueExpected: boolean; arrayDepth: number };

export type PdfSink = {
  object(): void;
  /** Called at the end of each dictionary with a requested key, inner dictionaries first. */
  dictionary(dictionary: PdfDictionary): void;
  /** Called for a name outside all dictionaries: an object that consists of only a name. */
  bareName(name: string): void;
  stream(dictionary: PdfDictionary, start: number, end: number): void;
};

export type PdfLexer = {
  /** Reads the bytes of a window from index `from` on. Those before it were read already and only give context. */
  feed(window: Buffer, from: number, windowAt: number): void;
  end(at: number): void;
};

/** Windows overlap by this much, to find keywords across their boundary. */
export const pdfLookBackBytes = 32;

const depthMax = 128;
const tokenCharactersMax = 128;
const filtersMax = 8;

const ordinary = 0;
const space = 1;
const delimiter = 2;
const classes = new Uint8Array(256);
for (const byte of Buffer.from('\0\t\n\f\r ', 'latin1')) classes[byte] = space;
for (const byte of Buffer.from('()<>[]{}/%', 'latin1')) classes[byte] = delimiter;

type Mode = 'plain' | 'name' | 'word' | 'less' | 'greater' | 'string' | 'hex' | 'comment' | 'stream';

/**
 * Reads the structure of a PDF in one pass and ignores its cross-reference table. An object counts wherever `n n obj`
 * occurs, even inside a string, a comment or a stream, because the table can point a reader there.
 * Loose mode does not recognise strings and comments, so that an unclosed bracket cannot hide anything.
 */
export function createPdfLexer(sink: PdfSink, requestedKeys: ReadonlySet<string>, isLoose = false): PdfLexer {
  let mode: Mode = 'plain';
  let token = '';
  let stringDepth = 0;
  let isEscaped = false;
  let frames: Frame[] = [];
  let excessDepth = 0;
  let lastEnded: PdfDictionary | null = null;
  let streamAt = 0;

  function open(): void {
    acceptValue();
    if (frames.length >= depthMax) excessDepth++;
    else frames.push(createFrame());
  }

  function close(): void {
    if (excessDepth > 0) {
      excessDepth--;
      return;
    }
    const frame = frames.pop();
    if (!frame) return;
    if (frame.keys.length > 0) sink.dictionary(frame);
    lastEnded = frame;
  }

  function closeAll(): void {
    excessDepth = 0;
    while (frames.length > 0) close();
  }

  function acceptValue(): void {
    const frame = frames.at(-1);
    if (frame && frame.arrayDepth === 0) frame.isValueExpected = false;
  }

  function endName(): void {
    const name = token.includes('#') ? unescapeName(token) : token;
    const frame = frames.at(-1);
    if (!frame) sink.bareName(name);
    else if (frame.arrayDepth > 0) addFilter(frame, name);
    else if (frame.isValueExpected) {
      frame.isValueExpected = false;
      if (requestedKeys.has(frame.key)) frame.names.push(frame.key, name);
      addFilter(frame, name);
    } else {
      frame.key = name;
      frame.isValueExpected = true;
      if (requestedKeys.has(name)) frame.keys.push(name);
    }
  }

  function endWord(at: number): void {
    if (token === 'stream') {
      closeAll();
      mode = 'stream';
      streamAt = at;
    } else if (token === 'endobj') closeAll();
    else acceptValue();
  }

  function leaveStream(end: number): void {
    if (lastEnded) sink.stream(lastEnded, streamAt, end);
    lastEnded = null;
    mode = 'plain';
  }

  function beginObject(): void {
    closeAll();
    sink.object();
    lastEnded = null;
    mode = 'plain';
    token = '';
  }

  /** Handles a byte outside strings, comments and streams. */
  function takePlain(byte: number): void {
    mode = 'plain';
    token = '';
    if (classes[byte] === ordinary) {
      mode = 'word';
      token = String.fromCharCode(byte);
      return;
    }
    const frame = frames.at(-1);
    if (byte === 0x2f) mode = 'name';
    else if (byte === 0x3c) mode = 'less';
    else if (byte === 0x3e) mode = 'greater';
    else if (byte === 0x5b) {
      acceptValue();
      if (frame) frame.arrayDepth++;
    } else if (byte === 0x5d && frame && frame.arrayDepth > 0) frame.arrayDepth--;
    else if (byte === 0x28) {
      acceptValue();
      stringDepth = 1;
      isEscaped = false;
      if (!isLoose) mode = 'string';
    } else if (byte === 0x25 && !isLoose) mode = 'comment';
  }

  function inString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === 0x5c) isEscaped = true;
    else if (byte === 0x28) stringDepth++;
    else if (byte === 0x29 && --stringDepth === 0) mode = 'plain';
  }

  function take(byte: number, at: number): void {
    switch (mode) {
      case 'name':
      case 'word':
        if (classes[byte] === ordinary) {
          if (token.length < tokenCharactersMax) token += String.fromCharCode(byte);
          return;
        }
        if (mode === 'name') endName();
        else endWord(at);
        if ((mode as Mode) !== 'stream') takePlain(byte);
        return;
      case 'less':
        if (byte === 0x3c) {
          mode = 'plain';
          open();
          return;
        }
        acceptValue();
        mode = isLoose ? 'plain' : 'hex';
        take(byte, at);
        return;
      case 'greater':
        mode = 'plain';
        if (byte === 0x3e) close();
        else takePlain(byte);
        return;
      case 'string':
        inString(byte);
        return;
      case 'hex':
        if (byte === 0x3e) mode = 'plain';
        return;
      case 'comment':
        if (byte === 0x0a || byte === 0x0d) mode = 'plain';
        return;
      default:
        takePlain(byte);
    }
  }

  return {
    feed(window, from, windowAt) {
      for (let i = from; i < window.length; i++) {
        const byte = window[i] as number;
        if (byte === 0x6a && endsObjectHead(window, i)) {
          if (mode === 'stream') leaveStream(windowAt + i);
          beginObject();
        } else if (mode !== 'stream') take(byte, windowAt + i);
        else if (byte === 0x6d && endsWith(window, i, 'endstream')) leaveStream(windowAt + i - 8);
      }
    },
    end(at) {
      if (mode === 'stream') leaveStream(at);
      if (mode === 'name') endName();
      closeAll();
      frames = [];
    },
  };
}

// Arrays instead of maps, because hostile files have millions of dictionaries with one or two keys each. The last value
// of a duplicate key counts.
function createFrame(): Frame {
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
  while (at >= 0 && last - at < pdfLookBackBytes && classes[window[at] as number] === space) at--;
  const spaces = last - 3 - at;
  const before = window[at] ?? 0;
  return spaces > 0 && ((before >= 0x30 && before <= 0x39) || classes[before] === space);
}

function endsWith(window: Buffer, last: number, word: string): boolean {
  return window.toString('latin1', Math.max(0, last - word.length + 1), last + 1) === word;
}

function addFilter(frame: Frame, name: string): void {
  if (frame.key === 'Filter' && frame.filters.length < filtersMax) frame.filters.push(name);
}

/** `J#61vaScript` → `JavaScript` */
function unescapeName(token: string): string {
  return token.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
