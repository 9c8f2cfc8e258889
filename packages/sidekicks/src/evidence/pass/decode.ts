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
import type { Tap, WatchedTap } from './observer.ts';
import { openObserving } from './observing.ts';
import { tapArguments } from './taps.ts';
import { areFramesWhole, watchFrames } from './watch-frames.ts';

/** One run of ffmpeg over a video or sound. */
export type Showing = {
  demuxer: string;
  reel: Reel;
  names: readonly ObservationName[];
  /** Whether flashes are looked for. */
  hasFlashes: boolean;
  onSeconds?: (seconds: number) => void;
};

/** Of 4096 × 2304, which holds every format up to 4K; larger pictures are refused before they are made. */
export const pixelsMax = 4096 * 2304;
/** Of the decoder: more than cores, so that it goes on while it waits for those who look at its frames. */
const threads = Math.min(6, 3 * availableParallelism());
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
  const { demuxer, reel, onSeconds } = showing;
  const { film } = reel;
  const wanted = {
    flashes: showing.hasFlashes && film.picture !== null,
    picture: showing.names.includes('picture') && areFramesWhole(film),
  };
  const names = showing.names.filter((name) => name !== 'picture' || !wanted.picture);
  const taps = tapsOf(names, reel);
  const watchesFrames = wanted.flashes || wanted.picture;
  if (taps.length === 0 && !watchesFrames) return { end: nothing, seen: {} };
  const observing = openObserving({ film, names });
  const frames = watchesFrames ? watchFrames(film, wanted) : null;
  const tooLong = new AbortController();
  const onProgress = (seconds: number) => {
    const failure = failureOfLength(showing, source, seconds);
    if (failure) tooLong.abort(failure);
    onSeconds?.(seconds);
  };
  const outlets: [Tap | 'progress', Outlet][] = [
    ...taps.map((tap): [Tap, Outlet] => [tap, (stream) => observing.follow(tap, stream)]),
    ...(Object.entries(frames?.outlets ?? {}) as [Tap, Outlet][]),
    ['progress', (stream) => readProgress(stream, onProgress)],
  ];
  try {
    const signals = [source.signal, observing.failed, tooLong.signal, ...(frames ? [frames.failed] : [])];
    const running = runTool(ffmpeg(demuxer, reel, outlets), { ...source, signal: AbortSignal.any(signals) });
    frames?.handedOver();
    const end = await running;
    const [observed, framesSeen] = await Promise.all([observing.end(), frames?.end()]);
    const picture = framesSeen?.picture ?? observed.picture ?? null;
    return { end, seen: { ...observed, picture, flashes: framesSeen?.flashes ?? null } };
  } finally {
    await Promise.all([observing.close(), frames?.close()]);
  }
}

type Outlet = NonNullable<Tool['outlets']>[number];

const nothing: ToolEnd = { exitCode: 0, stdout: Buffer.alloc(0), stderr: '' };

/** What these observers watch and the film has; with pictures always the clock. */
export function tapsOf(names: readonly ObservationName[], { film }: Reel): WatchedTap[] {
  const asked = new Set(names.flatMap((name) => observations[name].taps));
  const pictures = (['picture', 'levels'] as const).filter((tap) => film.picture && asked.has(tap));
  const clock = pictures.length > 0 ? (['clock'] as const) : [];
  const fields = film.picture && asked.has('fields') ? (['fields'] as const) : [];
  const sounds = (['loudness', 'samples'] as const).filter((tap) => film.sound && asked.has(tap));
  return [...clock, ...pictures, ...fields, ...sounds];
}

function ffmpeg(demuxer: string, reel: Reel, outlets: [Tap | 'progress', Outlet][]): Tool {
  const pipes = outlets.map(([tap], n) => ({ tap, pipe: `pipe:${outletDescriptor(n)}` }));
  const progress = pipes.find(({ tap }) => tap === 'progress')?.pipe ?? '';
  const loop = reel.isLoop ? ['-ignore_loop', '0', '-t', `${reel.film.durationSeconds}`] : [];
  const seconds = startSecondsMax + secondsPerSecondMax * (reel.film.durationSeconds ?? unknownDurationSeconds);
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-nostats', '-hide_banner', '-v', 'error', '-protocol_whitelist', 'file,pipe'],
      ...['-progress', progress, '-stats_period', '0.5'],
      ...['-threads', `${threads}`, '-max_pixels', `${pixelsMax}`],
      // Sound that changes its format midway would begin to be measured anew, and the first part be lost in silence.
      ...['-reinit_filter:a', '0', '-f', demuxer, '-max_streams', `${streamsMax}`, ...loop, '-i', '/in'],
      ...tapArguments(
        reel,
        pipes.filter((one): one is { tap: Tap; pipe: string } => one.tap !== 'progress'),
      ),
    ],
    secondsMax: seconds,
    cpuSecondsMax: seconds,
    memoryBytesMax,
    outputBytesMax: 64 * 1024,
    outlets: outlets.map(([, outlet]) => outlet),
  };
}

/**
 * Nobody goes on beyond what a film may play, nor far beyond what it claims to: a few bytes can say that a sound lasts
 * for years, or that the same is shown again and again.
 */
function failureOfLength(showing: Showing, { bytes }: Source, seconds: number): AssetFailure | null {
  const { film, isLoop } = showing.reel;
  if (isLoop) return null; // that is bounded
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
