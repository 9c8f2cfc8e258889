/** What a stream declares about its times. */
type TimedStream = {
  startSeconds: number | null;
  durationSeconds: number | null;
  tags: readonly { name: string; value: string }[];
};

type Declared = {
  container: string;
  startSeconds: number | null;
  durationSeconds: number | null;
  streams: readonly TimedStream[];
};

/**
 * Seconds from the first frame or sample to the declared end. QuickTime and Matroska declare when the file ends,
 * counted from 0, even if an empty edit or a timestamp lets it start later.
 */
export function declaredDurationOf({ container, startSeconds, durationSeconds, streams }: Declared): number | null {
  const start = startSeconds ?? 0;
  if (durationSeconds === null || start <= 0 || durationSeconds <= start) return durationSeconds;
  if (!/^(mov|matroska)/.test(container) || streams.some(hasStatistics)) return durationSeconds;
  // The end of a segment of a longer file is counted from its start.
  const ends = streams.map((stream) => (stream.startSeconds ?? 0) + (stream.durationSeconds ?? 0));
  return Math.max(durationSeconds - start, ...ends.map((seconds) => seconds - start));
}

/** When a stream of Matroska ends, from the start of the file, as its tag says; null if it has none. */
export function taggedEndOf(stream: TimedStream | undefined, fileStartSeconds: number): number | null {
  const tagged = readClock(stream?.tags.find(({ name }) => name.toLowerCase() === 'duration')?.value);
  if (!stream || tagged === null) return null;
  const startSeconds = hasStatistics(stream) ? (stream.startSeconds ?? 0) : 0;
  return startSeconds + tagged - Math.max(0, fileStartSeconds);
}

/** MKVToolNix, which writes these tags, declares durations. ffmpeg writes ends under the same names. */
function hasStatistics({ tags }: TimedStream): boolean {
  return tags.some(({ name }) => name.toUpperCase().startsWith('_STATISTICS_WRITING_APP'));
}

/** `00:01:02.500000000` → 62.5 */
function readClock(text = ''): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  return seconds === undefined ? null : 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
}
