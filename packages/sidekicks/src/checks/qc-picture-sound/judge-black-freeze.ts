import type { Range } from '../../evidence/pass/signal/series.ts';
import type { VideoRecord } from '../../evidence/pass/video/observe-video.ts';
import { formatSeconds, toMeasurement, toMilliseconds } from '../../format-values.ts';
import type { Profile } from '../../profile.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import type { FormatTime } from '../../timecode.ts';
import { lengthOf, locationOf, type RuleCode, tooLong } from './rules.ts';

/** Black and frozen video that lasts longer than the profile allows. */
export function judgeBlackAndFreeze(
  { black, freeze, timing }: VideoRecord,
  { blackSecondsMax, freezeSecondsMax }: Profile['limits']['qcPictureSound'],
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  return [
    ...tooLong(black, blackSecondsMax).map((range) => judgeBlack(range, timing, blackSecondsMax, formatTime)),
    ...tooLong(freeze, freezeSecondsMax).map((range) => {
      const { length, limit, from } = describe(range, freezeSecondsMax, formatTime);
      return uncertain('QC-FREEZE', {
        subject: 'frozen picture',
        summary: `Video is frozen for ${length} ${from} (limit ${limit}). Replace the section unless the still is intended.`,
        severityReasoning: `The difference between frames stays below −60.0 dB for ${length}; limit ${limit}`,
        ...measure(range, freezeSecondsMax),
      });
    }),
  ];
}

function judgeBlack(
  range: Range,
  timing: VideoRecord['timing'],
  secondsMax: number,
  formatTime: FormatTime,
): Finding<RuleCode> {
  const isAtStart = range.startSeconds <= timing.firstSeconds;
  const isAtEnd = range.endSeconds >= timing.endSeconds;
  const { length, limit, from } = describe(range, secondsMax, formatTime);
  const fields = {
    subject: 'black picture',
    severityReasoning: `At least 98.0 % of the frame is at or below 10.0 % brightness for ${length}; limit ${limit}`,
    ...measure(range, secondsMax),
  };
  if (isAtStart && isAtEnd) {
    return certain('QC-BLACK', {
      ...fields,
      summary: `Video is black throughout (${length}, limit ${limit}). Check that the correct file was delivered.`,
    });
  }
  if (isAtStart || isAtEnd) {
    // Leader and tail are often black on purpose.
    return uncertain('QC-BLACK', {
      ...fields,
      summary: `Video is black for ${length} at the ${isAtStart ? 'start' : 'end'}, ${from} (limit ${limit}). Trim the section unless the black is intended.`,
    });
  }
  return certain('QC-BLACK', {
    ...fields,
    summary: `Video is black for ${length} ${from} (limit ${limit}). Shorten or replace the section.`,
  });
}

function describe(range: Range, secondsMax: number, formatTime: FormatTime) {
  return {
    length: formatSeconds(lengthOf(range), secondsMax),
    limit: formatSeconds(secondsMax),
    from: `from ${formatTime(range.startSeconds)} to ${formatTime(range.endSeconds)}`,
  };
}

function measure(range: Range, limit: number) {
  return {
    measured: toMeasurement(lengthOf(range)),
    limit,
    unit: 's',
    locations: [locationOf(range)],
    stillsAtMs: [toMilliseconds((range.startSeconds + range.endSeconds) / 2)],
  };
}
