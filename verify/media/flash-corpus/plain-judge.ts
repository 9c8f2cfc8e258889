import type { FlashRun } from '@assay/sidekicks/evidence/media/decode/flashes/flashes.ts';
import {
  createPlainTracker,
  type PixelTransitions,
} from '@assay/sidekicks/evidence/media/decode/flashes/samples/plain-tracker.ts';
import type { TrackedFormat } from '@assay/sidekicks/evidence/media/decode/flashes/tracker.ts';
import type { FlashKind } from '@assay/sidekicks/sidekick/flash-still.ts';
import type { FlashArea } from '@assay/sidekicks/sidekick/profile.ts';

/** Limits as documented in the README of the check; the 2 ms and 0.5 ms in them allow for rounded timestamps. */
const secondSpan = 0.998;
const togetherSeconds = 0.0205;
const transitionsMax = 6;
const shareMeasuredMin = 0.2;
const shareLimit = 0.25;

type Size = { width: number; height: number };
/** Pixels that made the same transitions at the same frames within the last second. */
type Rhythm = { transitions: { frame: number; isUp: boolean }[]; pixels: number[] };
/** The number of pixels that made a transition at a frame in a direction. */
type Events = { frame: number; isUp: boolean; pixels: number }[];
type Together = { pixels: number; firstFrame: number };

/** The size of an area in pixels of the frame. Windows are measured on a 1920 × 1080 screen that the frame fills. */
export function areaSizeOf(area: FlashArea, { width, height }: Size): Size {
  if (area === 'screen') return { width, height };
  const [wide = 0, high = 0] = area.split('x').map(Number);
  const scale = Math.max(width / 1920, height / 1080);
  return { width: Math.round(wide * scale), height: Math.round(high * scale) };
}

/**
 * Finds what flashes too often in one area. It checks every pixel of every frame and every position of a window,
 * without bounds or samples. Only for frame rates below 66, where no two flashes are so close that they count as one.
 */
export function judgeByReference(
  format: TrackedFormat,
  area: FlashArea,
  frames: readonly Uint8Array[],
  times: readonly number[],
): FlashRun[] {
  const tracker = createPlainTracker(format);
  const size = areaSizeOf(area, format);
  const areaPixels = size.width * size.height;
  const runs: FlashRun[] = [];
  const secondsOf = (frame: number) => times[frame] as number;
  for (const [frame, planes] of frames.entries()) {
    tracker.processFrame(planes, secondsOf(frame));
    for (const kind of ['luminance', 'red'] as const) {
      const rhythms = rhythmsOf(tracker[kind], frame, secondsOf);
      const most = findMostTogether(rhythms, format, size, (events) => judgeEvents(events, frame));
      if (most) noteMoment(runs, kind, { ...most, frame });
    }
  }
  return runs;

  /** The largest number of pixels that made too many transitions together, if the last transition is happening now. */
  function judgeEvents(events: Events, frame: number): Together | null {
    const least = areaPixels * shareMeasuredMin;
    const justNow = events.filter((event) => secondsOf(frame) - secondsOf(event.frame) <= togetherSeconds);
    const changing = [true, false].map((isUp) => totalPixels(justNow.filter((event) => event.isUp === isUp)));
    if (Math.max(...changing) < least) return null;
    const counts = new Set(events.map((event) => totalPixels(eventsTogetherWith(events, event, secondsOf))));
    const pixels = [...counts]
      .toSorted((a, b) => b - a)
      .find((count) => alternations(events, count, secondsOf).length > transitionsMax);
    if (pixels === undefined || pixels < least) return null;
    const [first] = alternations(events, Math.min(pixels, areaPixels * shareLimit), secondsOf);
    return { pixels, firstFrame: first as number };
  }

  function noteMoment(all: FlashRun[], kind: FlashKind, { pixels, firstFrame, frame }: Together & { frame: number }) {
    const [startSeconds, endSeconds] = [secondsOf(firstFrame), secondsOf(frame)];
    const share = pixels / areaPixels;
    const last = all.findLast((run) => run.kind === kind);
    if (last && last.endSeconds >= startSeconds) {
      Object.assign(last, { endSeconds, peakAreaShare: Math.max(last.peakAreaShare, share) });
      return;
    }
    const peak = { peakTransitions: transitionsMax + 1, peakFlashes: 3, peakAreaShare: share };
    const times = { startSeconds, endSeconds, peakStartSeconds: startSeconds, peakSeconds: endSeconds };
    all.push({ kind, area, ...times, ...peak, boxes: [{ x: 0, y: 0, width: 1, height: 1 }] });
  }
}

/** The pixels with too many transitions within the last second, grouped by the times of their transitions. */
function rhythmsOf(pixels: readonly PixelTransitions[], frame: number, secondsOf: (frame: number) => number): Rhythm[] {
  const rhythms = new Map<string, Rhythm>();
  for (const [pixel, { frames, direction }] of pixels.entries()) {
    let count = 0;
    while (count < frames.length && secondsOf(frame) - secondsOf(frames.at(-1 - count) as number) < secondSpan) count++;
    if (count <= transitionsMax) continue;
    const recent = frames.slice(-count);
    const key = `${direction} ${recent.join(' ')}`;
    // Directions alternate, so the last one determines all others.
    const isUp = (i: number) => (direction === 1) === ((recent.length - 1 - i) % 2 === 0);
    const rhythm = rhythms.get(key) ?? {
      transitions: recent.map((at, i) => ({ frame: at, isUp: isUp(i) })),
      pixels: [],
    };
    rhythm.pixels.push(pixel);
    rhythms.set(key, rhythm);
  }
  return [...rhythms.values()];
}

/**
 * Tries every position of the area and returns the largest result. Positions with the same number of pixels of each
 * rhythm are judged only once.
 */
function findMostTogether(
  rhythms: readonly Rhythm[],
  whole: Size,
  area: Size,
  judge: (events: Events) => Together | null,
): Together | null {
  if (rhythms.length === 0) return null;
  const tables = rhythms.map(({ pixels }) => summedArea(pixels, whole));
  const row = whole.width + 1;
  const judged = new Map<string, Together | null>();
  let most: Together | null = null;
  for (let y = 0; y + area.height <= whole.height; y++) {
    for (let x = 0; x + area.width <= whole.width; x++) {
      const [from, to] = [y * row + x, (y + area.height) * row + x];
      const at = (table: Int32Array, position: number) => table[position] as number;
      const counts = tables.map(
        (table) => at(table, to + area.width) - at(table, to) - at(table, from + area.width) + at(table, from),
      );
      const key = counts.join(' ');
      if (!judged.has(key)) judged.set(key, judge(eventsOf(rhythms, counts)));
      const one = judged.get(key);
      if (one && one.pixels > (most?.pixels ?? 0)) most = one;
    }
  }
  return most;
}

function summedArea(pixels: readonly number[], { width, height }: Size): Int32Array {
  const row = width + 1;
  const table = new Int32Array(row * (height + 1));
  for (const pixel of pixels) table[(Math.floor(pixel / width) + 1) * row + (pixel % width) + 1] = 1;
  for (let i = row; i < table.length; i++) {
    const before = i % row === 0 ? 0 : (table[i - 1] as number) - (table[i - 1 - row] as number);
    table[i] = (table[i] as number) + before + (table[i - row] as number);
  }
  return table;
}

/** In chronological order. */
function eventsOf(rhythms: readonly Rhythm[], counts: readonly number[]): Events {
  const all = rhythms.flatMap(({ transitions }, i) =>
    transitions.map((transition) => ({ ...transition, pixels: counts[i] as number })),
  );
  return all.filter(({ pixels }) => pixels > 0).toSorted((a, b) => a.frame - b.frame);
}

/** The events in the same direction as this one, at the same time or shortly after. */
function eventsTogetherWith(
  events: Events,
  { frame, isUp }: Events[number],
  secondsOf: (frame: number) => number,
): Events {
  const isClose = (later: number) => later >= frame && secondsOf(later) - secondsOf(frame) <= togetherSeconds;
  return events.filter((event) => event.isUp === isUp && isClose(event.frame));
}

/** The frames of transitions that at least `pixelsMin` pixels make together, each opposite to the previous one. */
function alternations(events: Events, pixelsMin: number, secondsOf: (frame: number) => number): number[] {
  const counted: { frame: number; isUp: boolean }[] = [];
  for (const event of events) {
    if (counted.at(-1)?.isUp === event.isUp) continue;
    if (totalPixels(eventsTogetherWith(events, event, secondsOf)) >= pixelsMin) counted.push(event);
  }
  return counted.map(({ frame }) => frame);
}

function totalPixels(events: Events): number {
  return events.reduce((all, { pixels }) => all + pixels, 0);
}
