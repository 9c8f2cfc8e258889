import type { Location, Standard } from '@assay/contract/schemas/issue.ts';
import type { Range } from '../../evidence/pass/signal/series.ts';
import { toMilliseconds } from '../../format-values.ts';
import { type RuleRow, withoutPrecedents } from '../../rule-table.ts';

const r103: Standard = { name: 'EBU R 103 (version 3.0, 2020)', clause: 'Annex 1' };

const rows = {
  'QC-BLACK': ['MAJOR', 'Black for longer than the delivery profile allows; viewers take it for a fault.', null],
  'QC-FREEZE': ['MINOR', 'A frame is held for longer than the delivery profile allows.', null],
  'QC-LEVELS': ['MINOR', 'Broadcast equipment clips levels outside the legal range.', r103],
  'QC-RANGE': ['MAJOR', 'The range flag is wrong: black and white are crushed on playback.', null],
  'QC-RANGE-SUSPECT': ['INFO', 'The range flag may be wrong: the video would look washed out.', null],
  'QC-FIELDS': ['MAJOR', 'The field flag is wrong: motion judders or shows combing.', null],
  'QC-VFR': ['MINOR', 'A variable frame rate breaks audio sync in editing and broadcast systems.', null],
  'QC-SILENCE': ['MINOR', 'Silent for longer than the delivery profile allows.', null],
  'QC-CLIPPING': ['MINOR', 'Clipping at full scale is heard as distortion.', null],
  'QC-DUAL-MONO': ['MINOR', 'Delivered as stereo, but both channels are the same.', null],
  'QC-PHASE': ['MAJOR', 'Left and right cancel each other: in mono the audio disappears.', null],
  'QC-SILENT-CHANNEL': ['MAJOR', 'One channel carries no audio.', null],
  'QC-NO-AUDIO': ['INFO', 'The video has no audio track.', null],
  'QC-TRUNCATED': ['MAJOR', 'Part of the file cannot be played: it is incomplete or damaged.', null],
  'QC-AV-LENGTH': ['MINOR', 'Video and audio do not end together.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof rows;

// No precedents are known for these rules.
export const rules = withoutPrecedents(rows);

/** Limit of locations per issue, and of issues per rule where each issue has one location. */
export const locationsMax = 100;

export function locationOf({ startSeconds, endSeconds }: Range): Location {
  return { kind: 'timeRange', startMs: toMilliseconds(startSeconds), endMs: toMilliseconds(endSeconds) };
}

export function lengthOf({ startSeconds, endSeconds }: Range): number {
  return endSeconds - startSeconds;
}

/** The longest ranges that exceed the limit by more than 1 ms, in order of time. */
export function tooLong(ranges: readonly Range[], secondsMax: number): Range[] {
  return ranges
    .filter((range) => lengthOf(range) > secondsMax + 0.001)
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, locationsMax)
    .toSorted((a, b) => a.startSeconds - b.startSeconds);
}
