import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { withSource } from '@assay/testing/media/video-source.ts';
import { describe, expect, test } from 'vitest';
import { declaredDurationOf } from './declared-duration.ts';
import { readProbe } from './probe.ts';

const clip = [
  ...['-f', 'lavfi', '-i', 'testsrc2=s=96x64:r=25:d=3', '-f', 'lavfi', '-i', 'sine=r=48000:d=3'],
  ...['-c:v', 'mpeg4', '-c:a', 'aac'],
];

describe('the declared duration of a file', () => {
  test.each([
    ['an empty edit at the start of an MP4', '.mp4', ['-output_ts_offset', '5']],
    ['timestamps of Matroska that start later', '.mkv', ['-output_ts_offset', '5']],
    ['timestamps of a transport stream that start later', '.ts', ['-output_ts_offset', '5']],
    ['a start at 0', '.mp4', []],
  ])('does not include the time before its first frame: %s', async (_, extension, offset) => {
    const path = await makeWithFfmpeg(extension, [...clip, ...offset]);
    const probe = await withSource(path, (source) => readProbe(source));
    expect(probe?.durationSeconds).toBeCloseTo(3, 0);
  });

  test('is that of the segment for a segment of a longer file', () => {
    const segment = { container: 'mov,mp4', startSeconds: 300, durationSeconds: 6, streams: [] };
    expect(declaredDurationOf(segment)).toBe(6);
  });
});
