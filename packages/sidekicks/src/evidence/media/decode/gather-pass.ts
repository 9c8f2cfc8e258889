import type { Source } from '@assay/jail/source/source.ts';
import { recognise } from '../../file/format/recognise.ts';
import { demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { completeFlashes } from './complete-flashes.ts';
import { decode } from './decode.ts';
import type { DecoderLog } from './decoder-log.ts';
import type { Decoding } from './decoding.ts';
import type { Flashes } from './flashes/flashes.ts';
import type { LateStream } from './late-streams.ts';
import type { ObservationName, Observed } from './observations.ts';
import type { Patterns } from './patterns/patterns.ts';
import { type SelectedStreams, selectStreams } from './select-streams.ts';
import type { VideoRecord } from './video/observe-video.ts';
import { isCutShort } from './video/undecoded.ts';

/** Evidence from decoding a video or audio file once. */
export type PassEvidence = {
  loudness: Observed['loudness'];
  video: VideoRecord | null;
  audio: Observed['audio'];
  /** Those of the audio programmes after the main one, or none of them if they could not be decoded. */
  furtherLoudness: NonNullable<Observed['loudness']>[];
  furtherAudio: NonNullable<Observed['audio']>[];
  flashes: Flashes | null;
  patterns: Patterns | null;
  decoding: Decoding | null;
};
export type PassEvidenceName = keyof PassEvidence;

/** What a pass found, and the streams that begin later than the file lists them. */
export type Pass = PassEvidence & { lateStreams: LateStream[] };

/** The observations that each kind of evidence needs. */
const observationsFor: Readonly<Record<PassEvidenceName, readonly ObservationName[]>> = {
  loudness: ['loudness'],
  video: ['video', 'fields', 'formatChange'],
  audio: ['audio'],
  furtherLoudness: [],
  furtherAudio: [],
  flashes: ['fields'],
  patterns: ['video'],
  decoding: ['video', 'audio'],
};
/** The observations of every audio programme after the main one. */
const furtherObservations: Partial<Record<PassEvidenceName, ObservationName>> = {
  furtherLoudness: 'loudness',
  furtherAudio: 'audio',
};
export const passEvidenceNames = Object.keys(observationsFor) as PassEvidenceName[];

/** Decodes the file once for all requested evidence; `null` if it cannot be demuxed. */
export async function gatherPass(
  source: Source,
  probe: Probe | null,
  requested: readonly PassEvidenceName[],
): Promise<Pass | null> {
  const recognition = await recognise(source.bytes);
  const demuxer = demuxerOf(recognition);
  if (!demuxer || !probe) return null;
  const streams = recognition.startsWith('image/') ? selectStreams(probe, true) : selectStreams(probe);
  const names = [...new Set(requested.flatMap((name) => observationsFor[name]))];
  const furtherNames = requested.flatMap((name) => furtherObservations[name] ?? []);
  const { durationSeconds } = streams.format; // for a loop, includes what is decoded beyond its end
  const onSeconds = (seconds: number) => {
    if (durationSeconds) source.report?.(Math.min(1, seconds / durationSeconds));
  };
  const hasFlashes = requested.includes('flashes');
  const request = { demuxer, streams, names, furtherNames, hasFlashes, onSeconds };
  const { observed, further, log, lateStreams } = await decode(request, source);
  return {
    loudness: observed.loudness ?? null,
    video: videoOf(observed),
    audio: observed.audio ?? null,
    furtherLoudness: further.flatMap(({ loudness }) => loudness ?? []),
    furtherAudio: further.flatMap(({ audio }) => audio ?? []),
    flashes: await completeFlashes({ demuxer, probe, streams, observed, log }, source),
    patterns: observed.video?.patterns ?? null,
    decoding: requested.includes('decoding') ? decodingOf(observed, log, streams) : null,
    lateStreams,
  };
}

function videoOf({ video, fields, formatChange }: Partial<Observed>): VideoRecord | null {
  if (!video || !fields) return null;
  const { patterns: _, ...rest } = video;
  return { ...rest, fields, formatChangeSeconds: formatChange?.atSeconds ?? null };
}

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
    isCutShort: isCutShort(missing, declared),
  };
}
