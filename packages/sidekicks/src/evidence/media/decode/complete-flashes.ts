import type { Source } from '@assay/jail/source/source.ts';
import { mediaBounds } from '../bounds.ts';
import { taggedEndOf } from '../probe/declared-duration.ts';
import type { Probe } from '../probe/probe-report.ts';
import { decode } from './decode.ts';
import type { DecoderLog } from './decoder-log.ts';
import type { Flashes, ObservedFlashes } from './flashes/flashes.ts';
import { secondSpan } from './flashes/history.ts';
import { joinFlashes } from './flashes/join-flashes.ts';
import type { Observed } from './observations.ts';
import { replayedSeconds, type SelectedStreams } from './select-streams.ts';
import { hiddenFieldOrder } from './video/observe-fields.ts';
import { readPacketTimes } from './video/packet-times.ts';
import { hasGaps, undecodedShareOf } from './video/undecoded.ts';

/** A pass over a file that searched for flashes. */
export type FlashPass = {
  demuxer: string;
  probe: Probe;
  streams: SelectedStreams;
  observed: Partial<Observed>;
  log: DecoderLog;
};

/** Adds what only the whole pass shows: fields that the file does not declare, and frames that were not decoded. */
export async function completeFlashes(pass: FlashPass, source: Source): Promise<Flashes | null> {
  const { observed, streams } = pass;
  if (!observed.flashes) return null;
  const frames = observed.frameTimes ?? new Float64Array(0);
  const once = (streams.format.durationSeconds ?? 0) - replayedSeconds;
  const flashes = await withHiddenFields(observed.flashes, pass, source);
  return {
    ...flashes,
    ...(await countUndecoded(frames, pass, source)),
    isTooFast: isTooFast(frames, flashes.isByField),
    frameCount: streams.isLoop ? frames.filter((seconds) => seconds < once).length : frames.length,
  };
}

function isTooFast(frames: Float64Array, isByField: boolean): boolean {
  const most = mediaBounds.framesOfSecond.max / (isByField ? 2 : 1);
  return frames.some((seconds, i) => i >= most && seconds - (frames[i - most] as number) < secondSpan);
}

/** If an interlaced video does not declare it, which shows only afterwards, it is decoded again. */
async function withHiddenFields(
  flashes: ObservedFlashes,
  { demuxer, streams, observed }: FlashPass,
  source: Source,
): Promise<ObservedFlashes> {
  const { video } = streams.format;
  const fieldOrder = video && observed.fields ? hiddenFieldOrder(observed.fields, video.fieldOrder) : null;
  if (!video || fieldOrder === null || streams.isLoop) return flashes;
  const format = { ...streams.format, video: { ...video, fieldOrder } };
  const request = { demuxer, streams: { ...streams, format }, names: [], furtherNames: [], hasFlashes: true };
  const { flashes: ofFields } = (await decode(request, source)).observed;
  return ofFields ? joinFlashes(ofFields, flashes) : flashes;
}

async function countUndecoded(
  frames: Float64Array,
  { demuxer, probe, streams, log }: FlashPass,
  source: Source,
): Promise<Pick<Flashes, 'isWhole' | 'undecodedShare'>> {
  const hasErrors = log.videoErrorCount > 0;
  const list = { frames, ...declaredTimesOf(probe, streams) };
  if (streams.isLoop || streams.videoStream === null || (!hasErrors && !hasGaps(list))) {
    return { isWhole: !hasErrors, undecodedShare: hasErrors ? null : 0 };
  }
  const packets = await readPacketTimes(source, demuxer, streams.videoStream);
  if (!packets) return { isWhole: false, undecodedShare: null };
  const start = probe.startSeconds ?? 0;
  const fromStart = packets.map(({ seconds, endSeconds, isKey }) => {
    return { seconds: seconds - start, endSeconds: endSeconds - start, isKey };
  });
  const share = undecodedShareOf(list, fromStart);
  // With errors but no frame lost, the decoder filled parts of frames with guesses; nobody counts those.
  if (hasErrors) return { isWhole: false, undecodedShare: share || null };
  return { isWhole: !share, undecodedShare: share };
}

/** When the video starts and ends as declared, from the start of the file. */
function declaredTimesOf(probe: Probe, { videoStream }: SelectedStreams) {
  const start = probe.startSeconds ?? 0;
  const stream = probe.streams.find(({ index }) => index === videoStream);
  const startSeconds = stream?.startSeconds == null ? null : stream.startSeconds - start;
  if (stream?.durationSeconds != null) {
    return { startSeconds, endSeconds: (startSeconds ?? 0) + stream.durationSeconds };
  }
  // The duration of a file is that of its longest stream. Matroska has the ends of its streams in tags.
  const hasAudio = probe.streams.some(({ kind }) => kind === 'audio');
  return { startSeconds, endSeconds: hasAudio ? taggedEndOf(stream, start) : probe.durationSeconds };
}
