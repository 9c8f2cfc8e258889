import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { corpusFolder, describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { withSource } from '@assay/testing/media/video-source.ts';
import { expect, test } from 'vitest';
import { gather } from '../../gather.ts';
import { readDecoderLog } from './decoder-log.ts';

test('decoder errors are counted, including repeated errors', () => {
  const stderr = '[h264 @ 0x55a28c] error while decoding MB 1 2\n    Last message repeated 3 times\n';
  expect(readDecoderLog(stderr)).toMatchObject({ errorCount: 4, messages: ['h264: error while decoding MB 1 2'] });
});

test.each([
  ['a demuxer', '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55a28c] stream 0, offset 0x30: partial file'],
  ['a demuxer', '[matroska,webm @ 0x55a28c] File ended prematurely at pos. 9213'],
  ['a decoder', '[mp3float @ 0x55a28c] Header missing'],
  ['the decoder of raw video', '[rawvideo @ 0x55a28c] Invalid buffer size, packet size 9 < expected frame_size 27'],
  [
    'a decoder of PCM',
    '[pcm_s16le @ 0x55a28c] Invalid PCM packet, data has size 1 but at least a size of 4 was expected',
  ],
  ['a parser', '[NULL @ 0x55a28c] Invalid NAL unit size (0 > 7).'],
  ['a bitstream filter', '[vp9_superframe_split_bsf @ 0x55a28c] Invalid superframe'],
  ['the program, about its input', 'Error while decoding stream #0:0: Invalid data found when processing input'],
  ['the program, about its input', '/in: Input/output error'],
  ['a decoder of ffmpeg 7', '[dec:h264 @ 0x55a28c] Error submitting packet to decoder: Invalid data found'],
])('a message from %s is counted as an error: %s', (_, line) => {
  expect(readDecoderLog(`${line}\n`).errorCount).toBe(1);
});

test.each([
  ['a muxer', '[data @ 0x55a28c] Application provided invalid, non monotonically increasing dts to muxer in stream 0'],
  ['a muxer', '[null @ 0x55a28c] Application provided invalid, non monotonically increasing dts to muxer in stream 0'],
  ['a muxer', '[f32le @ 0x55a28c] Timestamps are unset in a packet for stream 0'],
  ['an encoder', '[wrapped_avframe @ 0x55a28c] Invalid frame'],
  ['a filter', '[Parsed_scale_2 @ 0x55a28c] Failed to configure output pad'],
  ['a filter', '[auto_aresample_0 @ 0x55a28c] [SWR @ 0x55a28d] Failed to compensate for timestamp delta of 5'],
  ['the input of a filter graph', '[graph 0 input from stream 0:0 @ 0x55a28c] changing video frame properties'],
  ['the scaler', '[swscaler @ 0x55a28c] Slice parameters 0, 2160 are invalid'],
  ['an output of ffmpeg 7', '[out#0/data @ 0x55a28c] Error muxing a packet'],
  ['an output of ffmpeg 7', '[vost#0:0/rawvideo @ 0x55a28c] Error submitting a packet to the muxer'],
  ['the program, about its output', 'av_interleaved_write_frame(): Broken pipe'],
  ['the program, about its output', 'Error writing trailer of pipe:4: Broken pipe'],
])('a message from %s is not counted as an error: %s', (_, line) => {
  expect(readDecoderLog(`${line}\n    Last message repeated 7 times\n`)).toMatchObject({ errorCount: 0, messages: [] });
});

test('a “Last message repeated” line refers to the message directly before it', () => {
  const stderr =
    '[h264 @ 0x1] left block unavailable\n[data @ 0x2] non monotonically increasing dts\n    Last message repeated 50 times\n';
  expect(readDecoderLog(stderr)).toMatchObject({ errorCount: 1, messages: ['h264: left block unavailable'] });
});

const phoneVideo = join(corpusFolder('real'), 'fire2.mp4');

test('a phone video with a variable frame rate has no decoding errors', async (context) => {
  context.skip(!existsSync(phoneVideo), describeMissingCorpus('real'));
  const { evidence, failures } = await withSource(phoneVideo, (source) =>
    gather(new Set(['decoding', 'video', 'loudness', 'flashes'] as const), source),
  );
  expect(failures).toEqual([]);
  expect(evidence.decoding).toMatchObject({ errorCount: 0, messages: [], isCutShort: false });
});

test('errors of audio are not errors of the video', () => {
  const stderr = `[aac @ 0x1] Input buffer exhausted before END element found
    Last message repeated 2 times
Error while decoding stream #0:1: Invalid data found when processing input
[h264 @ 0x2] error while decoding MB 1 2
    Last message repeated 1 times
Error while decoding stream #0:0: Invalid data found when processing input
[mov,mp4,m4a,3gp,3g2,mj2 @ 0x3] stream 1, offset 0x30: partial file
`;
  expect(readDecoderLog(stderr, 0)).toMatchObject({ errorCount: 8, videoErrorCount: 4 });
});
