import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { formatClock } from './format-values.ts';

/** Formats a time within an asset for issue texts. */
export type FormatTime = (seconds: number) => string;

const standardRates = [
  ...[24, 30, 48, 60, 120].map((rate) => (rate * 1000) / 1001),
  ...[24, 25, 30, 48, 50, 60, 100, 120],
];
/** Containers round rates and durations. Below the 0.1 % between 29.97 and 30. */
const rateTolerance = 0.0004;
const rateMin = 1;
const rateMax = 240;
/** Rounding to milliseconds, in the container and in our locations, makes a timestamp up to 1 ms early each. */
const jitterSeconds = 0.002;

/** For video: timecodes at its frame rate, counted from the start of the file. For audio: clock times. */
export function timeFormatFor(probe: Probe | null): FormatTime {
  const rate = frameRateOf(probe);
  return rate === null ? formatClock : (seconds) => formatTimecode(seconds, rate);
}

/** The frame rate of the video; null without one, or if it is implausible. */
export function frameRateOf(probe: Probe | null | undefined): number | null {
  const stream = probe?.streams.find(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture);
  // For interlaced video, ffprobe's real frame rate is the field rate.
  const rate = stream?.averageFrameRate ?? stream?.realFrameRate ?? 0;
  return rate >= rateMin && rate <= rateMax ? rate : null;
}

/**
 * The timecode of the frame displayed at this time: `00:01:15:08`. At 29.97, 59.94 and 119.88 frames a second it is
 * drop-frame (`00:01:15;08`), as is usual in broadcasting, so that it stays in step with clock time. All other rates
 * are non-drop.
 */
export function formatTimecode(seconds: number, frameRate: number): string {
  const time = Math.max(0, seconds) + jitterSeconds;
  const rate = standardRates.find((standard) => Math.abs(standard - frameRate) < rateTolerance * standard);
  // No timecode is defined for other rates: frames are counted within each second.
  if (rate === undefined) return join(Math.floor(time), Math.floor((time % 1) * frameRate), ':');
  const base = Math.round(rate);
  const isDropFrame = base % 30 === 0 && rate !== base;
  const shown = Math.floor(time * rate);
  const frame = isDropFrame ? skipDropped(shown, base) : shown;
  return join(Math.floor(frame / base), frame % base, isDropFrame ? ';' : ':');
}

/** SMPTE ST 12-1: 2 frame numbers (4 at 59.94) are skipped at the start of every minute, except every tenth. */
function skipDropped(frame: number, base: number): number {
  const dropped = base / 15;
  const perMinute = 60 * base - dropped;
  const perTenMinutes = 10 * perMinute + dropped;
  const rest = frame % perTenMinutes;
  const minutes = rest < 60 * base ? 0 : 1 + Math.floor((rest - 60 * base) / perMinute);
  return frame + dropped * (9 * Math.floor(frame / perTenMinutes) + minutes);
}

function join(wholeSeconds: number, frame: number, separator: ':' | ';'): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(wholeSeconds / 60);
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:${pad(wholeSeconds % 60)}${separator}${pad(frame)}`;
}
