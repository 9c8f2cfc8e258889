import type { PictureRecord } from '../../evidence/pass/picture/observe-picture.ts';
import type { Range } from '../../evidence/pass/series.ts';
import type { Profile } from '../../profile.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import { lengthOf, ms, placeOf, type RuleCode, rounded, tooLong } from './rules.ts';

/** Black and frozen pictures that last. */
export function judgeStandstill(
  { black, freeze, timing }: PictureRecord,
  limits: Profile['picture'],
): Finding<RuleCode>[] {
  return [
    ...tooLong(black, limits.blackSecondsMax).map((range) => blackFinding(range, timing, limits.blackSecondsMax)),
    ...tooLong(freeze, limits.freezeSecondsMax).map((range) =>
      uncertain('QC-FREEZE', {
        subject: 'frozen picture',
        summary: `The picture stands still for ${lengthOf(range).toFixed(1)} s from ${clock(range.startSeconds)}. If it is not meant to, deliver the passage anew.`,
        severityReasoning: `${lengthOf(range).toFixed(2)} s in which the picture differs by less than −60 dB; limit ${limits.freezeSecondsMax} s`,
        ...placed(range, limits.freezeSecondsMax),
      }),
    ),
  ];
}

function blackFinding(range: Range, timing: PictureRecord['timing'], secondsMax: number): Finding<RuleCode> {
  const isAtStart = range.startSeconds <= timing.firstSeconds;
  const isAtEnd = range.endSeconds >= timing.endSeconds;
  const where = isAtStart && isAtEnd ? ' throughout' : isAtStart ? ' at the start' : isAtEnd ? ' at the end' : '';
  const said = {
    subject: 'black picture',
    summary: `The picture is black for ${lengthOf(range).toFixed(1)} s${where}, from ${clock(range.startSeconds)} to ${clock(range.endSeconds)}.`,
    severityReasoning: `${lengthOf(range).toFixed(2)} s in which 98 % of the picture is at most 10 % bright; limit ${secondsMax} s`,
    ...placed(range, secondsMax),
  };
  // At its ends a film may have been given black on purpose.
  return isAtStart !== isAtEnd ? uncertain('QC-BLACK', said) : certain('QC-BLACK', said);
}

function placed(range: Range, limit: number) {
  return {
    measured: rounded(lengthOf(range)),
    limit,
    unit: 's',
    locations: [placeOf(range)],
    stillsAtMs: [ms((range.startSeconds + range.endSeconds) / 2)],
  };
}
