import { expect, test } from 'vitest';
import { readDecoderLog } from './decoder-log.ts';

test('decoder errors are counted, including repeated ones', () => {
  const stderr = '[h264 @ 0x55a28c] error while decoding MB 1 2\n    Last message repeated 3 times\n';
  expect(readDecoderLog(stderr)).toEqual({ errorCount: 4, messages: ['h264: error while decoding MB 1 2'] });
});

test('muxer errors are not counted: the file was decoded', () => {
  const stderr =
    '[rawvideo @ 0x55a28c] Application provided invalid, non monotonically increasing dts to muxer in stream 0: 13 >= 13\n';
  expect(readDecoderLog(stderr)).toEqual({ errorCount: 0, messages: [] });
});
