import { expect, test } from 'vitest';
import { readDecoderLog } from './decoder-log.ts';

test('complaints of a decoder count, also those that were repeated', () => {
  const said = '[h264 @ 0x55a28c] error while decoding MB 1 2\n    Last message repeated 3 times\n';
  expect(readDecoderLog(said)).toEqual({ errorCount: 4, messages: ['h264: error while decoding MB 1 2'] });
});

test('a complaint of what is written does not: the file was decoded', () => {
  const said =
    '[rawvideo @ 0x55a28c] Application provided invalid, non monotonically increasing dts to muxer in stream 0: 13 >= 13\n';
  expect(readDecoderLog(said)).toEqual({ errorCount: 0, messages: [] });
});
