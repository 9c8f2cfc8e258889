import type { Location, Standard } from '@assay/contract/issue.ts';
import type { Range } from '../../evidence/pass/series.ts';
import { type RuleRow, withoutPrecedents } from '../../rule-table.ts';

const r103: Standard = { name: 'EBU R 103 (version 3.0, 2020)', clause: 'Annex 1' };

const rows = {
  'QC-BLACK': [
    'MAJOR',
    'The picture is black for longer than the house allows: viewers think that it has failed.',
    null,
  ],
  'QC-FREEZE': ['MINOR', 'The picture stands still for longer than the house allows.', null],
  'QC-LEVELS': ['MINOR', 'Colours or brightness lie where broadcast equipment clips them.', r103],
  'QC-RANGE': ['MAJOR', 'The file says the wrong range of levels: black and white are shown crushed.', null],
  'QC-RANGE-SUSPECT': ['INFO', 'The file may say the wrong range of levels: it would look washed out.', null],
  'QC-FIELDS': ['MAJOR', 'The file is wrong about its fields: motion jerks or shows combs.', null],
  'QC-VFR': ['MINOR', 'The frame rate varies: editing and broadcast systems lose the sync of sound and picture.', null],
  'QC-SILENCE': ['MINOR', 'There is no sound for longer than the house allows.', null],
  'QC-CLIPPING': ['MINOR', 'The sound was cut off at full scale: it crackles.', null],
  'QC-DUAL-MONO': ['MINOR', 'Left and right are the same: it was delivered as stereo and is not.', null],
  'QC-PHASE': ['MAJOR', 'Left and right cancel each other: on a single loudspeaker the sound vanishes.', null],
  'QC-SILENT-CHANNEL': ['MAJOR', 'One of the channels carries nothing.', null],
  'QC-NO-AUDIO': ['INFO', 'The film has no sound at all.', null],
  'QC-TRUNCATED': ['MAJOR', 'A part of it cannot be played: the file is cut short or damaged.', null],
  'QC-AV-LENGTH': ['MINOR', 'Picture and sound do not end together.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof rows;

// No ruling is known in this family.
export const rules = withoutPrecedents(rows);

/** Of each rule at most so many places are told. */
export const placesMax = 100;

export function placeOf({ startSeconds, endSeconds }: Range): Location {
  return { kind: 'timeRange', startMs: ms(startSeconds), endMs: ms(endSeconds) };
}

export function lengthOf({ startSeconds, endSeconds }: Range): number {
  return endSeconds - startSeconds;
}

export function ms(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000));
}

export function rounded(value: number, places = 2): number {
  return Number(value.toFixed(places));
}

/** The longest of those that are too long, in the order of time. A thousandth of a second too much is not. */
export function tooLong(ranges: readonly Range[], secondsMax: number): Range[] {
  return ranges
    .filter((range) => lengthOf(range) > secondsMax + 0.001)
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, placesMax)
    .toSorted((a, b) => a.startSeconds - b.startSeconds);
}
