/** `isUsual`: as the format has it, and not merely as players accept it. */
export type Timing = { startMs: number; endMs: number; isUsual: boolean; settings: string };

/** Beyond it a line that should be a time is not looked at. */
const timingCharactersMax = 300;

const vttTime = String.raw`(?:(\d{1,6}):)?(\d{2}):(\d{2})\.(\d{3})`;
const vttTiming = new RegExp(`^[ \\t]*${vttTime}([ \\t]*)-->([ \\t]*)${vttTime}(?:[ \\t](.*))?$`);
const srtTime = String.raw`(\d{1,6}):(\d{1,2}):(\d{1,2})([,.])(\d{1,3})`;
const srtTiming = new RegExp(`^[ \\t]*${srtTime}[ \\t]*-->[ \\t]*${srtTime}(?:[ \\t].*)?$`);
const usualSrtTiming = /^\d{2}:[0-5]\d:[0-5]\d,\d{3} --> \d{2}:[0-5]\d:[0-5]\d,\d{3}(?:[ \t].*)?$/;

// In WebVTT an arrow is a time wherever it stands. In SubRip it may be text, so there have to be numbers around it.
const srtLooksAlike = /^[ \t]*-?\d{1,9}[ \t]?:[ \t]?\d[\d:.,; \t]{0,30}-{1,3}>|\d[ \t]{0,5}-->[ \t]{0,5}-?\d/;

/** Whether this line is meant as a time, good or bad. */
export function looksLikeTiming(line: string, format: 'vtt' | 'srt'): boolean {
  return format === 'vtt' ? line.includes('-->') : srtLooksAlike.test(line.slice(0, timingCharactersMax));
}

export function readTiming(line: string, format: 'vtt' | 'srt'): Timing | null {
  const shown = line.slice(0, timingCharactersMax).trimEnd();
  return format === 'vtt' ? readVtt(shown) : readSrt(shown);
}

function readVtt(line: string): Timing | null {
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

function readSrt(line: string): Timing | null {
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

/** A short fraction counts thousandths, as players count: `,5` is 5 ms. */
function milliseconds(hours: string, minutes: string, seconds: string, thousandths: string): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths);
}
