import {
  type Caption,
  type CueSample,
  cueSample,
  findingAt,
  flawFinding,
  lossFindings,
  notCaptions,
  srtOf,
  utf16,
  vttOf,
} from './make-cues.ts';

const hello: Caption = [1, 3, 'Hello there'];

/** Caption files meant to hang, crash or mislead a parser. */
export function hostileCues(): CueSample[] {
  const longLine = 'x'.repeat(3 * 1024 * 1024);
  const notSrt = notCaptions('SubRip');
  const notVtt = notCaptions('WebVTT');
  const many = Array.from({ length: 100_000 }, (_, i): Caption => [i * 2, i * 2 + 1, 'a']);
  return [
    cueSample('a NUL in the text', 'srt', srtOf([1, 3, 'a\0b']), notSrt, null),
    cueSample('a NUL in the text', 'vtt', vttOf([1, 3, 'a\0b']), notVtt, null),
    cueSample('a NUL far from the start', 'vtt', `${vttOf(hello)}${' \n'.repeat(100_000)}\0`, notVtt, null),
    cueSample('only a byte order mark', 'vtt', '\ufeff', notVtt, null),
    cueSample('half a UTF-16 character', 'srt', utf16(srtOf(hello)).subarray(0, -1), notSrt, null),
    cueSample('UTF-16', 'vtt', utf16(vttOf(hello)), [flawFinding('notUtf8')]),
    cueSample(
      'random bytes',
      'srt',
      Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167 + 13) % 256)),
      notSrt,
      null,
    ),
    cueSample('a line of 3 MiB as text', 'srt', srtOf([1, 3, longLine]), lossFindings('longText')),
    cueSample('a line of 3 MiB as text', 'vtt', vttOf([1, 3, longLine]), lossFindings('longText')),
    cueSample(
      'a line of 3 MiB as timestamp',
      'vtt',
      `WEBVTT\n\n00:01.000 --> ${longLine}\n`,
      [...lossFindings('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    cueSample('a line of 3 MiB as identifier', 'vtt', `WEBVTT\n\n${longLine}\n00:01.000 --> 00:03.000\nHello\n`),
    cueSample('a line of 3 MiB as number', 'srt', `${'1'.repeat(3 * 1024 * 1024)}\n`, notSrt, null),
    cueSample('3,000,000 empty lines', 'vtt', `${vttOf(hello)}${'\n'.repeat(3_000_000)}`),
    cueSample('100,000 captions', 'srt', srtOf(...many), lossFindings('tooManyCues'), 20_000),
    cueSample('100,000 captions', 'vtt', vttOf(...many), lossFindings('tooManyCues'), 20_000),
    cueSample(
      '100,000 invalid timestamps',
      'vtt',
      `WEBVTT\n${'\n1 --> 2\na\n'.repeat(100_000)}`,
      [...lossFindings('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    cueSample('more than 20 MiB', 'vtt', `${vttOf(hello)}\nNOTE ${'x'.repeat(20 * 1024 * 1024)}`, [
      ...lossFindings('tooLarge'),
    ]),
    cueSample('more than 99 hours', 'srt', '1\n100:00:00,000 --> 100:00:02,000\nHello\n', [flawFinding('unusualTime')]),
    cueSample(
      'implausibly many hours',
      'srt',
      `1\n${'9'.repeat(9)}:00:00,000 --> ${'9'.repeat(9)}:00:02,000\nHello\n`,
      [...lossFindings('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    cueSample(
      'implausibly many hours',
      'vtt',
      `WEBVTT\n\n${'9'.repeat(400)}:00:00.000 --> 00:02.000\nHello\n`,
      [...lossFindings('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    cueSample(
      'negative timestamps',
      'srt',
      '1\n-00:00:02,000 --> -00:00:01,000\nHello\n',
      [...lossFindings('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    cueSample('hundreds of nested tags', 'vtt', vttOf([1, 3, `${'<b>'.repeat(300)}Hello${'</b>'.repeat(200)}`])),
    cueSample('unclosed brackets', 'vtt', vttOf([1, 3, '<'.repeat(100_000)]), lossFindings('longText')),
    cueSample('unclosed braces', 'srt', srtOf([1, 3, '{\\'.repeat(100_000)]), lossFindings('longText')),
    cueSample(
      'an entity bomb',
      'vtt',
      vttOf([1, 3, '<!DOCTYPE a [<!ENTITY b "&c;&c;">]>', '&b;&amp;lt;script&amp;gt;']),
    ),
    cueSample('only invisible characters', 'vtt', vttOf([1, 3, '\u200b\u200e\ufeff']), [
      findingAt('CAPT-BLANK', 1000, 3000),
    ]),
    cueSample('a right-to-left override', 'srt', srtOf([1, 2, '\u202eolleh', 'a', 'b']), [
      findingAt('CAPT-LINES', 1000, 2000),
    ]),
  ];
}
