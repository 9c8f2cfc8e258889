import { formatTimecode } from '@assay/contract/timecode.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { mainStreams } from '#evidence/media/probe/streams.ts';
import { formatClock } from './format-values.ts';

/** Formats a time within an asset for issue texts. */
export type FormatTime = (seconds: number) => string;

const frameRateMin = 1;
const frameRateMax = 240;

/** For video: timecodes at its frame rate, counted from the start of the file. For audio: clock times. */
export function timeFormatFor(probe: Probe | null): FormatTime {
  const rate = frameRateOf(probe);
  return rate === null ? formatClock : (seconds) => formatTimecode(seconds, rate);
}

/** The frame rate of the video; null without one, or if it is implausible. */
export function frameRateOf(probe: Probe | null | undefined): number | null {
  const stream = probe && mainStreams(probe).video;
  // For interlaced video, ffprobe's real frame rate is the field rate.
  const rate = stream?.averageFrameRate ?? stream?.realFrameRate ?? 0;
  return rate >= frameRateMin && rate <= frameRateMax ? rate : null;
}
