import type { Location } from '@assay/contract/schemas/issue.ts';
import type { Range } from '#evidence/media/decode/signal/series.ts';
import { citeClause } from '#sidekick/cited-documents.ts';
import { formatSeconds, toMilliseconds } from '#sidekick/format-values.ts';
import { type RuleRow, withoutPrecedents } from '#sidekick/rule-table.ts';

const ebuR103 = citeClause('EBU R 103 (version 3.0, 2020)', 'Annex 1');

/** MINOR near the limit, MAJOR from this distance on. README.md gives the reason for each distance. */
const gradesWithMajorFrom = (beyond: number) =>
  [
    { beyond: 0, severity: 'MINOR' },
    { beyond, severity: 'MAJOR' },
  ] as const;

const ruleRows = {
  'QC-BLACK': [
    'MAJOR',
    'Black for longer than the delivery profile allows; viewers take it for a fault.',
    null,
    gradesWithMajorFrom(1),
    ['qcPictureSound/blackSecondsMax'],
  ],
  'QC-FREEZE': [
    'MINOR',
    'A frame is held for longer than the delivery profile allows.',
    null,
    gradesWithMajorFrom(15),
    ['qcPictureSound/freezeSecondsMax'],
  ],
  'QC-LEVELS': [
    'MINOR',
    'Broadcast equipment clips levels outside the legal range.',
    ebuR103,
    gradesWithMajorFrom(9),
    ['qcPictureSound/levelShareMax', 'qcPictureSound/levelMin', 'qcPictureSound/levelMax'],
  ],
  'QC-RANGE': [
    'MAJOR',
    'The range flag is wrong: black and white are crushed on playback.',
    null,
    gradesWithMajorFrom(5),
  ],
  'QC-RANGE-SUSPECT': ['INFO', 'The range flag may be wrong: the video would look washed out.', null],
  'QC-FIELDS': ['MAJOR', 'The field flag is wrong: motion judders or shows combing.', null],
  'QC-VFR': ['INFO', 'A variable frame rate breaks audio sync in editing and broadcast systems.', null],
  'QC-SILENCE': [
    'MINOR',
    'Silent for longer than the delivery profile allows.',
    null,
    gradesWithMajorFrom(12),
    ['qcPictureSound/silenceSecondsMax'],
  ],
  'QC-CLIPPING': [
    'MINOR',
    'Clipping at full scale is heard as distortion.',
    null,
    [
      { beyond: 0, severity: 'INFO' },
      { beyond: 10, severity: 'MINOR' },
      { beyond: 100, severity: 'MAJOR' },
    ],
  ],
  'QC-DUAL-MONO': ['INFO', 'Delivered as stereo, but both channels are the same.', null],
  'QC-PHASE': ['MAJOR', 'Left and right cancel each other: in mono the audio disappears.', null],
  'QC-SILENT-CHANNEL': ['MAJOR', 'One channel carries no audio.', null],
  'QC-NO-VIDEO': ['MAJOR', 'The video has no picture.', null],
  'QC-NO-AUDIO': ['INFO', 'The video has no audio track.', null],
  'QC-TRUNCATED': ['MAJOR', 'Part of the file cannot be played: it is incomplete or damaged.', null],
  'QC-AV-LENGTH': [
    'MINOR',
    'Video and audio do not end together.',
    null,
    gradesWithMajorFrom(9.5),
    ['qcPictureSound/endsApartSecondsMax'],
  ],
  'QC-NOT-VERIFIED': ['MAJOR', 'Part of the video or audio could not be examined.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof ruleRows;

// No precedents are known for these rules.
export const rules = withoutPrecedents(ruleRows);

/** The maximum number of locations per issue, or of issues per rule if each issue has one location. */
export const locationsMax = 100;

export function locationOf({ startSeconds, endSeconds }: Range): Location {
  return { kind: 'timeRange', startMs: toMilliseconds(startSeconds), endMs: toMilliseconds(endSeconds) };
}

export function lengthOf({ startSeconds, endSeconds }: Range): number {
  return endSeconds - startSeconds;
}

/** The longest ranges that exceed the limit by more than 1 ms, in chronological order. */
export function rangesBeyondLimit(ranges: readonly Range[], secondsMax: number): Range[] {
  return ranges
    .filter((range) => lengthOf(range) > secondsMax + 0.001)
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, locationsMax)
    .toSorted((a, b) => a.startSeconds - b.startSeconds);
}

/** Up to this length and share, black, stills and silence at the start or end are part of an ordinary edit. */
export const edgeSecondsMax = 10;
const edgeShareMax = 0.25;
/** Tolerance, because a poster frame, a click or codec padding may precede or follow the range. */
const edgeSlackSeconds = 0.5;

export type Place = 'start' | 'middle' | 'end' | 'throughout';

/** Returns where in its stream a range is. */
export function placeOf(range: Range, stream: Range): Place {
  const isAtStart = range.startSeconds <= stream.startSeconds + edgeSlackSeconds;
  const isAtEnd = range.endSeconds >= stream.endSeconds - edgeSlackSeconds;
  if (isAtStart && isAtEnd) return 'throughout';
  return isAtStart ? 'start' : isAtEnd ? 'end' : 'middle';
}

/** Whether a range may be a fade, a leader or an end card. */
export function isEdge(range: Range, stream: Range): boolean {
  const place = placeOf(range, stream);
  const secondsMax = Math.min(edgeSecondsMax, edgeShareMax * lengthOf(stream));
  return (place === 'start' || place === 'end') && lengthOf(range) <= secondsMax;
}

/** Returns the severity reasoning and the severity cap for a finding at the start or end. */
export function edgeFields(severityReasoning: string, place: Place) {
  const why = `INFO, because up to ${formatSeconds(edgeSecondsMax)} at the ${place} is part of an ordinary edit`;
  return { severityReasoning: `${severityReasoning}. ${why}`, severityMax: 'INFO' as const };
}
