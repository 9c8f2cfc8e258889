import type { Source } from '@assay/jail/source/source.ts';
import { recognise } from '../../file/format/recognise.ts';
import { demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { decode } from './decode.ts';
import type { DecoderLog } from './decoder-log.ts';
import type { Decoding } from './decoding.ts';
import type { Flashes } from './flashes/flashes.ts';
import type { ObservationName, Observed } from './observations.ts';
import type { Patterns } from './patterns/patterns.ts';
import { type SelectedStreams, selectStreams } from './select-streams.ts';
import type { VideoRecord } from './video/observe-video.ts';

/** Evidence from decoding a video or audio file once. */
export type PassEvidence = {
  loudness: Observed['loudness'];
  video: VideoRecord | null;
  audio: Observed['audio'];
  flashes: Flashes | null;
  patterns: Patterns | null;
  decoding: Decoding | null;
};
export type PassEvidenceName = keyof PassEvidence;

/** The observations that each kind of evidence needs. */
const observationsFor: Readonly<Record<PassEvidenceName, readonly ObservationName[]>> = {
  loudness: ['loudness'],
  video: ['video', 'fields'],
  audio: ['audio'],
  flashes: [],
  patterns: ['video'],
  decoding: ['video', 'audio'],
};
export const passEvidenceNames = Object.keys(observationsFor) as PassEvidenceName[];

/** Decodes the file once for all requested evidence; `null` if it cannot be demuxed. */
export async function gatherPass(
  source: Source,
  probe: Probe | null,
  requested: readonly PassEvidenceName[],
): Promise<PassEvidence | null> {
  const demuxer = demuxerOf(await recognise(source.bytes));
  if (!demuxer || !probe) return null;
  const streams = selectStreams(probe);
  const names = [...new Set(requested.flatMap((name) => observationsFor[name]))];
  const { durationSeconds } = streams.format; // for a loop, includes what is decoded beyond its end
  const onSeconds = (seconds: number) => {
    if (durationSeconds) source.report?.(Math.min(1, seconds / durationSeconds));
  };
  const hasFlashes = requested.includes('flashes');
  const { observed, log } = await decode({ demuxer, streams, names, hasFlashes, onSeconds }, source);
  return {
    loudness: observed.loudness ?? null,
    video: videoOf(observed),
    audio: observed.audio ?? null,
    flashes: observed.flashes ? { ...observed.flashes, isWhole: log.errorCount === 0 } : null,
    patterns: observed.video?.patterns ?? null,
    decoding: requested.includes('decoding') ? decodingOf(observed, log, streams) : null,
  };
}

function videoOf({ video, fields }: Partial<Observed>): VideoRecord | null {
  if (!video || !fields) return null;
  const { patterns: _, ...rest } = video;
  return { ...rest, fields };
}

/** How much may be missing at the end: containers round, and encoders add or cut a few milliseconds. */
const missingSecondsMax = 1;
const missingShareMax = 0.01;

function decodingOf({ video, audio }: Partial<Observed>, log: DecoderLog, { format }: SelectedStreams): Decoding {
  const videoEndSeconds = video?.timing.endSeconds ?? null;
  const audioEndSeconds = audio?.durationSeconds ?? null;
  const declared = format.durationSeconds ?? 0;
  const missing = declared - Math.max(videoEndSeconds ?? 0, audioEndSeconds ?? 0);
  return {
    errorCount: log.errorCount,
    messages: log.messages,
    videoEndSeconds,
    audioEndSeconds,
    isCutShort: missing > Math.max(missingSecondsMax, missingShareMax * declared),
  };
}
