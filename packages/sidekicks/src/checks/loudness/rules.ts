import type { Precedent } from '@assay/contract/schemas/issue.ts';
import { citeClause } from '#sidekick/cited-documents.ts';
import type { Rule } from '#sidekick/sidekick.ts';

const loudAdvertisements: Precedent = {
  url: 'https://www.independent.co.uk/news/media/tv-radio/watchdog-issues-ruling-on-loud-tv-ads-1902008.html',
  title: 'Watchdog issues ruling on loud TV ads (ITV3, eight ads)',
  decision: 'Upheld',
  date: '2010-02-17',
};

// BS.1770 defines the measurement. The limits and their standard come from the delivery profile.
const bs1770 = citeClause('ITU-R BS.1770-4', 'Annex 1');
const bs1770Peak = citeClause('ITU-R BS.1770-4', 'Annex 2');

const target = ['loudness/target', 'loudness/rangeWithoutTarget'] as const;

/** 1 LU is about the smallest step between two programmes that listeners notice. */
const gradesByLu = [
  { beyond: 0, severity: 'MINOR' },
  { beyond: 1, severity: 'MAJOR' },
] as const;
/** EBU Tech 3341 lets a meter read up to 0.4 dB low or 0.2 dB high, so a small excess may be due to the meter. */
const gradesByDb = [
  { beyond: 0, severity: 'MINOR' },
  { beyond: 0.5, severity: 'MAJOR' },
] as const;

export const rules = {
  'LOUD-INTEGRATED-HIGH': {
    severity: 'MAJOR',
    grades: gradesByLu,
    headline: 'Louder than other content: listeners have to turn it down, and the recipient may lower or reject it.',
    limits: [...target, 'loudness/toleranceAboveLu', 'loudness/meterToleranceLu'],
    standard: bs1770,
    precedents: [loudAdvertisements],
  },
  'LOUD-INTEGRATED-LOW': {
    severity: 'MAJOR',
    grades: gradesByLu,
    headline: 'Quieter than other content: listeners have to turn it up, and the recipient may reject it.',
    limits: [...target, 'loudness/toleranceBelowLu', 'loudness/meterToleranceLu'],
    standard: bs1770,
    precedents: [],
  },
  'LOUD-TRUE-PEAK': {
    severity: 'MAJOR',
    grades: gradesByDb,
    headline: 'Peaks above the limit distort in converters and lossy codecs.',
    limits: ['loudness/truePeakMaxDb', 'loudness/truePeakMeterToleranceDb'],
    standard: bs1770Peak,
    precedents: [],
  },
  'LOUD-SHORT-TERM': {
    severity: 'MAJOR',
    grades: gradesByLu,
    headline: 'A loud passage stands out in short-form content, even when integrated loudness is on target.',
    limits: ['loudness/shortForm', 'loudness/meterToleranceLu'],
    standard: citeClause('EBU R 128 s1', 'Maximum short-term loudness'),
    precedents: [],
  },
  'LOUD-NOT-MEASURED': {
    severity: 'MAJOR',
    headline: 'The loudness of some audio could not be measured.',
    standard: null,
    precedents: [],
  },
} as const satisfies Record<string, Rule>;

export type RuleCode = keyof typeof rules;
