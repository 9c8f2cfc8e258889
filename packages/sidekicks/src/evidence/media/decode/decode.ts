import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaSecondsMax } from '@assay/contract/limits.ts';
import { outletDescriptor, runTool, type Tool, type ToolEnd } from '@assay/jail/run-tool.ts';
import type { MemoryNeed } from '@assay/jail/source/memory.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withMemory } from '@assay/jail/with-memory.ts';
import { memoryOfFrames } from '#evidence/memory-of-frames.ts';
import { demuxerArguments, streamsMax } from '../probe/probe.ts';
import { type DecoderLog, failureOfDecoder, hasCrashed, readDecoderLog } from './decoder-log.ts';
import { type LateStream, logLevelFor, separateLateStreams } from './late-streams.ts';
import { type ObservationName, type Observed, observations } from './observations.ts';
import { openObserving } from './observing.ts';
import type { ObservedPart } from './observing-thread.ts';
import type { SelectedStreams } from './select-streams.ts';
import type { Tap, WatchedTap } from './signal/observer.ts';
import { tapArguments } from './taps.ts';
import { canDeriveViews, watchFrames } from './watch-frames.ts';

/** One run of ffmpeg over a video or audio file. */
export type DecodeRequest = {
  demuxer: string;
  streams: SelectedStreams;
  names: readonly ObservationName[];
  /** The observations of each audio programme after the main one. */
  furtherNames: readonly ObservationName[];
  /** Whether to search for flashes. */
  hasFlashes: boolean;
  onSeconds?: (seconds: number) => void;
};

/** 4096 × 2304 holds every format up to 4K. Larger frames are refused before they are decoded. */
export const pixelsMax = 4096 * 2304;
/** More threads than cores, so that the decoder continues while some of them wait for the observers. */
const decoderThreads = Math.min(6, 3 * availableParallelism());
const memoryBytesMax = 3 * 1024 * 1024 * 1024; // 10-bit HEVC in 4K takes less than 2 GiB
/** The time limit is a constant plus a multiple of the duration; HEVC in 4K takes 4 s of CPU per second. */
const baseSecondsMax = 120;
const secondsPerSecondMax = 12;
/** A long examination has a low priority, so that it can wait for the cores longer than it uses them. */
const wallSecondsPerSecondMax = 20;
const unknownDurationSeconds = 600;
const decoderRunsMax = 2;
/** Reference frames, those of each thread, and those that wait for the observers. */
const framesHeld = 24;
/** How much longer a file may play than it declares: containers round, and recordings are cut. */
const durationSlack = { factor: 1.1, seconds: 60 };
/** Some containers only estimate their duration. No real video or audio has fewer bytes per second than this. */
const plausibleBytesPerSecondMin = 500;

/** `further` has an element for each audio programme after the main one, or none if they could not be decoded. */
type Decoded = {
  observed: Partial<Observed>;
  further: Partial<Observed>[];
  log: DecoderLog;
  lateStreams: LateStream[];
};

/** Decodes the file once, with only the taps that are needed, and returns what was observed. */
export async function decode(request: DecodeRequest, source: Source): Promise<Decoded> {
  for (let attempt = 1; ; attempt++) {
    const memoryNeed = memoryNeedOf(request.streams);
    const decoding = withMemory(source, memoryNeed, (held) => decodeOnce(request, held));
    const { end, observed, further, lateStreams } = await decoding;
    // A single crash may be an accident of timing or memory; after a second one, the file is considered the cause.
    if (hasCrashed(end) && attempt < decoderRunsMax) continue;
    const failure = failureOfDecoder(end);
    // The fault may be in a further programme; without them, the rest of the file can still be examined.
    if (failure && !hasCrashed(end) && request.furtherNames.length > 0 && request.streams.programmes.length > 1) {
      return decode({ ...request, furtherNames: [] }, source);
    }
    if (failure) throw failure;
    return { observed, further, log: readDecoderLog(end.stderr, request.streams.videoStream), lateStreams };
  }
}

async function decodeOnce(request: DecodeRequest, source: Source) {
  const { demuxer, streams, onSeconds } = request;
  const { format } = streams;
  const wanted = {
    flashes: request.hasFlashes && format.video !== null,
    video: request.names.includes('video') && canDeriveViews(format),
  };
  const names = request.names.filter((name) => name !== 'video' || !wanted.video);
  const taps = tapsOf(names, streams);
  const watchesFrames = wanted.flashes || wanted.video;
  const further = furtherPartsOf(request);
  if (taps.length === 0 && !watchesFrames && further.length === 0) {
    return { end: skippedRun, observed: {}, further: [], lateStreams: [] };
  }
  const observing = openObserving([{ format, names }, ...further]);
  const frames = watchesFrames ? watchFrames(format, wanted) : null;
  const tooLong = new AbortController();
  const onProgress = (seconds: number) => {
    const failure = failureOfLength(request, source, seconds);
    if (failure) tooLong.abort(failure);
    onSeconds?.(seconds);
  };
  const follow = (part: number) => (tap: WatchedTap) => ({
    tap,
    programme: part,
    outlet: (stream: Readable) => observing.follow(part, tap, stream),
  });
  const outlets: TapOutlet[] = [
    ...taps.map(follow(0)),
    ...Object.entries(frames?.outlets ?? {}).map(([tap, outlet]) => ({ tap: tap as Tap, programme: 0, outlet })),
    ...further.flatMap(({ format: own, names: ownNames }, n) => tapsOf(ownNames, { format: own }).map(follow(n + 1))),
    { tap: 'progress', programme: 0, outlet: (stream) => readProgress(stream, onProgress) },
  ];
  try {
    const signals = [source.signal, observing.failed, tooLong.signal, ...(frames ? [frames.failed] : [])];
    const running = runTool(ffmpeg(demuxer, streams, outlets), { ...source, signal: AbortSignal.any(signals) });
    frames?.closeWriteEnds();
    const { end, lateStreams } = separateLateStreams(await running);
    const [[fromTaps = {}, ...fromFurther], fromFrames] = await Promise.all([observing.end(), frames?.end()]);
    const video = fromFrames?.video ?? fromTaps.video ?? null;
    const whole = { flashes: fromFrames?.flashes ?? null, frameTimes: fromFrames?.times ?? null };
    return { end, observed: { ...fromTaps, video, ...whole }, further: fromFurther, lateStreams };
  } finally {
    await Promise.all([observing.close(), frames?.close()]);
  }
}

type TapOutlet = { tap: Tap | 'progress'; programme: number; outlet: NonNullable<Tool['outlets']>[number] };

const skippedRun: ToolEnd = { exitCode: 0, stdout: Buffer.alloc(0), stderr: '' };

/** The audio programmes after the main one, if anything is observed in them. */
function furtherPartsOf({ streams, furtherNames }: DecodeRequest): ObservedPart[] {
  if (furtherNames.length === 0) return [];
  const { durationSeconds } = streams.format;
  return streams.programmes
    .slice(1)
    .map(({ format: audio }) => ({ format: { durationSeconds, video: null, audio }, names: furtherNames }));
}

/**
 * Returns the taps that these observers need and for which the file has a stream. Taps of frames always need the clock.
 */
export function tapsOf(names: readonly ObservationName[], { format }: Pick<SelectedStreams, 'format'>): WatchedTap[] {
  const asked = new Set(names.flatMap((name) => observations[name].taps));
  const ofFrames = (['smallFrames', 'levels'] as const).filter((tap) => format.video && asked.has(tap));
  const clock = ofFrames.length > 0 ? (['clock'] as const) : [];
  const fields = format.video && asked.has('fields') ? (['fields'] as const) : [];
  const ofAudio = (['loudness', 'samples'] as const).filter((tap) => format.audio && asked.has(tap));
  return [...clock, ...ofFrames, ...fields, ...ofAudio];
}

function ffmpeg(demuxer: string, streams: SelectedStreams, outlets: TapOutlet[]): Tool {
  const pipes = outlets.map(({ tap, programme }, n) => ({ tap, programme, pipe: `pipe:${outletDescriptor(n)}` }));
  const progress = pipes.find(({ tap }) => tap === 'progress')?.pipe ?? '';
  const loop = streams.isLoop ? [...loopArguments(demuxer), '-t', `${streams.format.durationSeconds}`] : [];
  const decoder = streams.videoDecoder ? [`-c:${streams.videoStream}`, streams.videoDecoder] : [];
  const playedSeconds = streams.format.durationSeconds ?? unknownDurationSeconds;
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-nostats', '-hide_banner', '-v', logLevelFor(demuxer), '-protocol_whitelist', 'file,pipe'],
      ...['-progress', progress, '-stats_period', '0.5'],
      ...['-threads', `${decoderThreads}`, '-max_pixels', `${pixelsMax}`],
      // Audio that changes its format midway would restart the measurement, and the first part would be lost silently.
      ...['-reinit_filter:a', '0', ...startArguments, ...demuxerArguments(demuxer)],
      ...['-max_streams', `${streamsMax}`, ...decoder, ...loop, '-i', '/in'],
      ...tapArguments(
        streams,
        pipes.filter((one): one is typeof one & { tap: Tap } => one.tap !== 'progress'),
      ),
    ],
    secondsMax: baseSecondsMax + wallSecondsPerSecondMax * playedSeconds,
    cpuSecondsMax: baseSecondsMax + secondsPerSecondMax * playedSeconds,
    memoryBytesMax,
    outputBytesMax: 64 * 1024,
    outlets: outlets.map(({ outlet }) => outlet),
  };
}

function memoryNeedOf({ format: { video } }: SelectedStreams): MemoryNeed {
  if (!video) return memoryOfFrames(0, 0, 'usual', true);
  const depth = video.isPlain && video.bits === 8 ? 'usual' : 'deep';
  return memoryOfFrames(video.width * video.height, framesHeld, depth, true);
}

/**
 * Times count from the start of the file. In a transport or program stream, and in Ogg, ffmpeg would count them from the
 * start of the streams that are decoded, so that they would depend on the checks; not if any other offset is set.
 */
const startArguments = ['-itsoffset', '0.000001'];

/**
 * GIF declares how often it is repeated. So does APNG, but after the last repetition ffmpeg 5.1 reads it again and again
 * without a frame. Sequences of other formats only say that they are images.
 */
export function loopArguments(demuxer: string): string[] {
  return demuxer === 'gif' ? ['-ignore_loop', '0'] : ['-stream_loop', '-1'];
}

/**
 * Stops at the longest supported duration, and not far beyond the declared one: a few bytes can encode audio that
 * lasts for years, or frames that repeat without end.
 */
function failureOfLength(request: DecodeRequest, { bytes }: Source, seconds: number): AssetFailure | null {
  const { format, isLoop } = request.streams;
  if (isLoop) return null; // bounded by -t and -frames:v
  const declaredMax = (format.durationSeconds ?? mediaSecondsMax) * durationSlack.factor + durationSlack.seconds;
  const plausibleMax = Math.max(declaredMax, bytes.sizeBytes / plausibleBytesPerSecondMin);
  if (seconds <= Math.min(mediaSecondsMax, plausibleMax)) return null;
  const reason = `still playing after ${seconds} s; the declared duration is ${format.durationSeconds} s`;
  return new AssetFailure(seconds > mediaSecondsMax ? 'media_too_long' : 'resource_limit_exceeded', reason);
}

/** Reads `out_time_us=1234567`, which ffmpeg prints every half second. */
function readProgress(stream: Readable, onSeconds: (seconds: number) => void): void {
  stream.on('data', (chunk: Buffer) => {
    const micros = [...chunk.toString('latin1').matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1];
    if (micros !== undefined) onSeconds(Number(micros) / 1e6);
  });
}
