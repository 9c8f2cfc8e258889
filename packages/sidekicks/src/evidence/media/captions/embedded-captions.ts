import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import { recognise } from '../../file/format/recognise.ts';
import { mediaBounds } from '../bounds.ts';
import { demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import type { CaptionTrack, EmbeddedCaptions, UnreadCause } from './caption-track.ts';
import { listDeclaredTracks } from './declared-tracks.ts';
import { type Flaw, flawKinds } from './flaws.ts';
import { readHiddenCaptions } from './hidden-captions.ts';
import { parseCues } from './parse-cues.ts';

/** Text codecs for which ffmpeg has a decoder. */
const textCodecs = new Set(['mov_text', 'webvtt', 'subrip', 'srt', 'ass', 'ssa', 'text', 'eia_608']);

const ffmpegLimits = {
  secondsMax: 120,
  cpuSecondsMax: 60,
  memoryBytesMax: 1024 * 1024 * 1024,
  memoryNeed: { bytes: 64 * 1024 * 1024, isLong: false },
  outputBytesMax: 20 * 1024 * 1024,
} as const;

/** Reads the caption tracks of a video; `null` if the file is not a video or has none. */
export async function readEmbeddedCaptions(source: Source, probe: Probe | null): Promise<EmbeddedCaptions | null> {
  const demuxer = probe && demuxerOf(await recognise(source.bytes));
  if (!probe || !demuxer) return null;
  const declared = listDeclaredTracks(probe);
  const { tracks: hidden, unsearched } = await readHiddenCaptions(source, demuxer, probe);
  const known = new Set(declared.map(({ streamIndex }) => streamIndex));
  const tracks = [...declared, ...hidden.filter(({ streamIndex }) => !known.has(streamIndex))];

  for (const [n, track] of declared.filter(({ codec }) => textCodecs.has(codec)).entries()) {
    if (n < mediaBounds.captionTracks.max) Object.assign(track, await readTrack(source, demuxer, track.streamIndex));
    else track.unread = ['tooManyTracks'];
  }
  return tracks.length > 0 || unsearched ? { tracks, unsearched } : null;
}

async function readTrack(
  source: Source,
  demuxer: string,
  streamIndex: number,
): Promise<Pick<CaptionTrack, 'cues' | 'unread'>> {
  const end = await withinLimits(runTool(ffmpeg(demuxer, streamIndex), source));
  if (!end) return { cues: null, unread: ['toolLimit'] };
  const { exitCode, stdout, stderr } = end;
  if (exitCode === 126 || exitCode === 127) throw new Error(`ffmpeg could not be run: ${stderr.slice(0, 500)}`);
  const isDamaged = exitCode !== 0 || captionsLost.test(stderr);
  const { cues, flaws } = parseCues(separateCues(stdout.toString()), 'vtt');
  // A truncated video can still yield most of its captions.
  if (isDamaged && cues.length === 0) return { cues: null, unread: ['damage'] };
  return { cues, unread: [...(isDamaged ? ['damage' as const] : []), ...boundsHit(flaws)] };
}

/**
 * What ffmpeg writes if packets of the track are missing or cannot be decoded, such as text that is not UTF-8. Other
 * messages concern the video and audio, of which it decodes the first frames.
 */
const captionsLost =
  /invalid utf-8|error while decoding stream|ended prematurely|partial file|packet corrupt|\/in: (?:invalid data|input\/output error)/i;

function boundsHit(flaws: readonly Flaw[]): UnreadCause[] {
  const has = (kind: { what: string }) => flaws.some(({ what }) => what === kind.what);
  return [
    ...(has(flawKinds.tooManyCues) ? ['tooManyCues' as const] : []),
    ...(has(flawKinds.longText) ? ['longText' as const] : []),
  ];
}

const timingLine = String.raw`(?:\d{2,}:)?\d{2}:\d{2}\.\d{3} --> `;
const emptyLinesInText = new RegExp(`\\n(?:[ \\t\\r]*\\n)+(?!${timingLine})`, 'g');
const arrowInText = new RegExp(`^(?!${timingLine}).*-->.*$`, 'gm');

/** ffmpeg writes text as it is, even if it has empty lines or arrows, which a parser takes for the end of the text. */
function separateCues(written: string): string {
  return written.replace(arrowInText, (line) => line.replaceAll('-->', '→')).replace(emptyLinesInText, '\n');
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
