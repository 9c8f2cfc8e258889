import type { PacketTime } from './packet-times.ts';

/** Packets and frames of a video, in seconds from the start of the file. */
export type FrameList = {
  /** When each decoded frame is shown. */
  frames: Float64Array;
  /** The start and the end that the container declares for the stream; null if it does not. */
  startSeconds: number | null;
  endSeconds: number | null;
};

/** A gap between frames, in usual durations of a frame, that a frame could fill. */
const gapMin = 1.5;
/** A packet belongs to a frame if it is no further away than this. The two fields of a frame may have a packet each. */
const nearMax = 0.75;
/** If more frames than this belong to no packet, their times are not those of the packets and say nothing. */
const strayShareMax = 0.1;
/** How much may be missing at the end: containers round, and encoders add or cut a few milliseconds. */
const missingSecondsMax = 1;
const missingShareMax = 0.01;

/** Whether so much is missing of the declared duration that the file is incomplete. */
export function isCutShort(missingSeconds: number, declaredSeconds: number): boolean {
  return missingSeconds > Math.max(missingSecondsMax, missingShareMax * declaredSeconds);
}

/** Whether there is a time at which a frame may be missing. A constant rate without gaps needs no list of packets. */
export function hasGaps({ frames, startSeconds, endSeconds }: FrameList): boolean {
  const usual = usualDurationOf(frames);
  if (usual === null) return true;
  const times = [...(startSeconds === null ? [] : [startSeconds]), ...frames];
  const isGap = times.some((time, i) => i > 0 && time - (times[i - 1] as number) > gapMin * usual);
  const last = times.at(-1) as number;
  return isGap || (endSeconds !== null && endSeconds - last > (1 + gapMin) * usual);
}

/**
 * The share of the frames that could not be decoded: of the packets for which there is no frame, and of the time that
 * the container declares beyond its last packet. Null if frames and packets cannot be compared.
 */
export function undecodedShareOf({ frames, endSeconds }: FrameList, packets: readonly PacketTime[]): number | null {
  const usual = usualDurationOf(frames) ?? usualDurationOf(packets.map(({ seconds }) => seconds));
  const shown = shownPackets(packets);
  if (usual === null || shown.length === 0) return frames.length === 0 ? 1 : null;
  const near = nearMax * usual;
  const sorted = frames.toSorted();
  const isNear = (among: ArrayLike<number>, seconds: number) => distanceTo(among, seconds) <= near;
  const lost = shown.filter(({ seconds }) => !isNear(sorted, seconds)).length;
  const times = Float64Array.from(shown, ({ seconds }) => seconds).toSorted();
  const strays = sorted.reduce((count, seconds) => count + (isNear(times, seconds) ? 0 : 1), 0);
  if (strays > strayShareMax * frames.length) return null;
  const packetsEnd = Math.max(...[0, ...lastOf(shown)]);
  const missing = endSeconds === null ? 0 : endSeconds - packetsEnd;
  const cut = isCutShort(missing, endSeconds ?? 0) ? missing / usual : 0;
  return (lost + cut) / (shown.length + cut);
}

/** Nothing can be decoded before the first key frame, and no player shows what precedes it. */
function shownPackets(packets: readonly PacketTime[]): PacketTime[] {
  const first = packets.findIndex(({ isKey }) => isKey);
  if (first < 0) return [...packets];
  const { seconds: since } = packets[first] as PacketTime;
  return packets.slice(first).filter(({ seconds }) => seconds >= since);
}

/** Packets are in the order of decoding: the last one shown is near the end. */
function lastOf(packets: readonly PacketTime[]): number[] {
  return packets.slice(-100).map(({ endSeconds }) => endSeconds);
}

function distanceTo(sorted: ArrayLike<number>, seconds: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < seconds) low = middle + 1;
    else high = middle;
  }
  const after = low < sorted.length ? (sorted[low] as number) - seconds : Number.POSITIVE_INFINITY;
  const before = low > 0 ? seconds - (sorted[low - 1] as number) : Number.POSITIVE_INFINITY;
  return Math.min(after, before);
}

/** The median distance of consecutive times; null if there are fewer than two. */
function usualDurationOf(times: ArrayLike<number>): number | null {
  const sorted = Float64Array.from(times).toSorted();
  const durations = sorted
    .subarray(1)
    .map((time, i) => time - (sorted[i] as number))
    .toSorted();
  const median = durations[durations.length >> 1];
  return median === undefined || median <= 0 ? null : median;
}
