import type { Standard } from '@assay/contract/issue.ts';
import { type RuleRow, withoutPrecedents } from '../../rule-table.ts';

const captionsForFilm: Standard = { name: 'WCAG 2.2', clause: 'Success Criterion 1.2.2 Captions (Prerecorded)' };
const wordsForSound: Standard = {
  name: 'WCAG 2.2',
  clause: 'Success Criterion 1.2.1 Audio-only and Video-only (Prerecorded)',
};

const rows = {
  'CAPT-MISSING': ['INFO', 'Without captions a film is lost on those who cannot hear it.', captionsForFilm],
  'CAPT-NO-TRANSCRIPT': ['INFO', 'Without its words in writing a recording is lost on the deaf.', wordsForSound],
  'CAPT-GAP': ['INFO', 'What is said while no caption shows is lost on those who cannot hear it.', captionsForFilm],
  'CAPT-UNREADABLE': ['INFO', 'There are captions that could not be checked here.', null],
  'CAPT-EMPTY': ['MAJOR', 'Captions are announced, but there are none.', null],
  'CAPT-BLANK': ['MINOR', 'A caption without text hides the one before it and says nothing.', null],
  'CAPT-MALFORMED': ['MAJOR', 'Players leave out or garble what they cannot read.', null],
  'CAPT-IRREGULAR': ['MINOR', 'Some players and most delivery checks refuse what others forgive.', null],
  'CAPT-DURATION': ['MAJOR', 'A caption that does not end after it begins is never seen.', null],
  'CAPT-OUT-OF-RANGE': ['MAJOR', 'A caption that begins after the end of the film is never seen.', null],
  'CAPT-ORDER': ['MINOR', 'Captions out of order are dropped or shown late by some players.', null],
  'CAPT-OVERLAP': ['MINOR', 'Captions at the same time cover each other or jump about.', null],
  'CAPT-TOO-FAST': ['MAJOR', 'Captions at this speed are hard to follow.', null],
  'CAPT-FAST': ['MINOR', 'Captions are faster than is recommended.', null],
  'CAPT-LINES': ['MINOR', 'A caption of so many lines covers the picture and takes long to read.', null],
  'CAPT-LANGUAGE': ['MINOR', 'Without a language players cannot offer the track to those who want it.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof rows;

// The rulings that are known concern films that had to have captions and had none. That there is speech, which is what
// makes captions a duty, is never certain here; so no finding claims to be like them.
export const rules = withoutPrecedents(rows);
