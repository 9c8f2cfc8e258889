import { describe, expect, test } from 'vitest';
import type { Probe, ProbeStream } from '#evidence/media/probe/probe-report.ts';
import { timeFormatFor } from './timecode.ts';

describe('the times shown for a file', () => {
  const stream = (more: Partial<ProbeStream>) =>
    ({ kind: 'video', isAttachedPicture: false, averageFrameRate: 25, realFrameRate: 50, ...more }) as ProbeStream;
  const shown = (...streams: ProbeStream[]) => timeFormatFor({ streams } as Probe)(75.32);

  test('are timecodes at the frame rate of the video, not its field rate', () => {
    expect(shown(stream({}))).toBe('00:01:15:08');
  });

  test.each<[string, ProbeStream[]]>([
    ['audio', [stream({ kind: 'audio', averageFrameRate: null, realFrameRate: null })]],
    ['audio with cover art', [stream({ isAttachedPicture: true })]],
    ['a video without a frame rate', [stream({ averageFrameRate: null, realFrameRate: null })]],
    ['a video with an implausible frame rate', [stream({ averageFrameRate: 90_000 })]],
  ])('are clock times for %s', (_, streams) => expect(shown(...streams)).toBe('1:15.32'));

  test('are clock times without a probe', () => expect(timeFormatFor(null)(75.32)).toBe('1:15.32'));
});
