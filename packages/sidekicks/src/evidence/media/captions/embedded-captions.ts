import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import { recognise } from '../../file/format/recognise.ts';
import { demuxerOf } from '../probe/probe.ts';
import type { Probe, ProbeStream } from '../probe/probe-report.ts';
import type { CaptionTrack, EmbeddedCaptions } from './caption-track.ts';
import { readHiddenCaptions } from './hidden-captions.ts';
import { type Cue, parseCues } from './parse-cues.ts';

export const tracksReadMax = 8;
const tracksMax = 100;

const bitmapCodecs = new Set(['dvb_subtitle', 'dvd_subtitle', 'hdmv_pgs_subtitle', 'xsub', 'dvb_teletext']);
/** Text codecs for which ffmpeg has a decoder. */
const textCodecs = new Set(['mov_text', 'webvtt', 'subrip', 'srt', 'ass', 'ssa', 'text', 'eia_608']);

const ffmpegLimits = {
  secondsMax: 120,
  cpuSecondsMax: 60,
  memoryBytesMax: 1024 * 1024 * 1024,
  outputBytesMax: 20 * 1024 * 1024,
} as const;

/** Reads the caption tracks of a video; `null` if the file is not a video or has none. */
export async function readEmbeddedCaptions(source: Source, probe: Probe | null): Promise<EmbeddedCaptions | null> {
  const demuxer = probe && demuxerOf(await recognise(source.bytes));
  if (!probe || !demuxer) return null;
  const hidden = await readHiddenCaptions(source, demuxer, probe);
  const tracks = [...probe.streams.filter(({ kind }) => kind === 'subtitle').map(trackOf), ...hidden].slice(
    0,
    tracksMax,
  );

  const readable = tracks
    .filter((track) => textCodecs.has(track.codec) && !hidden.includes(track))
    .slice(0, tracksReadMax);
  for (const track of readable) track.cues = await readTrack(source, demuxer, track.streamIndex);
  return tracks.length > 0 ? { tracks } : null;
}

function trackOf({ index, codec, language }: ProbeStream): CaptionTrack {
  const kind = bitmapCodecs.has(codec) ? 'bitmap' : codec === 'eia_608' ? '608' : 'text';
  return { streamIndex: index, codec, language: isNamed(language) ? language : null, kind, cues: null };
}

function isNamed(language: string | null): boolean {
  return language !== null && language.trim() !== '' && language.toLowerCase() !== 'und';
}

async function readTrack(source: Source, demuxer: string, streamIndex: number): Promise<Cue[] | null> {
  const end = await withinLimits(runTool(ffmpeg(demuxer, streamIndex), source));
  // A truncated video can still yield most of its captions.
  return end && (end.exitCode === 0 || end.stdout.length > 0) ? parseCues(end.stdout.toString(), 'vtt').cues : null;
}

function ffmpeg(demuxer: string, streamIndex: number): Tool {
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-v', 'error', '-nostdin', '-protocol_whitelist', 'file,pipe'],
      ...['-f', demuxer, '-max_streams', '200', '-i', '/in'],
      ...['-map', `0:${streamIndex}`, '-c:s', 'webvtt', '-f', 'webvtt', 'pipe:1'],
    ],
    ...ffmpegLimits,
  };
}
