import { describe, expect, test } from 'vitest';
import { separateLateStreams } from './late-streams.ts';

const separate = (stderr: string) => separateLateStreams({ exitCode: 0, stdout: Buffer.alloc(0), stderr });

describe('the log of a decoder with levels', () => {
  test('is reduced to its errors, in the form that they have without levels', () => {
    const { end, lateStreams } = separate(
      [
        '[h264 @ 0x55a2] [error] error while decoding MB 1 2',
        '    Last message repeated 3 times',
        '[mpegts @ 0x55a3] [warning] DTS discontinuity in stream 0',
        '    Last message repeated 9 times',
        '[error] Error while decoding stream #0:0: Invalid data found',
      ].join('\n'),
    );
    expect(end.stderr.split('\n')).toEqual([
      '[h264 @ 0x55a2] error while decoding MB 1 2',
      '    Last message repeated 3 times',
      'Error while decoding stream #0:0: Invalid data found',
    ]);
    expect(lateStreams).toEqual([]);
  });

  test('says which streams begin later than the file lists them, each once', () => {
    const line = '[mpegts @ 0x5654] [warning] New audio stream 0:2 at pos:35515832 and DTS:31.3768s';
    const { end, lateStreams } = separate(
      [line, line, line.replace('audio stream 0:2', 'video stream 0:3')].join('\n'),
    );
    expect(end.stderr).toBe('');
    expect(lateStreams).toEqual([
      { index: 2, kind: 'audio' },
      { index: 3, kind: 'video' },
    ]);
  });

  test('without levels, stays as it is', () => {
    const stderr = '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55a2] stream 0, offset 0x30: partial file\n';
    expect(separate(stderr).end.stderr).toBe(stderr);
  });
});
