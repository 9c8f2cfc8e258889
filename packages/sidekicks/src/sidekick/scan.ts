import type { MediaInfo } from '#evidence/media/media-info/media-info-report.ts';
import type { ProbeStream } from '#evidence/media/probe/probe-report.ts';

export type Scan = NonNullable<NonNullable<MediaInfo['video']>['scan']>;

const scanTypes: Readonly<Record<string, Scan>> = {
  progressive: 'progressive',
  tt: 'interlaced-top-first',
  bb: 'interlaced-bottom-first',
};
/**
 * Used only if MediaInfo, which reads the stream itself, reports no scan type: in QuickTime the first letter is the
 * field shown first, in MXF it is the second letter.
 */
const ambiguousScans: Readonly<Record<string, Scan>> = {
  tb: 'interlaced-top-first',
  bt: 'interlaced-bottom-first',
};

/** Scan type and field order of a video stream, as the file declares them; null if it does not. */
export function scanOf(stream: ProbeStream | null | undefined, mediaInfo: MediaInfo | null | undefined): Scan | null {
  const order = stream?.fieldOrder ?? '';
  return scanTypes[order] ?? mediaInfo?.video?.scan ?? ambiguousScans[order] ?? null;
}
