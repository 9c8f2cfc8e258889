const standardRates = [
  ...[24, 30, 48, 60, 120].map((rate) => (rate * 1000) / 1001),
  ...[24, 25, 30, 48, 50, 60, 100, 120],
];
/** Containers round frame rates. The tolerance is less than the 0.1 % by which 29.97 and 30 differ. */
const rateTolerance = 0.0004;
/** Times in containers and in the API are rounded to milliseconds, so a time can be up to 2 ms early. */
const timeToleranceSeconds = 0.002;

/**
 * The timecode of the frame displayed at this time, counted from the start of the file: `00:01:15:08`. At 29.97, 59.94
 * and 119.88 frames a second it is drop-frame (`00:01:15;08`), as is usual in broadcasting, so that it stays in step
 * with clock time. All other rates are non-drop. Issue texts and the report show the same timecodes.
 */
export function formatTimecode(seconds: number, frameRate: number): string {
  const time = Math.max(0, seconds) + timeToleranceSeconds;
  const rate = standardRates.find((standard) => Math.abs(standard - frameRate) < rateTolerance * standard);
  // No timecode is defined for other rates: frames are counted within each second.
  if (rate === undefined) return formatFields(Math.floor(time), Math.floor((time % 1) * frameRate), ':');
  const base = Math.round(rate);
  const isDropFrame = base % 30 === 0 && rate !== base;
  const shown = Math.floor(time * rate);
  const frame = isDropFrame ? skipDroppedNumbers(shown, base) : shown;
  return formatFields(Math.floor(frame / base), frame % base, isDropFrame ? ';' : ':');
}

/** SMPTE ST 12-1: 2 frame numbers (4 at 59.94) are skipped at the start of every minute, except every tenth. */
function skipDroppedNumbers(frame: number, base: number): number {
  const dropped = base / 15;
  const perMinute = 60 * base - dropped;
  const perTenMinutes = 10 * perMinute + dropped;
  const rest = frame % perTenMinutes;
  const minutes = rest < 60 * base ? 0 : 1 + Math.floor((rest - 60 * base) / perMinute);
  return frame + dropped * (9 * Math.floor(frame / perTenMinutes) + minutes);
}

function formatFields(wholeSeconds: number, frame: number, separator: ':' | ';'): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(wholeSeconds / 60);
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:${pad(wholeSeconds % 60)}${separator}${pad(frame)}`;
}
