import { at, type CueSample, flaw, type Line, sample, srtOf, utf16, vttOf } from './make-cues.ts';

const hello: Line = [1, 3, 'Hello there'];

/** What is meant to hang, crash or mislead whoever reads it. */
export function hostileCues(): CueSample[] {
  const endless = 'x'.repeat(3 * 1024 * 1024);
  const notSrt = ['CAPT-MALFORMED not SubRip'];
  const notVtt = ['CAPT-MALFORMED not WebVTT'];
  const crowd = Array.from({ length: 100_000 }, (_, i): Line => [i * 2, i * 2 + 1, 'a']);
  return [
    sample('a NUL in the text', 'srt', srtOf([1, 3, 'a\0b']), notSrt, null),
    sample('a NUL in the text', 'vtt', vttOf([1, 3, 'a\0b']), notVtt, null),
    sample('a NUL far behind', 'vtt', `${vttOf(hello)}${' \n'.repeat(100_000)}\0`, notVtt, null),
    sample('a mark of byte order alone', 'vtt', '\ufeff', notVtt, null),
    sample('half a UTF-16 character', 'srt', utf16(srtOf(hello)).subarray(0, -1), notSrt, null),
    sample('UTF-16', 'vtt', utf16(vttOf(hello)), [flaw('notUtf8')]),
    sample(
      'random bytes',
      'srt',
      Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167 + 13) % 256)),
      notSrt,
      null,
    ),
    sample('an endless line as text', 'srt', srtOf([1, 3, endless]), [flaw('longText')]),
    sample('an endless line as text', 'vtt', vttOf([1, 3, endless]), [flaw('longText')]),
    sample(
      'an endless line as time',
      'vtt',
      `WEBVTT\n\n00:01.000 --> ${endless}\n`,
      [flaw('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    sample('an endless line as name', 'vtt', `WEBVTT\n\n${endless}\n00:01.000 --> 00:03.000\nHello\n`),
    sample('an endless line as number', 'srt', `${'1'.repeat(3 * 1024 * 1024)}\n`, notSrt, null),
    sample('3,000,000 empty lines', 'vtt', `${vttOf(hello)}${'\n'.repeat(3_000_000)}`),
    sample('100,000 captions', 'srt', srtOf(...crowd), [flaw('tooManyCues')], 20_000),
    sample('100,000 captions', 'vtt', vttOf(...crowd), [flaw('tooManyCues')], 20_000),
    sample(
      '100,000 bad times',
      'vtt',
      `WEBVTT\n${'\n1 --> 2\na\n'.repeat(100_000)}`,
      [flaw('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    sample('more than 20 MiB', 'vtt', `${vttOf(hello)}\nNOTE ${'x'.repeat(20 * 1024 * 1024)}`, [flaw('tooLarge')]),
    sample('hours beyond 99', 'srt', '1\n100:00:00,000 --> 100:00:02,000\nHello\n', [flaw('unusualTime')]),
    sample(
      'hours beyond counting',
      'srt',
      `1\n${'9'.repeat(9)}:00:00,000 --> ${'9'.repeat(9)}:00:02,000\nHello\n`,
      [flaw('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    sample(
      'hours beyond counting',
      'vtt',
      `WEBVTT\n\n${'9'.repeat(400)}:00:00.000 --> 00:02.000\nHello\n`,
      [flaw('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    sample(
      'negative times',
      'srt',
      '1\n-00:00:02,000 --> -00:00:01,000\nHello\n',
      [flaw('badTime'), 'CAPT-EMPTY no captions: file'],
      0,
    ),
    sample('tags hundreds deep', 'vtt', vttOf([1, 3, `${'<b>'.repeat(300)}Hello${'</b>'.repeat(200)}`])),
    sample('brackets that never close', 'vtt', vttOf([1, 3, '<'.repeat(100_000)]), [flaw('longText')]),
    sample('braces that never close', 'srt', srtOf([1, 3, '{\\'.repeat(100_000)]), [flaw('longText')]),
    sample(
      'a bomb of entities',
      'vtt',
      vttOf([1, 3, '<!DOCTYPE a [<!ENTITY b "&c;&c;">]>', '&b;&amp;lt;script&amp;gt;']),
    ),
    sample('nothing but invisible characters', 'vtt', vttOf([1, 3, '\u200b\u200e\ufeff']), [
      at('CAPT-BLANK', 1000, 3000),
    ]),
    sample('an order that turns the text around', 'srt', srtOf([1, 2, '\u202eolleh', 'a', 'b']), [
      at('CAPT-LINES', 1000, 2000),
    ]),
  ];
}
