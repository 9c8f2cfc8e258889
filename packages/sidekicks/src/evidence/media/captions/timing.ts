/** `isUsual`: whether the time is valid in the format, not merely accepted by players. */
export type CueTiming = { startMs: number; endMs: number; isUsual: boolean; settings: string };

/** Longer lines are truncated before they are parsed as a time. */
const timingCharactersMax = 300;

const vttTime = String.raw`(?:(\d{1,6}):)?(\d{2}):(\d{2})\.(\d{3})`;
const vttTiming = new RegExp(`^[ \\t]*${vttTime}([ \\t]*)-->([ \\t]*)${vttTime}(?:[ \\t](.*))?$`);
const srtTime = String.raw`(\d{1,6}):(\d{1,2}):(\d{1,2})([,.])(\d{1,3})`;
const srtTiming = new RegExp(`^[ \\t]*${srtTime}[ \\t]*-->[ \\t]*${srtTime}(?:[ \\t].*)?$`);
const usualSrtTiming = /^\d{2}:[0-5]\d:[0-5]\d,\d{3} --> \d{2}:[0-5]\d:[0-5]\d,\d{3}(?:[ \t].*)?$/;

// In WebVTT, any line with an arrow is a time. In SubRip, an arrow can be text, so there must be numbers around it.
const srtTimingLike = /^[ \t]*-?\d{1,9}[ \t]?:[ \t]?\d[\d:.,; \t]{0,30}-{1,3}>|\d[ \t]{0,5}-->[ \t]{0,5}-?\d/;

/** Whether this line is meant as a time, valid or not. */
export function looksLikeTiming(line: string, format: 'vtt' | 'srt'): boolean {
  return format === 'vtt' ? line.includes('-->') : srtTimingLike.test(line.slice(0, timingCharactersMax));
}

export function readTiming(line: string, format: 'vtt' | 'srt'): CueTiming | null {
  const bounded = line.slice(0, timingCharactersMax).trimEnd();
  return format === 'vtt' ? readVtt(bounded) : readSrt(bounded);
}

function readVtt(line: string): CueTiming | null {
  const [whole, h1, m1 = '', s1 = '', f1 = '', before, after, h2, m2 = '', s2 = '', f2 = '', settings = ''] =
    vttTiming.exec(line) ?? [];
  if (whole === undefined || [m1, s1, m2, s2].some((unit) => Number(unit) > 59)) return null;
  return {
    startMs: milliseconds(h1 ?? '0', m1, s1, f1),
    endMs: milliseconds(h2 ?? '0', m2, s2, f2),
    isUsual: before !== '' && after !== '' && h1?.length !== 1 && h2?.length !== 1,
    settings,
  };
}

function readSrt(line: string): CueTiming | null {
  const [whole, h1 = '', m1 = '', s1 = '', , f1 = '', h2 = '', m2 = '', s2 = '', , f2 = ''] =
    srtTiming.exec(line) ?? [];
  if (whole === undefined) return null;
  return {
    startMs: milliseconds(h1, m1, s1, f1),
    endMs: milliseconds(h2, m2, s2, f2),
    isUsual: usualSrtTiming.test(line),
    settings: '',
  };
}

/** Like players, reads a short fraction as thousandths: `,5` is 5 ms. */
function milliseconds(hours: string, minutes: string, seconds: string, thousandths: string): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths);
}
