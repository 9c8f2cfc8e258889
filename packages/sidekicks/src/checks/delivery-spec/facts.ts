import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import type { Evidence } from '#evidence/evidence.ts';
import type { DeclaredHdr } from '#evidence/media/probe/declared-hdr.ts';
import type { Probe, ProbeStream } from '#evidence/media/probe/probe-report.ts';
import { mainStreams } from '#evidence/media/probe/streams.ts';

/** Besides the probe, evidence is gathered only if an expectation of the profile needs it. */
export type SpecEvidence = Pick<Evidence, 'recognition' | 'probe'> & Partial<Pick<Evidence, OptionalEvidence>>;
export type OptionalEvidence = 'mediaInfo' | 'packets' | 'activePicture' | 'video' | 'audio' | 'decoding';

/** What is known about a file, and what is expected of it. */
export type Facts = {
  spec: DeliverySpecLimits;
  probe: Probe;
  container: string;
  /** The main video stream, which the other checks examine too. */
  video: ProbeStream | null;
  videoCount: number;
  audio: ProbeStream[];
  subtitles: ProbeStream[];
  hdr: DeclaredHdr;
  evidence: SpecEvidence;
};

/** Maps a recognised format to its name in delivery profiles. */
const containers: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/x-m4v': 'm4v',
  'video/quicktime': 'mov',
  'video/3gpp': '3gp',
  'audio/x-m4a': 'm4a',
  'audio/mp4': 'm4a',
  'video/webm': 'webm',
  'video/matroska': 'mkv',
  'video/vnd.avi': 'avi',
  'video/MP1S': 'mpeg-ps',
  'video/MP2P': 'mpeg-ps',
  'video/mpeg': 'mpeg-video',
  'video/mp2t': 'mpeg-ts',
  'application/mxf': 'mxf',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
  'audio/aiff': 'aiff',
  'image/gif': 'gif',
  'image/apng': 'apng',
};

/** `null` if the file is neither video, audio nor an animated image. */
export function factsOf(evidence: SpecEvidence, spec: DeliverySpecLimits): Facts | null {
  const { probe, recognition, mediaInfo } = evidence;
  if (!probe) return null;
  const { video, videos, audios, captions } = mainStreams(probe);
  return {
    spec,
    probe,
    container: containers[recognition] ?? 'unknown',
    video,
    videoCount: videos.filter(({ role }) => role === 'main' || role === 'extra').length,
    audio: audios.map(({ stream }) => stream),
    subtitles: captions.map(({ stream }) => stream),
    hdr: {
      mastering: video?.hdr.mastering ?? mediaInfo?.video?.hdr.mastering ?? null,
      light: video?.hdr.light ?? mediaInfo?.video?.hdr.light ?? null,
    },
    // A stream of which nothing was decoded was not measured.
    evidence: { ...evidence, ...(evidence.video?.timing.count === 0 && { video: null }) },
  };
}
