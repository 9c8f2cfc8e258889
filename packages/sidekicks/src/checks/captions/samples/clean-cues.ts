import {
  type Caption,
  type CueSample,
  cueSample,
  srtCue,
  srtOf,
  textOfWords,
  timestamp,
  utf16,
  utf16be,
  vttOf,
} from './make-cues.ts';

const hello: Caption = [1, 3, 'Hello there'];
const bye: Caption = [4, 6, 'Good bye', 'and thanks'];

/** Correct caption files, and files that are not captions: none may have findings. */
export function cleanCues(): CueSample[] {
  return [...bothFormats(), ...vttOnly(), ...srtOnly(), ...noCaptions()];
}

function bothFormats(): CueSample[] {
  const many = Array.from({ length: 5000 }, (_, i): Caption => [i * 3, i * 3 + 2.5, 'All is well', 'with us']);
  const contents: [label: string, cues: Caption[]][] = [
    ['two captions', [hello, bye]],
    ['back to back', [hello, [3, 5, 'Again'], [5, 7, 'and again']]],
    ['overlapping by one frame', [hello, [2.96, 5, 'Again']]],
    ['exactly at the speed limit', [[0, 2, textOfWords(6)]]],
    ['a fraction of a word above the speed limit', [[0, 1.997, textOfWords(6)]]],
    [
      'short words with neighbours',
      [
        [0, 0.2, 'No!'],
        [0.2, 0.4, 'No!'],
        [0.5, 2, 'I said no.'],
      ],
    ],
    [
      'a short word at the end',
      [
        [0, 2, 'I said'],
        [2, 2.2, 'no!'],
      ],
    ],
    ['two lines', [[0, 3, 'One', 'two']]],
    [
      'lines that roll up',
      [
        [0, 2, textOfWords(5)],
        [2, 4, textOfWords(5), 'next are other ones'],
        [4, 6, 'next are other ones', textOfWords(5)],
      ],
    ],
    ['hours', [[7200, 7203, 'Still here']]],
    ['Chinese', [[0, 1, '这部电影 没有任何问题 请继续 观看 下一个 节目吧']]],
    ['Thai', [[0, 1, 'สวัสดี ทุก คน ยินดี ต้อนรับ']]],
    ['Arabic', [[0, 2, 'مرحبا بكم في البرنامج']]],
    ['symbols that are not words', [[0, 0.3, '♪ ♪ ♪ – – …']]],
    ['emphasis', [[0, 2, '<i>Look</i> at <b>that</b>']]],
    ['nested tags', [[0, 2, '<b><i><u>Look</u></i></b> there']]],
    ['5,000 captions', many],
  ];
  return contents.flatMap(([label, cues]) => [
    cueSample(label, 'vtt', vttOf(...cues), [], cues.length),
    cueSample(label, 'srt', srtOf(...cues), [], cues.length),
    cueSample(`${label}, CRLF`, 'vtt', vttOf(...cues).replaceAll('\n', '\r\n'), [], cues.length),
    cueSample(`${label}, CRLF`, 'srt', srtOf(...cues).replaceAll('\n', '\r\n'), [], cues.length),
  ]);
}

function vttOnly(): CueSample[] {
  const body = vttOf(hello).slice('WEBVTT'.length);
  const withCue = (label: string, text: string, cues = 1) => cueSample(label, 'vtt', `WEBVTT\n\n${text}\n`, [], cues);
  return [
    cueSample('with a byte order mark', 'vtt', `\ufeff${vttOf(hello)}`),
    cueSample('CR only', 'vtt', vttOf(hello).replaceAll('\n', '\r')),
    cueSample('no final line end', 'vtt', vttOf(hello).trimEnd()),
    cueSample('many empty lines', 'vtt', vttOf(hello, bye).replaceAll('\n\n', '\n\n\n\n'), [], 2),
    cueSample('a title after the signature', 'vtt', `WEBVTT - Spring${body}`),
    cueSample('a header', 'vtt', `WEBVTT\nKind: captions\nLanguage: en${body}`),
    withCue('times without hours', '00:01.000 --> 00:03.000\nHello'),
    withCue('hundreds of hours', '100:00:00.000 --> 100:00:02.000\nHello'),
    withCue('cue identifiers', 'first\n00:01.000 --> 00:03.000\nHello\n\n2\n00:04.000 --> 00:06.000\nBye', 2),
    withCue('settings', '00:01.000 --> 00:03.000 line:0 position:20% align:start size:60% vertical:rl region:a\nHello'),
    withCue('notes', 'NOTE\nnot shown\n\n00:01.000 --> 00:03.000\nHello\n\nNOTE nor this'),
    withCue('style and region', 'STYLE\n::cue { color: red }\n\nREGION\nid:a\n\n00:01.000 --> 00:03.000\nHello'),
    withCue(
      'voices, classes and inline timestamps',
      '00:01.000 --> 00:03.000\n<v Ann><c.loud>Hello</c> <00:02.000>you',
    ),
    withCue('escapes', '00:01.000 --> 00:02.500\nSalt &amp; pepper &lt;3&nbsp;&gt;&lrm;'),
    withCue('an escaped escape', `00:01.000 --> 00:03.000\n${'&amp;'.repeat(300)}amp;`),
    withCue('tabs', '00:01.000\t-->\t00:03.000\nHello'),
  ];
}

function srtOnly(): CueSample[] {
  return [
    cueSample('with a byte order mark', 'srt', `\ufeff${srtOf(hello)}`),
    cueSample('UTF-16', 'srt', utf16(srtOf(hello, bye)), [], 2),
    cueSample('UTF-16, big-endian', 'srt', utf16be(srtOf(hello, bye)), [], 2),
    cueSample('no final line end', 'srt', srtOf(hello).trimEnd()),
    cueSample('many empty lines', 'srt', `\n\n${srtCue(hello, 1)}\n\n\n${srtCue(bye, 2)}\n\n`, [], 2),
    cueSample('numbered from 0', 'srt', `${srtCue(hello, 0)}\n${srtCue(bye, 1)}`, [], 2),
    cueSample('numbered from 7', 'srt', `${srtCue(hello, 7)}\n${srtCue(bye, 8)}`, [], 2),
    cueSample('a position', 'srt', `1\n${timestamp(1, ',')} --> ${timestamp(3, ',')} X1:100 X2:200 Y1:1 Y2:2\nHello\n`),
    cueSample('an Advanced SubStation style', 'srt', srtOf([1, 2, '{\\an8}Hello there'])),
    cueSample('a font', 'srt', srtOf([1, 2, '<font color="#ffffff" face="A B C D E F">Hello</font>'])),
    cueSample('an arrow in the text', 'srt', srtOf([1, 3, 'left --> right'])),
    cueSample('a year as text', 'srt', srtOf([1, 3, '1984'], bye), [], 2),
    cueSample('less-than and greater-than signs', 'srt', srtOf([1, 3, '1 < 2 > 0', 'I <3 you'])),
    cueSample('captions in a text file', 'txt', srtOf(hello, bye), [], 2),
  ];
}

function noCaptions(): CueSample[] {
  return [
    cueSample('a letter', 'txt', 'Dear Ann,\n\nsee you at 10:30.\n', [], null),
    cueSample('a letter that quotes captions', 'txt', `${'a line\n'.repeat(6)}\n${srtOf(hello)}`, [], null),
    cueSample('arrows', 'txt', 'a --> b --> c\n1 -> 2\n', [], null),
    cueSample('an empty file', 'txt', '', [], null),
    cueSample('a program', 'txt', 'for (let i = 10; i --> 0; ) {}\n', [], null),
  ];
}
