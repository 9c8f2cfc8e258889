import type { Probe, ProbeStream } from '../probe/probe-report.ts';
import { mainStreams } from '../probe/streams.ts';

/** The video streams that are not cover art or other still images. */
export function movingVideos(probe: Probe): ProbeStream[] {
  return mainStreams(probe).videos.flatMap(({ stream, role }) => (role === 'main' || role === 'extra' ? [stream] : []));
}
