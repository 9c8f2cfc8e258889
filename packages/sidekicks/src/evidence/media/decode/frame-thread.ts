import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ObservedFlashes } from './flashes/flashes.ts';
import { analysedFormatOf } from './flashes/observe-flashes.ts';
import { openFlashObserver } from './flashes/open-flash-observer.ts';
import { frameBytesOf } from './flashes/tracker.ts';
import type { MediaFormat, VideoFormat } from './signal/observer.ts';
import { createTimeReader } from './tap-readers.ts';
import { createFrameViews } from './video/frame-views.ts';
import { type ObservedVideo, observeVideo } from './video/observe-video.ts';

export type FrameThreadStart = {
  media: MediaFormat;
  wanted: { flashes: boolean; video: boolean };
  frames: number;
  clock: number;
};

export type ObservedFrames = {
  flashes: ObservedFlashes | null;
  video: ObservedVideo | null;
  /** When each frame is shown. */
  times: Float64Array;
};

const readBytesMax = 1024 * 1024;
const { media, wanted, frames, clock } = workerData as FrameThreadStart;
const format = analysedFormatOf(media) as VideoFormat;
const frameSeconds = 1 / (format.frameRate ?? 25);
const flashes = wanted.flashes ? openFlashObserver(format) : null;
const video = wanted.video ? observeVideo.open(media) : null;
const views = wanted.video ? createFrameViews(format) : null;
const ownPlanes = new Uint8Array(flashes ? 0 : frameBytesOf(format));

const frameTimes: number[] = [];
const times: number[] = [];
const clockReader = createTimeReader((seconds) => frameTimes.push(seconds));
const clockBytes = new Uint8Array(4096);
let lastSeconds = -frameSeconds;

for (let index = 0; ; index++) {
  const planes = flashes?.next() ?? ownPlanes;
  if (!fillFrame(planes)) break;
  const seconds = nextTime();
  lastSeconds = seconds;
  times.push(seconds);
  if (views) {
    views.take(planes);
    video?.frame?.({ index, seconds, rgb: views.rgb });
    video?.levels?.({ index, seconds, ...views.levels });
  }
  flashes?.processFrame(seconds);
}
parentPort?.postMessage({
  flashes: flashes?.end() ?? null,
  video: video?.end() ?? null,
  times: Float64Array.from(times),
} satisfies ObservedFrames);

/** Returns false at the end of the stream, even if the last frame is incomplete. */
function fillFrame(planes: Uint8Array): boolean {
  for (let filled = 0; filled < planes.length; ) {
    const length = readSync(frames, planes, filled, Math.min(readBytesMax, planes.length - filled), null);
    if (length === 0) return false;
    filled += length;
  }
  return true;
}

/** If the decoder was stopped, the last frames may have no timestamps, which are then extrapolated. */
function nextTime(): number {
  while (frameTimes.length === 0) {
    const length = readSync(clock, clockBytes, 0, clockBytes.length, null);
    if (length === 0) return lastSeconds + frameSeconds;
    clockReader.take(clockBytes.subarray(0, length));
  }
  return frameTimes.shift() as number;
}
