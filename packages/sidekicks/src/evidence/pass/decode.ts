import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { mediaSecondsMax } from '@assay/contract/limits.ts';
import { streamsMax } from '../probe.ts';
import { outletDescriptor, runTool, type Tool, type ToolEnd } from '../run-tool.ts';
import type { Source } from '../source.ts';
import { type DecoderLog, failureOfDecoder, hasCrashed, readDecoderLog } from './decoder-log.ts';
import type { Reel } from './film.ts';
import { type ObservationName, observations, type Seen } from './observations.ts';
import type { Tap } from './observer.ts';
import { openObserving } from './observing.ts';
import { tapArguments } from './taps.ts';

export type Interval = { startSeconds: number; endSeconds: number };

/** One run of ffmpeg over a film or a part of it. */
export type Showing = {
  demuxer: string;
  reel: Reel;
  names: readonly ObservationName[];
  interval?: Interval;
  onSeconds?: (seconds: number) => void;
};

/** Of 4096 × 2304, which holds every format up to 4K; larger pictures are refused before they are made. */
export const pixelsMax = 4096 * 2304;
const threadsMax = 4;
const memoryBytesMax = 3 * 1024 * 1024 * 1024; // 4K of 10 bits in HEVC takes less than 2
/** What a file may take: a start, and a multiple of how long it plays; 4K in HEVC takes 4 s of CPU a second. */
const startSecondsMax = 120;
const secondsPerSecondMax = 12;
const unknownDurationSeconds = 600;
const attemptsMax = 2;
/** How much longer than it claims a film may play: containers round, and recordings are cut. */
const beyondClaim = { times: 1.1, seconds: 60 };
/** Some containers only guess how long they play. What has fewer bytes for a second than this is no honest film or sound. */
const honestBytesPerSecondMin = 500;

/** Decodes once, with just the taps that are watched, and tells what was seen. */
export async function decode(showing: Showing, source: Source): Promise<{ seen: Partial<Seen>; log: DecoderLog }> {
  for (let attempt = 1; ; attempt++) {
    const { end, seen } = await decodeOnce(showing, source);
    // A decoder that crashed may have been unlucky; one that crashes again on the same file will always do so.
    if (hasCrashed(end) && attempt < attemptsMax) continue;
    const failure = failureOfDecoder(end);
    if (failure) throw failure;
    return { seen, log: readDecoderLog(end.stderr) };
  }
}

async function decodeOnce(showing: Showing, source: Source) {
  const { demuxer, reel, names, interval, onSeconds } = showing;
  const taps = tapsOf(names, reel);
  if (taps.length === 0) return { end: nothing, seen: {} };
  const observing = openObserving({ film: reel.film, startSeconds: interval?.startSeconds ?? 0, names });
  const tooLong = new AbortController();
  const onProgress = (seconds: number) => {
    const failure = failureOfLength(showing, source, seconds);
    if (failure) tooLong.abort(failure);
    onSeconds?.(seconds);
  };
  const outlets = taps.map((tap) => (stream: Readable) => observing.follow(tap, stream));
  const tool = ffmpeg({ demuxer, reel, taps, interval }, [...outlets, (stream) => readProgress(stream, onProgress)]);
  try {
    const end = await runTool(tool, {
      ...source,
      signal: AbortSignal.any([source.signal, observing.failed, tooLong.signal]),
    });
    return { end, seen: await observing.end() };
  } finally {
    await observing.close();
  }
}

const nothing: ToolEnd = { exitCode: 0, stdout: Buffer.alloc(0), stderr: '' };

/** What these observers watch and the film has; with pictures always the clock. */
export function tapsOf(names: readonly ObservationName[], { film }: Reel): Tap[] {
  const asked = new Set(names.flatMap((name) => observations[name].taps));
  const pictures = (['picture', 'levels'] as const).filter((tap) => film.picture && asked.has(tap));
  const clock = pictures.length > 0 ? (['clock'] as const) : [];
  const fields = film.picture && asked.has('fields') ? (['fields'] as const) : [];
  const sounds = (['loudness', 'samples'] as const).filter((tap) => film.sound && asked.has(tap));
  return [...clock, ...pictures, ...fields, ...sounds];
}

function ffmpeg(
  { demuxer, reel, taps, interval }: { demuxer: string; reel: Reel; taps: Tap[]; interval: Interval | undefined },
  outlets: NonNullable<Tool['outlets']>,
): Tool {
  const outletsOfTaps = taps.map((tap, n) => ({ tap, pipe: `pipe:${outletDescriptor(n)}` }));
  const stretch = interval
    ? ['-ss', `${interval.startSeconds}`, '-t', `${interval.endSeconds - interval.startSeconds}`]
    : [];
  const loop = reel.isLoop ? ['-ignore_loop', '0', '-t', `${reel.film.durationSeconds}`] : [];
  const playsSeconds = interval
    ? interval.endSeconds - interval.startSeconds
    : (reel.film.durationSeconds ?? unknownDurationSeconds);
  const seconds = startSecondsMax + secondsPerSecondMax * playsSeconds;
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-nostats', '-hide_banner', '-v', 'error', '-protocol_whitelist', 'file,pipe'],
      ...['-progress', `pipe:${outletDescriptor(taps.length)}`, '-stats_period', '0.5'],
      ...['-threads', `${Math.min(threadsMax, availableParallelism())}`, '-max_pixels', `${pixelsMax}`],
      // Sound that changes its format midway would begin to be measured anew, and the first part be lost in silence.
      ...['-reinit_filter:a', '0', '-f', demuxer, '-max_streams', `${streamsMax}`, ...loop, ...stretch, '-i', '/in'],
      ...tapArguments(reel, outletsOfTaps),
    ],
    secondsMax: seconds,
    cpuSecondsMax: seconds,
    memoryBytesMax,
    outputBytesMax: 64 * 1024,
    outlets,
  };
}

/**
 * Nobody goes on beyond what a film may play, nor far beyond what it claims to: a few bytes can say that a sound lasts
 * for years, or that the same is shown again and again.
 */
function failureOfLength(showing: Showing, { bytes }: Source, seconds: number): AssetFailure | null {
  const { film, isLoop } = showing.reel;
  if (showing.interval || isLoop) return null; // those are bounded
  const claimedMax = (film.durationSeconds ?? mediaSecondsMax) * beyondClaim.times + beyondClaim.seconds;
  const honestMax = Math.max(claimedMax, bytes.sizeBytes / honestBytesPerSecondMin);
  if (seconds <= Math.min(mediaSecondsMax, honestMax)) return null;
  const cause = new Error(`it goes on after ${seconds} s, and claims to play ${film.durationSeconds} s`);
  return new AssetFailure(seconds > mediaSecondsMax ? 'media_too_long' : 'resource_limit_exceeded', { cause });
}

/** `out_time_us=1234567`, every half second. */
function readProgress(stream: Readable, onSeconds: (seconds: number) => void): void {
  stream.on('data', (chunk: Buffer) => {
    const micros = [...chunk.toString('latin1').matchAll(/^out_time_us=(\d+)/gm)].at(-1)?.[1];
    if (micros !== undefined) onSeconds(Number(micros) / 1e6);
  });
}
