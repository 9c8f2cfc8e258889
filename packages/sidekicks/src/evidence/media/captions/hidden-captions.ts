import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import type { Probe } from '../probe/probe-report.ts';
import type { CaptionTrack, EmbeddedCaptions, UnreadCause } from './caption-track.ts';
import { namedLanguage } from './declared-tracks.ts';
import { movingVideos } from './moving-videos.ts';

/** Codecs whose frames can carry captions (ATSC A/53 part 4). */
const captionCodecs = new Set(['mpeg2video', 'h264', 'hevc']);
/** How many packets of the video are decoded at the start, and again in the middle. */
const packetsRead = 32;

const ffprobeLimits = {
  secondsMax: 60,
  cpuSecondsMax: 60,
  memoryBytesMax: 2 * 1024 * 1024 * 1024,
  memoryNeed: { bytes: 128 * 1024 * 1024, isLong: false },
  outputBytesMax: 16 * 1024 * 1024,
} as const;

type CaptionReport = {
  streams?: { index?: number; codec_tag_string?: string; tags?: { language?: string } }[];
  frames?: { stream_index?: number; side_data_list?: { side_data_type?: string }[] }[];
};

/** Sample entries of MP4 for text that ffmpeg does not take for captions: TTML, WebVTT, plain text, encrypted text. */
const textEntries: Readonly<Record<string, { codec: string; unread: UnreadCause }>> = {
  stpp: { codec: 'ttml', unread: 'format' },
  wvtt: { codec: 'wvtt', unread: 'format' },
  sbtt: { codec: 'sbtt', unread: 'format' },
  enct: { codec: 'enct', unread: 'encryption' },
};

/**
 * Finds captions that ffprobe does not report as subtitle streams: CEA-608 and 708 in the frames of a video, which are
 * detected only by decoding some frames, and text in MP4. Their text is not read.
 */
export async function readHiddenCaptions(source: Source, demuxer: string, probe: Probe): Promise<EmbeddedCaptions> {
  const inFrames = movingVideos(probe).some(({ codec }) => captionCodecs.has(codec));
  const inEntries = probe.streams.some(({ kind, codec }) => kind === 'data' && codec === 'unknown');
  const frames = inFrames ? await report(framesOf(demuxer, probe), source) : { frames: [] };
  const entries = inEntries ? await report(entriesOf(demuxer), source) : { streams: [] };
  const unsearched = [frames, entries].find((one) => typeof one === 'string');
  return {
    tracks: [
      ...(typeof frames === 'string' ? [] : tracksInFrames(frames)),
      ...(typeof entries === 'string' ? [] : tracksOfEntries(entries)),
    ],
    unsearched: unsearched ?? null,
  };
}

async function report(tool: Tool, source: Source): Promise<CaptionReport | 'toolLimit' | 'damage'> {
  const end = await withinLimits(runTool(tool, source));
  return end ? (parseReport(end.stdout.toString()) ?? 'damage') : 'toolLimit';
}

function tracksInFrames({ frames = [] }: CaptionReport): CaptionTrack[] {
  const withCaptions = frames.filter(({ side_data_list: sides }) =>
    sides?.some(({ side_data_type: type }) => /closed captions/i.test(type ?? '')),
  );
  const indexes = [...new Set(withCaptions.map(({ stream_index: index }) => index ?? 0))];
  return indexes.map((index) => hiddenTrack(index, 'eia_608', '608', 'videoFrames'));
}

function tracksOfEntries({ streams = [] }: CaptionReport): CaptionTrack[] {
  return streams.flatMap(({ index = 0, codec_tag_string: tag = '', tags }) => {
    const entry = Object.hasOwn(textEntries, tag) ? textEntries[tag] : undefined;
    return entry ? hiddenTrack(index, entry.codec, 'text', entry.unread, tags?.language) : [];
  });
}

function hiddenTrack(
  streamIndex: number,
  codec: string,
  kind: CaptionTrack['kind'],
  cause: UnreadCause,
  language?: string,
): CaptionTrack {
  return {
    ...{ streamIndex, codec, kind, language: namedLanguage(language) },
    ...{ isForced: false, cues: null, unread: [cause] },
  };
}

/** Only video is decoded: ffprobe never ends on a separate track of CEA-608. */
function framesOf(demuxer: string, { durationSeconds }: Probe): Tool {
  const middle = Math.floor((durationSeconds ?? 0) / 2);
  const intervals = [`%+#${packetsRead}`, ...(middle > 0 ? [`${middle}%+#${packetsRead}`] : [])];
  const entries = 'frame=stream_index:frame_side_data=side_data_type';
  return ffprobe(demuxer, '-select_streams', 'v', '-read_intervals', intervals.join(','), '-show_entries', entries);
}

function entriesOf(demuxer: string): Tool {
  return ffprobe(demuxer, '-show_entries', 'stream=index,codec_tag_string:stream_tags=language');
}

function ffprobe(demuxer: string, ...args: string[]): Tool {
  return {
    program: '/usr/bin/ffprobe',
    args: [
      ...['-v', 'error', '-protocol_whitelist', 'file,pipe', '-f', demuxer, '-max_streams', '200', '-threads', '2'],
      ...[...args, '-of', 'json', '/in'],
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
