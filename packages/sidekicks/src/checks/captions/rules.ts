import { citeClause } from '#sidekick/cited-documents.ts';
import { type RuleRow, withoutPrecedents } from '#sidekick/rule-table.ts';

const captionsForVideo = citeClause('WCAG 2.2', 'Success Criterion 1.2.2 Captions (Prerecorded)');
const textForAudio = citeClause('WCAG 2.2', 'Success Criterion 1.2.1 Audio-only and Video-only (Prerecorded)');

const ruleRows = {
  'CAPT-MISSING': ['MINOR', 'Deaf and hard-of-hearing viewers need captions.', captionsForVideo],
  'CAPT-NO-TRANSCRIPT': ['INFO', 'Deaf and hard-of-hearing users need a transcript.', textForAudio],
  'CAPT-GAP': [
    'INFO',
    'Deaf and hard-of-hearing viewers miss speech that has no captions.',
    captionsForVideo,
    // Most music and title sequences are shorter than a minute.
    [
      { beyond: 0, severity: 'INFO' },
      { beyond: 45, severity: 'MINOR' },
    ],
  ],
  'CAPT-UNREADABLE': ['MAJOR', 'These captions could not be checked automatically.', null],
  'CAPT-EMPTY': ['MAJOR', 'A caption file or track is present, but has no captions.', null],
  'CAPT-BLANK': ['MINOR', 'A caption without text replaces the previous one and shows nothing.', null],
  'CAPT-MALFORMED': ['MAJOR', 'Players skip or garble captions that they cannot parse.', null],
  'CAPT-IRREGULAR': ['MINOR', 'Some players and most delivery checks reject files with this error.', null],
  'CAPT-DURATION': ['MAJOR', 'A caption that ends at or before its start is never shown.', null],
  'CAPT-OUT-OF-RANGE': ['MAJOR', 'A caption that starts after the end of the media is never shown.', null],
  'CAPT-ORDER': ['MINOR', 'Some players drop captions that are out of order, or show them late.', null],
  'CAPT-OVERLAP': ['MINOR', 'Overlapping captions cover each other or jump.', null],
  'CAPT-TOO-FAST': [
    'MINOR',
    'Captions at this speed are hard to follow.',
    null,
    [
      { beyond: 0, severity: 'MINOR' },
      { beyond: 50, severity: 'MAJOR' },
    ],
    ['captions/wordsPerMinuteMajor'],
  ],
  'CAPT-FAST': ['INFO', 'Captions are faster than recommended.', null, null, ['captions/wordsPerMinuteMinor']],
  'CAPT-LINES': [
    'MINOR',
    'A caption with too many lines covers the frame and takes too long to read.',
    null,
    null,
    ['captions/linesMax'],
  ],
  'CAPT-LANGUAGE': ['MINOR', 'Without a language tag, players cannot offer the track to those who need it.', null],
} as const satisfies Record<string, RuleRow>;

export type RuleCode = keyof typeof ruleRows;

// No precedents: known rulings concern videos that were required to have captions and had none. Captions are required
// for speech, which this check cannot recognise.
export const rules = withoutPrecedents(ruleRows);
