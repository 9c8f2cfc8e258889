import {
  type Caption,
  type CueSample,
  cueSample,
  findingAt,
  flawFinding,
  lossFindings,
  notCaptions,
  srtCue,
  srtOf,
  textOfWords,
  vttOf,
} from './make-cues.ts';

const hello: Caption = [1, 3, 'Hello there'];
const bye: Caption = [4, 6, 'Good bye'];

/** Caption files with faults, most with exactly one. */
export function faultyCues(): CueSample[] {
  return [...bothFormats(), ...vttOnly(), ...srtOnly()];
}

function bothFormats(): CueSample[] {
  const contents: [label: string, cues: Caption[], expected: string[]][] = [
    ['just too fast', [[0, 2, textOfWords(7)]], [findingAt('CAPT-TOO-FAST', 0, 2000)]],
    ['at the limit of too fast', [[0, 3, textOfWords(6), textOfWords(4)]], [findingAt('CAPT-FAST', 0, 3000)]],
    ['slightly fast', [[0, 3.2, textOfWords(10)]], [findingAt('CAPT-FAST', 0, 3200)]],
    [
      'fast neighbours are one finding',
      [
        [0, 3.2, textOfWords(10)],
        [4, 7.2, textOfWords(10)],
        [8, 11, textOfWords(3)],
      ],
      [findingAt('CAPT-FAST', 0, 7200)],
    ],
    [
      'fast captions apart from each other are two findings',
      [
        [0, 1.6, textOfWords(5)],
        [2, 5, 'slow'],
        [6, 7.6, textOfWords(5)],
      ],
      [findingAt('CAPT-FAST', 0, 1600), findingAt('CAPT-FAST', 6000, 7600)],
    ],
    [
      'fast and too fast',
      [
        [0, 3.2, textOfWords(10)],
        [4, 6, textOfWords(10)],
      ],
      [findingAt('CAPT-FAST', 0, 3200), findingAt('CAPT-TOO-FAST', 4000, 6000)],
    ],
    ['a single short caption', [[0, 0.5, textOfWords(2)]], [findingAt('CAPT-TOO-FAST', 0, 500)]],
    [
      'many short captions',
      [
        [0, 0.3, 'One two'],
        [0.3, 0.6, 'three four'],
        [0.6, 1, 'five six'],
      ],
      [findingAt('CAPT-TOO-FAST', 0, 1000)],
    ],
    [
      'three lines',
      [[0, 5, 'One', 'two', 'three'], bye],
      [findingAt('CAPT-OVERLAP', 4000, 6000), findingAt('CAPT-LINES', 0, 5000)],
    ],
    ['four lines', [[0, 3, 'One', 'two', 'three', 'four'], bye], [findingAt('CAPT-LINES', 0, 3000)]],
    ['overlap', [hello, [2, 4, 'Again']], [findingAt('CAPT-OVERLAP', 2000, 4000)]],
    ['overlap of 41 ms', [hello, [2.959, 4, 'Again']], [findingAt('CAPT-OVERLAP', 2959, 4000)]],
    [
      'captions within another',
      [
        [0, 9, 'Long'],
        [2, 3, 'one'],
        [5, 6, 'two'],
      ],
      [findingAt('CAPT-OVERLAP', 2000, 6000)],
    ],
    ['out of order', [bye, hello], [findingAt('CAPT-ORDER', 1000, 3000)]],
    [
      'out of order and overlapping',
      [
        [2, 4, 'Two'],
        [1, 3, 'One'],
      ],
      [findingAt('CAPT-ORDER', 1000, 3000), findingAt('CAPT-OVERLAP', 2000, 4000)],
    ],
    [
      'two out of order',
      [
        [6, 7, 'Three'],
        [1, 2, 'One'],
        [3, 4, 'Two'],
      ],
      [findingAt('CAPT-ORDER', 1000, 4000)],
    ],
    [
      'a long sentence for 0.2 s after a slow caption',
      [
        [0, 2, 'Hello world'],
        [2.1, 2.3, textOfWords(15)],
      ],
      [findingAt('CAPT-TOO-FAST', 2100, 2300)],
    ],
    [
      'a long sentence for 0.2 s before a slow caption',
      [
        [0, 0.2, textOfWords(15)],
        [0.2, 9, 'Hello world'],
      ],
      [findingAt('CAPT-TOO-FAST', 0, 200)],
    ],
    ['no duration', [hello, [4, 4, 'Gone']], [findingAt('CAPT-DURATION', 4000, 4000)]],
    ['ends before it starts', [hello, [6, 4, 'Gone']], [findingAt('CAPT-DURATION', 6000, 6000)]],
    ['tags without text', [[1, 3, '<i></i>'], bye], [findingAt('CAPT-BLANK', 1000, 3000)]],
  ];
  return contents.flatMap(([label, cues, expected]) => [
    cueSample(label, 'vtt', vttOf(...cues), expected, cues.length),
    cueSample(label, 'srt', srtOf(...cues), expected, cues.length),
  ]);
}

function vttOnly(): CueSample[] {
  const withText = (label: string, text: string, expected: string[], cues = 1) =>
    cueSample(label, 'vtt', `WEBVTT\n\n${text}\n`, expected, cues);
  const good = '00:01.000 --> 00:03.000\nHello';
  return [
    cueSample('no captions', 'vtt', 'WEBVTT\n', ['CAPT-EMPTY no captions: file'], 0),
    cueSample('only a note', 'vtt', 'WEBVTT\n\nNOTE later\n', ['CAPT-EMPTY no captions: file'], 0),
    cueSample('SubRip content', 'vtt', srtOf(hello), ['CAPT-MALFORMED not WebVTT']),
    cueSample(
      'no signature',
      'vtt',
      good,
      [
        'CAPT-MALFORMED not WebVTT',
        ...lossFindings('badTime'),
        'CAPT-EMPTY no captions: file',
        flawFinding('noNumber'),
      ],
      0,
    ),
    cueSample(
      'a lower-case signature',
      'vtt',
      `webvtt\n\n${good}`,
      [
        'CAPT-MALFORMED not WebVTT',
        ...lossFindings('badTime'),
        flawFinding('textWithoutTime'),
        'CAPT-EMPTY no captions: file',
        flawFinding('noNumber'),
      ],
      0,
    ),
    cueSample('extra letters after the signature', 'vtt', 'WEBVTTX\n\nhello', notCaptions('WebVTT'), null),
    withText('no text', '00:01.000 --> 00:03.000', [findingAt('CAPT-BLANK', 1000, 3000)]),
    withText('a comma in the timestamp', `00:01,000 --> 00:03,000\nHello\n\n${good}`, lossFindings('badTime')),
    withText('no milliseconds', `00:00:01 --> 00:00:03\nHello\n\n${good}`, lossFindings('badTime')),
    withText('75 seconds', `00:75.000 --> 00:76.000\nHello\n\n${good}`, lossFindings('badTime')),
    withText('a negative timestamp', `-00:01.000 --> 00:03.000\nHello\n\n${good}`, lossFindings('badTime')),
    withText('an end without a start', `--> 00:03.000\nHello\n\n${good}`, lossFindings('badTime')),
    withText('an arrow in the text', '00:01.000 --> 00:03.000\nleft\nto --> right', [
      flawFinding('noEmptyLine'),
      ...lossFindings('badTime'),
    ]),
    withText('text without a timestamp', `${good}\n\nnever seen`, [flawFinding('textWithoutTime')]),
    withText('two identifiers', `one\ntwo\n${good}`, [flawFinding('textWithoutTime')]),
    withText('no spaces around the arrow', '00:01.000-->00:03.000\nHello', [flawFinding('unusualTime')]),
    withText('no space before the arrow', '00:01.000--> 00:03.000\nHello', [flawFinding('unusualTime')]),
    withText('no space after the arrow', '00:01.000 -->00:03.000\nHello', [flawFinding('unusualTime')]),
    withText('single-digit hours', '0:00:01.000 --> 0:00:03.000\nHello', [flawFinding('unusualTime')]),
    withText('an unknown setting', '00:01.000 --> 00:03.000 colour:red\nHello', [flawFinding('unknownSetting')]),
    withText(
      'no empty line between captions',
      `${good}\n00:04.000 --> 00:06.000\nBye`,
      [flawFinding('noEmptyLine')],
      2,
    ),
    withText('a note that runs into a caption', `NOTE here\n${good}`, [flawFinding('commentAtCue')]),
    cueSample('no empty line after the signature', 'vtt', `WEBVTT\n${good}`, [flawFinding('noEmptyLine')]),
    cueSample('no empty line after the header', 'vtt', `WEBVTT\nKind: captions\n${good}`, [flawFinding('noEmptyLine')]),
  ];
}

function srtOnly(): CueSample[] {
  const first = srtCue(hello, 1);
  const with2 = (label: string, second: string, expected: string[], cues = 2) =>
    cueSample(label, 'srt', `${first}\n${second}\n`, expected, cues);
  return [
    cueSample('WebVTT content', 'srt', vttOf(hello), ['CAPT-MALFORMED not SubRip']),
    cueSample('a letter', 'srt', 'Dear Ann,\n', notCaptions('SubRip'), null),
    cueSample('no bytes', 'srt', '', notCaptions('SubRip'), null),
    with2('no text', '2\n00:00:04,000 --> 00:00:06,000', [findingAt('CAPT-BLANK', 4000, 6000)]),
    with2('full stops in the timestamp', '2\n00:00:04.000 --> 00:00:06.000\nBye', [flawFinding('unusualTime')]),
    with2('single-digit hours', '2\n0:00:04,000 --> 0:00:06,000\nBye', [flawFinding('unusualTime')]),
    with2('a short fraction', '2\n00:00:04,5 --> 00:00:06,5\nBye', [flawFinding('unusualTime')]),
    with2('75 minutes', '2\n00:75:00,000 --> 00:75:02,000\nBye', [flawFinding('unusualTime')]),
    with2('no spaces around the arrow', '2\n00:00:04,000-->00:00:06,000\nBye', [flawFinding('unusualTime')]),
    with2('no milliseconds', '2\n00:00:04 --> 00:00:06\nBye', lossFindings('badTime'), 1),
    with2('no hours', '2\n00:04,000 --> 00:06,000\nBye', lossFindings('badTime'), 1),
    with2('an arrow with one dash', '2\n00:00:04,000 -> 00:00:06,000\nBye', lossFindings('badTime'), 1),
    with2('a letter instead of a digit', '2\n0O:00:04,000 --> 00:00:06,000\nBye', lossFindings('badTime'), 1),
    with2('a negative timestamp', '2\n-00:00:04,000 --> 00:00:06,000\nBye', lossFindings('badTime'), 1),
    with2('no end', '2\n00:00:04,000 -->\nBye', lossFindings('badTime'), 1),
    with2('no number', '00:00:04,000 --> 00:00:06,000\nBye', [flawFinding('noNumber')]),
    with2('a repeated number', '1\n00:00:04,000 --> 00:00:06,000\nBye', [flawFinding('wrongNumber')]),
    with2('a skipped number', '3\n00:00:04,000 --> 00:00:06,000\nBye', [flawFinding('wrongNumber')]),
    with2('a name instead of a number', 'two\n00:00:04,000 --> 00:00:06,000\nBye', [
      flawFinding('textWithoutTime'),
      flawFinding('noNumber'),
    ]),
    with2('a number without a caption', '2', [flawFinding('numberAlone')], 1),
    with2('an empty line in the text', '2\n00:00:04,000 --> 00:00:06,000\nGood\n\nbye', [
      flawFinding('textWithoutTime'),
    ]),
    with2('an empty line after the number', '2\n\n00:00:04,000 --> 00:00:06,000\nBye', [
      flawFinding('numberAlone'),
      flawFinding('noNumber'),
    ]),
    cueSample(
      'no empty line between captions',
      'srt',
      `${first.trimEnd()}\n${srtCue(bye, 2)}`,
      [flawFinding('noEmptyLine')],
      2,
    ),
    cueSample('a title before the captions', 'srt', `Spring, part one\n\n${first}`, [flawFinding('textWithoutTime')]),
    cueSample('Windows-1252', 'srt', Buffer.from(srtOf([1, 3, 'Grüße']), 'latin1'), [flawFinding('notUnicode')]),
  ];
}
