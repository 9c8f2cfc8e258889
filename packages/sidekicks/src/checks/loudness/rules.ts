import type { Precedent } from '@assay/contract/issue.ts';
import type { Rule } from '../../sidekick.ts';

const loudAdvertisements: Precedent = {
  url: 'https://www.independent.co.uk/news/media/tv-radio/watchdog-issues-ruling-on-loud-tv-ads-1902008.html',
  title: 'Watchdog issues ruling on loud TV ads (ITV3, eight ads)',
  decision: 'Upheld',
  date: '2010-02-17',
};

// The limits are the house's, so its profile names the standard that has them; BS.1770 says how loudness is measured.
const bs1770 = { name: 'ITU-R BS.1770-4', clause: 'Annex 1' };
const bs1770Peak = { name: 'ITU-R BS.1770-4', clause: 'Annex 2' };

export const rules = {
  'LOUD-INTEGRATED-HIGH': {
    severity: 'MAJOR',
    headline: 'It is louder than what is shown before and after it; broadcasters turn it down or send it back.',
    standard: bs1770,
    precedents: [loudAdvertisements],
  },
  'LOUD-INTEGRATED-LOW': {
    severity: 'MAJOR',
    headline: 'It is quieter than what is shown before and after it; broadcasters send it back.',
    standard: bs1770,
    precedents: [],
  },
  'LOUD-TRUE-PEAK': {
    severity: 'MAJOR',
    headline: 'Peaks this high distort in converters and codecs further down the line.',
    standard: bs1770Peak,
    precedents: [],
  },
  'LOUD-SHORT-TERM': {
    severity: 'MINOR',
    headline: 'A single loud passage stands out in something this short, even where the whole is on target.',
    standard: { name: 'EBU R 128 s1', clause: 'Maximum Short-term Loudness' },
    precedents: [],
  },
  'LOUD-NOT-MEASURED': {
    severity: 'INFO',
    headline: 'There is too little sound to say how loud it is.',
    standard: null,
    precedents: [],
  },
} as const satisfies Record<string, Rule>;

export type RuleCode = keyof typeof rules;
