import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Flashes } from './flashes/flashes.ts';
import { lookedAtFormat, observeFlashes } from './flashes/observe-flashes.ts';
import { frameBytesOf } from './flashes/tracker.ts';
import type { Film, PictureFormat } from './observer.ts';
import { createFrameViews } from './picture/frame-views.ts';
import { observePicture, type PictureSeen } from './picture/observe-picture.ts';
import { createTimeReader } from './tap-readers.ts';

export type FrameThreadStart = {
  film: Film;
  wanted: { flashes: boolean; picture: boolean };
  frames: number;
  clock: number;
};

export type FramesSeen = { flashes: Omit<Flashes, 'isWhole'> | null; picture: PictureSeen | null };

const readBytesMax = 1024 * 1024;
const { film, wanted, frames, clock } = workerData as FrameThreadStart;
const format = lookedAtFormat(film) as PictureFormat;
const frameSeconds = 1 / (format.frameRate ?? 25);
const flashes = wanted.flashes ? observeFlashes(format) : null;
const picture = wanted.picture ? observePicture.open(film) : null;
const views = wanted.picture ? createFrameViews(format) : null;
const own = new Uint8Array(flashes ? 0 : frameBytesOf(format));

const times: number[] = [];
const clockReader = createTimeReader((seconds) => times.push(seconds));
const clockBytes = new Uint8Array(4096);
let lastSeconds = -frameSeconds;

for (let index = 0; ; index++) {
  const planes = flashes?.next() ?? own;
  if (!fill(planes)) break;
  const seconds = nextTime();
  lastSeconds = seconds;
  if (views) {
    views.take(planes);
    picture?.picture?.({ index, seconds, rgb: views.rgb });
    picture?.levels?.({ index, seconds, yuv: views.yuv });
  }
  flashes?.see(seconds);
}
parentPort?.postMessage({ flashes: flashes?.end() ?? null, picture: picture?.end() ?? null } satisfies FramesSeen);

/** Says whether there was a whole frame. */
function fill(planes: Uint8Array): boolean {
  for (let filled = 0; filled < planes.length; ) {
    const length = readSync(frames, planes, filled, Math.min(readBytesMax, planes.length - filled), null);
    if (length === 0) return false;
    filled += length;
  }
  return true;
}

/** A decoder that was ended may have said less than it showed. */
function nextTime(): number {
  while (times.length === 0) {
    const length = readSync(clock, clockBytes, 0, clockBytes.length, null);
    if (length === 0) return lastSeconds + frameSeconds;
    clockReader.take(clockBytes.subarray(0, length));
  }
  return times.shift() as number;
}
