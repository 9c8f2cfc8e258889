/** The length of text that just fits into a request head of 16 KiB. */
export const headBytes = 15_000;

/** Text to be repeated: plain, in JSON, percent-encoded, and as header bytes with one byte per character. */
export type HostileText = { name: string; unit: string; inJson: string; inUrl: string; inHeader: string | undefined };

function makeHostileText(name: string, unit: string, rest: Partial<HostileText> = {}): HostileText {
  const inJson = JSON.stringify(unit).slice(1, -1);
  const bytes = Buffer.from(unit);
  const inUrl = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return { name, unit, inJson, inUrl, inHeader: bytes.toString('latin1'), ...rest };
}

/** Texts that are slow to normalise, match, split or compare unless their length is limited first. */
export const hostileTexts: HostileText[] = [
  makeHostileText('combining marks', '\u0301\u0323'),
  makeHostileText('spaces', ' '),
  makeHostileText('decomposed letters', 'e\u0301'),
  makeHostileText('separators', ';'),
  makeHostileText('lists', 'a,;= '),
  makeHostileText('digits', '1', { inUrl: '1' }),
  makeHostileText('numbers of 15 digits', '123456789012345 '),
  makeHostileText('letters', 'a', { inUrl: 'a' }),
  makeHostileText('capitals that get longer', '\u0130'),
  makeHostileText('lone surrogates', '\ud800', { inUrl: '%ed%a0%80', inHeader: '\xed\xa0\x80' }),
  makeHostileText('backslashes', '\\'),
  makeHostileText('quotes', '"'),
  makeHostileText('dots and slashes', '../'),
  makeHostileText('percent signs', '%', { inUrl: '%' }),
  makeHostileText('addresses', '127.0.0.1, '),
  makeHostileText('colons', '1:'),
  makeHostileText('NUL', '\0', { inHeader: undefined }), // not HTTP
];

/**
 * Returns the first items and `count` of the others. Each turn takes the next ones, so that all are used across all
 * fields and routes. With `HOSTILE=all`, all items.
 */
export function pickInTurn<Item>(items: Item[], count: number, turn: number, firstCount = 2): Item[] {
  if (process.env.HOSTILE === 'all') return items;
  const [first, others] = [items.slice(0, firstCount), items.slice(firstCount)];
  return [...first, ...Array.from({ length: count }, (_, i) => others[(turn * count + i) % others.length] as Item)];
}

/** Repeats text until it has about this many bytes. */
export function repeatToLength(unit: string, bytes: number): string {
  return unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));
}

const joinItems = (length: number, itemAt: (i: number) => string) => Array.from({ length }, (_, i) => itemAt(i)).join();

/** JSON values other than strings: as long as a body can be, or with as many values as the service still checks. */
export const hostileJson = Object.entries({
  'nested lists': `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  'nested objects': `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
  '9,900 long keys': `{${joinItems(9900, (i) => `"${String(i).padStart(90, 'key ')}":1`)}}`,
  'short keys': `{${joinItems(100_000, (i) => `"${i.toString(36)}":1`)}}`,
  '9,900 texts': `[${joinItems(9900, () => '"x"')}]`,
  '4,900 objects': `[${joinItems(4900, (i) => `{"${i.toString(36)}":1}`)}]`,
  'as many numbers as fit': `[${joinItems(500_000, () => '1')}]`,
  'as many numbers as fit, one of them large': `[12345678901234567,${joinItems(499_000, () => '1')}]`,
  'a long number': '1'.repeat(1_000_000),
  'a long decimal': `0.${'1'.repeat(1_000_000)}`,
  'a long key': `{"${'k'.repeat(1_000_000)}":1}`,
  'a long key of combining marks': `{"${'\u0301\u0323'.repeat(240_000)}":1}`,
});
