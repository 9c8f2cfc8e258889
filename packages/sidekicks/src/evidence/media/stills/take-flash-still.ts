import { stillSidePixelsMax } from '@assay/contract/limits.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { FlashStill } from '#sidekick/flash-still.ts';

import type { SelectedStreams } from '../decode/select-streams.ts';
import { choosePair, type TimedPicture } from './choose-pair.ts';
import { composePair, rolesOf } from './compose-pair.ts';
import { encodeJpeg } from './encode-jpeg.ts';
import { readFrames } from './read-frames.ts';
import type { Still } from './still.ts';

/** What is read before and after the period: the state before the first change, and the end of the last one. */
const before = 0.25;
const after = 0.1;
/** Smaller frames are enlarged to this, or the labels would be larger than the frame. */
const sidePixelsMin = 320;

export type TakeFlashStill = (flash: FlashStill, secondsMax: number) => Promise<Still | null>;

/**
 * Makes stills of flashes: the light and the dark state of each side by side. Null if the frames do not show it. Flashes
 * of luminance and of red often have the same period, whose frames are then read once.
 */
export function createFlashStills(demuxer: string, streams: SelectedStreams, source: Source): TakeFlashStill {
  let last: { period: string; frames: TimedPicture[][] } | null = null;
  return async (flash, secondsMax) => {
    const { video } = streams.format;
    if (!video) return null;
    const { isByField } = flash;
    const [startSeconds, endSeconds] = [flash.startSeconds - before, flash.endSeconds + after];
    const period = `${startSeconds} ${endSeconds} ${isByField}`;
    if (last?.period !== period) {
      const size = stillSizeOf(video);
      const request = { demuxer, streams, startSeconds, endSeconds, isByField, size, secondsMax };
      last = { period, frames: await readFrames(request, source) };
    }
    return drawFlash(flash, last.frames, source);
  };
}

/** @param read the same frames once for each background that transparent ones are shown over */
async function drawFlash({ kind, boxes }: FlashStill, read: TimedPicture[][], source: Source): Promise<Still | null> {
  for (const frames of read) {
    const pair = choosePair(frames, kind, boxes);
    if (!pair) continue;
    const jpeg = await encodeJpeg(composePair(pair, kind, boxes), source);
    if (!jpeg) return null;
    const states = (['light', 'dark'] as const).map((state) => {
      return { timeMs: Math.max(0, Math.round(pair[state].seconds * 1000)), role: rolesOf[kind][state].role };
    });
    return { timeMs: Math.min(...states.map(({ timeMs }) => timeMs)), jpeg, frames: states };
  }
  return null;
}

/** The size of a frame in a still: as displayed, also if its pixels are not square. */
export function stillSizeOf({ width, height, pixelAspect }: { width: number; height: number; pixelAspect: number }) {
  const [shownWidth, shownHeight] = [width * Math.max(1, pixelAspect), height / Math.min(1, pixelAspect)];
  const side = Math.max(shownWidth, shownHeight);
  const scale = Math.min(stillSidePixelsMax, Math.max(sidePixelsMin, side)) / side;
  return { width: Math.max(1, Math.round(shownWidth * scale)), height: Math.max(1, Math.round(shownHeight * scale)) };
}
