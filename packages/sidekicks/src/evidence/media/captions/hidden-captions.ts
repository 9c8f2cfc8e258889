import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import type { Probe } from '../probe/probe-report.ts';
import type { CaptionTrack } from './caption-track.ts';

/** Codecs whose frames can carry captions (ATSC A/53 part 4). */
const captionCodecs = new Set(['mpeg2video', 'h264', 'hevc']);
/** How many packets of all streams are decoded at the start, and again in the middle. */
const packetsRead = 64;

const ffprobeLimits = {
  secondsMax: 60,
  cpuSecondsMax: 60,
  memoryBytesMax: 2 * 1024 * 1024 * 1024,
  outputBytesMax: 16 * 1024 * 1024,
} as const;

type CaptionReport = {
  streams?: { index?: number; codec_tag_string?: string; tags?: { language?: string } }[];
  frames?: { stream_index?: number; side_data_list?: { side_data_type?: string }[] }[];
};

/**
 * Finds captions that ffprobe does not report as subtitle streams: CEA-608 and 708 in the frames of a video, which are
 * detected only by decoding some frames, and TTML in MP4. Their text is not read.
 */
export async function readHiddenCaptions(source: Source, demuxer: string, probe: Probe): Promise<CaptionTrack[]> {
  const canHaveCaptions = probe.streams.some(({ kind, codec, isAttachedPicture }) =>
    kind === 'video' ? captionCodecs.has(codec) && !isAttachedPicture : kind === 'data' && codec === 'unknown',
  );
  if (!canHaveCaptions) return [];
  const end = await withinLimits(runTool(ffprobe(demuxer, probe), source));
  const report = end && parseReport(end.stdout.toString());

  const framesWithCaptions = (report?.frames ?? []).filter(({ side_data_list: sides }) =>
    sides?.some(({ side_data_type: type }) => /closed captions/i.test(type ?? '')),
  );
  const ttml = (report?.streams ?? []).filter(({ codec_tag_string: tag }) => tag === 'stpp');
  return [
    ...[...new Set(framesWithCaptions.map(({ stream_index: index }) => index ?? 0))].map(
      (streamIndex): CaptionTrack => ({ streamIndex, codec: 'eia_608', language: null, kind: '608', cues: null }),
    ),
    ...ttml.map(({ index = 0, tags }): CaptionTrack => {
      const language = tags?.language && tags.language !== 'und' ? tags.language : null;
      return { streamIndex: index, codec: 'ttml', language, kind: 'text', cues: null };
    }),
  ];
}

function ffprobe(demuxer: string, { durationSeconds }: Probe): Tool {
  const middle = Math.floor((durationSeconds ?? 0) / 2);
  const intervals = [`%+#${packetsRead}`, ...(middle > 0 ? [`${middle}%+#${packetsRead}`] : [])];
  const entries =
    'stream=index,codec_tag_string:stream_tags=language:frame=stream_index:frame_side_data=side_data_type';
  return {
    program: '/usr/bin/ffprobe',
    args: [
      ...['-v', 'error', '-protocol_whitelist', 'file,pipe', '-f', demuxer, '-max_streams', '200'],
      ...['-threads', '2', '-read_intervals', intervals.join(','), '-show_entries', entries, '-of', 'json', '/in'],
    ],
    ...ffprobeLimits,
  };
}

function parseReport(json: string): CaptionReport | null {
  try {
    return JSON.parse(json) as CaptionReport;
  } catch {
    return null; // ffprobe was killed while writing
  }
}
