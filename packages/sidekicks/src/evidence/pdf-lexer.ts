/** A dictionary of a PDF as far as it concerns us; everything else in it is passed over. */
export type PdfDictionary = {
  /** Those of its keys that were asked for. */
  keys: string[];
  /** The name that is the value of a key asked for. */
  nameOf(key: string): string | undefined;
  filters: string[];
};

type Frame = PdfDictionary & { names: string[]; key: string; isValueDue: boolean; arrayDepth: number };

export type PdfSink = {
  object(): void;
  /** A dictionary that has ended and has a key asked for, inner ones first. */
  dictionary(dictionary: PdfDictionary): void;
  /** A name outside every dictionary: an object that is only a name. */
  bareName(name: string): void;
  stream(dictionary: PdfDictionary, begin: number, end: number): void;
};

export type PdfLexer = {
  /** Takes the bytes of a window from an index on; those before were fed before and are only looked back upon. */
  feed(window: Buffer, from: number, windowAt: number): void;
  end(at: number): void;
};

/** How far back a window must reach for a keyword at its border. */
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
 * Reads the structure of a PDF in one pass, whatever its cross-reference table says: an object counts wherever
 * `n n obj` stands, even inside a string, a comment or a stream, as a reader may be pointed there.
 * The loose way takes no string and no comment for one, so that nothing can hide behind a bracket left open.
 */
export function createPdfLexer(sink: PdfSink, keysAsked: ReadonlySet<string>, isLoose = false): PdfLexer {
  let mode: Mode = 'plain';
  let token = '';
  let stringDepth = 0;
  let isEscaped = false;
  let frames: Frame[] = [];
  let depthBeyond = 0;
  let lastEnded: PdfDictionary | null = null;
  let streamAt = 0;

  function open(): void {
    valueSeen();
    if (frames.length >= depthMax) depthBeyond++;
    else frames.push(createFrame());
  }

  function close(): void {
    if (depthBeyond > 0) {
      depthBeyond--;
      return;
    }
    const frame = frames.pop();
    if (!frame) return;
    if (frame.keys.length > 0) sink.dictionary(frame);
    lastEnded = frame;
  }

  function closeAll(): void {
    depthBeyond = 0;
    while (frames.length > 0) close();
  }

  function valueSeen(): void {
    const frame = frames.at(-1);
    if (frame && frame.arrayDepth === 0) frame.isValueDue = false;
  }

  function nameEnds(): void {
    const name = token.includes('#') ? unescapeName(token) : token;
    const frame = frames.at(-1);
    if (!frame) sink.bareName(name);
    else if (frame.arrayDepth > 0) noteFilter(frame, name);
    else if (frame.isValueDue) {
      frame.isValueDue = false;
      if (keysAsked.has(frame.key)) frame.names.push(frame.key, name);
      noteFilter(frame, name);
    } else {
      frame.key = name;
      frame.isValueDue = true;
      if (keysAsked.has(name)) frame.keys.push(name);
    }
  }

  function wordEnds(at: number): void {
    if (token === 'stream') {
      closeAll();
      mode = 'stream';
      streamAt = at;
    } else if (token === 'endobj') closeAll();
    else valueSeen();
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

  /** A byte outside strings, comments and streams. */
  function plain(byte: number): void {
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
      valueSeen();
      if (frame) frame.arrayDepth++;
    } else if (byte === 0x5d && frame && frame.arrayDepth > 0) frame.arrayDepth--;
    else if (byte === 0x28) {
      valueSeen();
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
        if (mode === 'name') nameEnds();
        else wordEnds(at);
        if ((mode as Mode) !== 'stream') plain(byte);
        return;
      case 'less':
        if (byte === 0x3c) {
          mode = 'plain';
          open();
          return;
        }
        valueSeen();
        mode = isLoose ? 'plain' : 'hex';
        take(byte, at);
        return;
      case 'greater':
        mode = 'plain';
        if (byte === 0x3e) close();
        else plain(byte);
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
        plain(byte);
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
      if (mode === 'name') nameEnds();
      closeAll();
      frames = [];
    },
  };
}

// Arrays, as hostile files have dictionaries by the million with a key or two each. Of a key given twice the last counts.
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
    isValueDue: false,
    arrayDepth: 0,
  };
}

// `7 0 obj`: of the two numbers one digit is enough, as the spaces between may be many.
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

function noteFilter(frame: Frame, name: string): void {
  if (frame.key === 'Filter' && frame.filters.length < filtersMax) frame.filters.push(name);
}

/** `J#61vaScript` → `JavaScript` */
function unescapeName(token: string): string {
  return token.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
