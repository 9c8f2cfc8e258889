export type JsonScan = {
  /** The number of values at all depths. Meaningless if the text is not JSON. */
  valueCount: number;
  /** Whether a number may be one that JavaScript cannot represent exactly. */
  mayHoldLargeNumber: boolean;
};

/** JavaScript represents every integer with this many digits exactly. */
const exactDigitsMax = 15;

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const zero = 0x30;
const nine = 0x39;
const letterE = 0x65;
const caseBit = 0x20; // the bit that differs between a letter and its capital, and between brackets and braces
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Scans JSON text once, without parsing it, and stops as soon as it has more than `valuesMax` values. */
export function scanJson(json: string, valuesMax: number): JsonScan {
  let valueCount = 1;
  let mayHoldLargeNumber = false;
  let digits = 0;
  let isOpened = false; // the last character was an opening bracket
  for (let i = 0; i < json.length && valueCount <= valuesMax; i++) {
    const unit = json.charCodeAt(i);
    if (unit <= space) continue;
    if (unit >= zero && unit <= nine) {
      digits++;
      if (digits > exactDigitsMax) mayHoldLargeNumber = true;
    } else {
      if (digits > 0 && (unit | caseBit) === letterE) mayHoldLargeNumber = true;
      digits = 0;
    }
    // Commas separate the values of an array or object, so one that is not empty has one more value than commas.
    if (unit === comma || (isOpened && (unit | caseBit) !== closingBrace)) valueCount++;
    isOpened = (unit | caseBit) === openingBrace;
    if (unit === quote) i = endOfString(json, i + 1);
  }
  return { valueCount, mayHoldLargeNumber };
}

/** The closing quote: the first one with an even number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start); end >= 0; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && json[first - 1] === '\\') first--;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}
