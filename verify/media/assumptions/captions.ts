import { type Assumption, made, unknownFormat } from './assumption.ts';
import { h264, lavfi, still, tone, utf16 } from './sources.ts';

const check = 'captions';

const twoCues = [
  '1',
  '00:00:01,000 --> 00:00:03,000',
  'Good morning.',
  '',
  '2',
  '00:00:04,000 --> 00:00:06,000',
  'Hello.',
  '',
];
const srt = `${twoCues.join('\n')}\n`;
const vttCues = '00:00:01.000 --> 00:00:03.000\nGood morning.\n\n00:00:04.000 --> 00:00:06.000\nHello.\n';
/** Fifteen words in a fifth of a second. */
const words = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen';
const fast = { 'CAPT-TOO-FAST': { measured: 4500, within: 1 } };
const fastCue = (from: string, to: string) => `1\n${from} --> ${to}\n${words}\n`;

/** A caption file without a fault. */
const clean = (promise: string, filename: string, content: string | Buffer): Assumption => ({
  promise,
  check,
  filename,
  make: () => Buffer.from(content as string),
});

/** A caption file whose only fault is a caption that is too fast. */
const tooFast = (promise: string, filename: string, content: string | Buffer): Assumption => ({
  ...clean(promise, filename, content),
  issues: fast,
});

const files: Assumption[] = [
  tooFast(
    'reads SubRip in UTF-16 with the bytes of big-endian machines',
    'a.srt',
    utf16(fastCue('00:00:01,000', '00:00:01,200')).swap16(),
  ),
  tooFast(
    'reads SubRip in UTF-16 with the bytes of little-endian machines',
    'a.srt',
    utf16(fastCue('00:00:01,000', '00:00:01,200')),
  ),
  tooFast('reads captions that begin at ten hours', 'a.srt', fastCue('10:00:01,000', '10:00:01,200')),
  tooFast(
    'reads SubRip with lines that end as on old Macintoshes',
    'a.srt',
    fastCue('00:00:01,000', '00:00:01,200').replaceAll('\n', '\r'),
  ),
  tooFast(
    'reads WebVTT that maps its times to a transport stream and has styles and regions',
    'a.vtt',
    `WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\n${fastCue('00:00:01.000', '00:00:01.200 region:a')}`,
  ),
  tooFast(
    'does not count the times inside a caption as words',
    'a.vtt',
    `WEBVTT\n\n00:01.000 --> 00:01.200\n${words.replaceAll(' ', '<00:00:01.100> ')}\n`,
  ),
  tooFast(
    'counts words of a script that is written from right to left',
    'a.srt',
    fastCue('00:00:01,000', '00:00:01,200').replace(words, Array.from({ length: 15 }, () => 'שלום').join(' ')),
  ),
  clean(
    'accepts a byte order mark and lines that end as on Windows',
    'a.vtt',
    `\ufeffWEBVTT\r\n\r\n${vttCues.replaceAll('\n', '\r\n')}`,
  ),
  clean('accepts captions in a file named .txt', 'a.txt', srt),
  {
    ...clean('reports WebVTT without a caption', 'a.vtt', 'WEBVTT\n\nNOTE nothing here\n'),
    issues: { 'CAPT-EMPTY': {} },
  },
  {
    ...clean(
      'does not take TTML for captions that were read',
      'a.vtt',
      '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="00:00:01:12" end="30t">Hello</p></div></body></tt>\n',
    ),
    issues: { 'CAPT-MALFORMED': {} },
    outcome: 'incomplete',
  },
  {
    ...clean(
      'reports the header of a second WebVTT file that was joined to the first',
      'a.vtt',
      `WEBVTT\n\n${vttCues}\nWEBVTT\n\n${vttCues}`,
    ),
    issues: { 'CAPT-MALFORMED': {}, 'CAPT-ORDER': {}, 'CAPT-OVERLAP': {} },
  },
];

/** Two seconds of video whose captions are these SubRip files. */
const video = (filename: string, args: string, ...tracks: string[]) => {
  const inputs = Object.fromEntries(tracks.map((text, i) => [`${i}.srt`, text]));
  const names = Object.keys(inputs);
  const maps = names.map((_, i) => `-map ${i + 2}`).join(' ');
  const sources = `${lavfi(still('64x48', 6, 5), tone([-20, -20], 6, 8000))} ${names.map((name) => `-i ${name}`).join(' ')}`;
  return made(
    `.${filename.split('.').at(-1)}`,
    `${sources} -map 0 -map 1 ${maps} ${h264} -c:a aac ${args} -metadata:s:s language=eng`,
    inputs,
  );
};

const videos: Assumption[] = [
  unknownFormat(check, 'a.mp4'),
  {
    promise: 'counts caption times from the start of a file whose clock starts at 100 seconds',
    check,
    filename: 'a.mkv',
    make: () => video('a.mkv', '-c:s srt -output_ts_offset 100', fastCue('00:00:01,000', '00:00:01,200')),
    issues: { 'CAPT-TOO-FAST': { measured: 4500, within: 1, atSeconds: 1 } },
  },
  {
    promise: 'reads the second of two tracks, and the one that is forced',
    check,
    filename: 'a.mkv',
    make: () => video('a.mkv', '-c:s srt -disposition:s:1 forced', srt, fastCue('00:00:01,000', '00:00:01,200')),
    issues: fast,
  },
  {
    promise: 'reads captions in QuickTime text',
    check,
    filename: 'a.mov',
    make: () => video('a.mov', '-c:s mov_text', fastCue('00:00:01,000', '00:00:01,200')),
    issues: fast,
  },
  {
    promise: 'reads captions in an audio file',
    check,
    filename: 'a.m4a',
    make: () =>
      made(
        '.m4a',
        `${lavfi(tone([-20, -20], 6, 8000))} -i a.srt -map 0 -map 1 -c:a aac -c:s mov_text -metadata:s:s language=eng -f mp4`,
        {
          'a.srt': fastCue('00:00:01,000', '00:00:01,200'),
        },
      ),
    issues: fast,
  },
  {
    promise: 'reads a track whose first caption comes after a minute',
    check,
    filename: 'a.mkv',
    make: () =>
      made(
        '.mkv',
        `${lavfi(still('64x48', 66, 1))} -i a.srt -map 0 -map 1 ${h264} -c:s srt -metadata:s:s language=eng`,
        {
          'a.srt': fastCue('00:01:01,000', '00:01:01,200'),
        },
      ),
    issues: fast,
  },
];

export const captions: Assumption[] = [...files, ...videos];
