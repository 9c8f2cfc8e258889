import { latin, MiB, u8 } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { heavyOutcomes, type Row, recipesOf, refusedOrNotOutcomes, refusedOutcomes } from '../formats/rows.ts';

type Format = 'vtt' | 'srt';
type Form = {
  format: Format;
  /** The text at the start of the file. */
  head: string;
  time(seconds: number): string;
};
const clock = (seconds: number) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((unit) => String(Math.floor(unit)).padStart(2, '0'))
    .join(':');
const forms: Form[] = [
  { format: 'vtt', head: 'WEBVTT\n\n', time: (seconds) => `${clock(seconds)}.000` },
  { format: 'srt', head: '', time: (seconds) => `${clock(seconds)},000` },
];

const timing = ({ time }: Form, start: number, end: number) => `${time(start)} --> ${time(end)}`;
const cue = (form: Form, start: number, end: number, text: string) => `1\n${timing(form, start, end)}\n${text}\n\n`;
/** This many cues, each a second long, two seconds apart. */
const cues = (form: Form, count: number, textOf: (i: number) => string = () => 'a') =>
  Array.from({ length: count }, (_, i) => cue(form, 2 * i, 2 * i + 1, textOf(i))).join('');
const oneCue = (form: Form, text: string) => form.head + cue(form, 1, 3, text);

/** Only the last line differs from the previous cue, so that every line is compared with every other. */
const almostRepeated = (form: Form, count: number) =>
  form.head +
  Array.from({ length: count }, (_, i) => cue(form, 2 * i, 2 * i + 2, `${'a\n'.repeat(998)}${i % 2 ? 'b' : 'c'}`)).join(
    '',
  );

const repeatToLength = (length: number, unit: string) => unit.repeat(Math.ceil(length / unit.length));

// Uploads whose first lines are no captions are refused; the examination takes them.
type Files = Record<string, [write: (form: Form) => string | Buffer, known?: Row[2]]>;
const files: Files = {
  '300000-cues': [(form) => form.head + cues(form, 300_000)],
  '1000-cues-of-1000-lines-almost-repeated': [(form) => almostRepeated(form, 1000)],
  '15000-cues-at-one-moment': [(form) => form.head + cue(form, 1, 3, 'a').repeat(15_000)],
  '15000-cues-that-overlap': [
    (form) => form.head + Array.from({ length: 15_000 }, (_, i) => cue(form, i, 99_999, 'a')).join(''),
  ],
  '15000-cues-backwards': [
    (form) => form.head + Array.from({ length: 15_000 }, (_, i) => cue(form, 90_000 - i, 90_001 - i, 'a')).join(''),
  ],
  '15000-cues-that-end-before-they-begin': [(form) => form.head + cue(form, 30, 3, 'a').repeat(15_000)],
  'one-cue-of-8-MiB': [(form) => oneCue(form, repeatToLength(8 * MiB, 'word '))],
  'one-cue-of-8-MiB-of-lines': [(form) => oneCue(form, repeatToLength(8 * MiB, 'a\n'))],
  'one-cue-of-8-MiB-of-spaces': [(form) => oneCue(form, `a${' '.repeat(8 * MiB)}b`)],
  'a-file-of-21-MiB': [(form) => form.head + cues(form, 10) + repeatToLength(21 * MiB, 'x'.repeat(99_999))],
  'a-million-lines-without-a-time': [(form) => form.head + 'no time\n'.repeat(1_000_000), refusedOrNotOutcomes],
  'a-million-lines-after-one-cue': [(form) => oneCue(form, 'a') + 'no time\n\n'.repeat(1_000_000)],
  'times-of-99999-hours': [
    (form) => oneCue(form, 'a').replace('00:00:01', '99999:59:59').replace('00:00:03', '999999:59:59'),
  ],
  'times-of-a-million-digits': [
    (form) => oneCue(form, 'a').replaceAll('00:00', `${'9'.repeat(MiB)}:00`),
    refusedOrNotOutcomes,
  ],
  'times-that-are-negative': [
    (form) => form.head + `-${timing(form, 1, 2)}\n-a\n\n`.repeat(5000),
    refusedOrNotOutcomes,
  ],
  'times-beyond-60': [(form) => (form.head + cues(form, 5000)).replaceAll(':00:', ':99:')],
  'arrows-alone': [(form) => `${form.head}${'-->'.repeat(300_000)}\n${'-->\n'.repeat(300_000)}`, refusedOrNotOutcomes],
  'arrows-between-digits': [(form) => form.head + repeatToLength(2 * MiB, '1 --> 1\n'), refusedOrNotOutcomes],
  'spaces-around-an-arrow': [
    (form) => `${form.head}${timing(form, 1, 2).replace(' ', ' '.repeat(MiB))}\na\n`,
    refusedOrNotOutcomes,
  ],
  'spaces-before-each-line': [(form) => oneCue(form, repeatToLength(4 * MiB, `${' '.repeat(2000)}a\n`))],
  'settings-of-1-MiB': [(form) => oneCue(form, 'a').replace('\na', ` ${'line:0 '.repeat(150_000)}\na`)],
  'tags-100000-deep': [(form) => oneCue(form, `${'<b>'.repeat(100_000)}a${'</b>'.repeat(100_000)}`)],
  'tags-that-never-close-in-5000-cues': [(form) => form.head + cues(form, 5000, () => '<c.'.repeat(600))],
  'braces-that-never-close-in-5000-cues': [(form) => form.head + cues(form, 5000, () => '{\\an'.repeat(400))],
  'entities-in-5000-cues': [(form) => form.head + cues(form, 5000, () => '&amp;lt;'.repeat(200))],
  'a-font-from-elsewhere': [
    (form) => oneCue(form, '<font face="url(http://127.0.0.1/)"><img src="file:///etc/passwd">a'),
  ],
  'broken-utf-8': [
    (form) => Buffer.concat([latin(oneCue(form, 'a')), Buffer.alloc(50_000, u8(0xff, 0xc3, 0x28))]),
    refusedOrNotOutcomes,
  ],
  'windows-letters': [(form) => latin(oneCue(form, 'gr\xfc\xdfe\x93\x94')), refusedOrNotOutcomes],
  'utf-16-little': [(form) => Buffer.from(`\ufeff${oneCue(form, 'a')}`, 'utf16le')],
  'utf-16-big': [(form) => Buffer.from(`\ufeff${oneCue(form, 'a')}`, 'utf16le').swap16()],
  'utf-16-without-a-mark': [(form) => Buffer.from(oneCue(form, 'a'), 'utf16le'), refusedOutcomes],
  'nul-in-a-cue': [(form) => oneCue(form, 'a\0b'), refusedOrNotOutcomes],
  'nul-alone': [() => Buffer.alloc(MiB), refusedOutcomes],
  'byte-order-marks-alone': [() => '\ufeff'.repeat(100_000), refusedOrNotOutcomes],
  'byte-order-marks-in-front': [(form) => '\ufeff'.repeat(50) + oneCue(form, 'a'), refusedOrNotOutcomes],
  'carriage-returns-alone': [(form) => (form.head + cues(form, 5000)).replaceAll('\n', '\r')],
  '8-MiB-of-carriage-returns': [(form) => form.head + '\r'.repeat(8 * MiB), refusedOrNotOutcomes],
  '8-MiB-of-line-ends': [(form) => form.head + repeatToLength(8 * MiB, '\r\n'), refusedOrNotOutcomes],
  'digits-without-an-end': [(form) => form.head + '1'.repeat(8 * MiB), refusedOrNotOutcomes],
  'counters-alone': [(form) => form.head + repeatToLength(2 * MiB, '1\n\n'), refusedOrNotOutcomes],
  'letters-that-turn-the-text': [(form) => oneCue(form, repeatToLength(100_000, '\u202e\u2066\u200b'))],
  'marks-upon-marks': [(form) => oneCue(form, `a${'\u0301'.repeat(500_000)}`)],
};

/** Files for WebVTT only: with headers, blocks that are not cues, or settings. */
const webFiles: Files = {
  'header-of-1-MiB': [() => `WEBVTT ${'x'.repeat(MiB)}\n\n`],
  'header-of-a-million-lines': [() => `WEBVTT\n${'a: b\n'.repeat(1_000_000)}`],
  'language-after-1-MiB-of-spaces': [() => `WEBVTT\nLanguage:${' '.repeat(MiB)}e${' '.repeat(MiB)}x\n`],
  '100000-notes': [() => `WEBVTT\n\n${'NOTE a\n\n'.repeat(100_000)}`],
  'a-note-that-never-ends': [() => `WEBVTT\n\nNOTE\n${'a\n'.repeat(1_000_000)}`],
  '100000-styles-from-elsewhere': [() => `WEBVTT\n\n${'STYLE\n@import url(http://127.0.0.1/);\n\n'.repeat(100_000)}`],
  '100000-regions': [() => `WEBVTT\n\n${'REGION\nid:a\nscroll:up\n\n'.repeat(100_000)}`],
  'no-header': [(form) => cues(form, 10), refusedOrNotOutcomes],
  'header-after-spaces': [(form) => `  WEBVTT\n\n${cues(form, 10)}`, refusedOrNotOutcomes],
};

/** Files close to the size limit for reading, so that quadratic algorithms become visible. */
const largeFiles: Files = {
  '10000-cues-of-1000-lines-almost-repeated': [
    (form) => almostRepeated(form, 10_000),
    { expected: heavyOutcomes, isSlow: true },
  ],
};

export const captionFiles: Recipe[] = forms.flatMap((form) =>
  recipesOf(
    'captions',
    `a.${form.format}`,
    Object.entries({ ...files, ...(form.format === 'vtt' && webFiles), ...largeFiles }).map(
      ([name, [write, known]]): Row => [`${form.format}-${name}`, () => Buffer.from(write(form) as string), known],
    ),
  ),
);
