import type { Issue } from '@assay/sdk';
import type { sampleIds } from './sample-sidekicks.ts';

/** What is special about an issue of the sample; the rest is filled in. */
export type SampleIssue = Pick<
  Issue,
  'ruleCode' | 'severity' | 'summary' | 'severityReasoning' | 'severityReasoningHeadline'
> &
  Partial<Issue> & { sidekick: keyof typeof sampleIds; stillsAtMs?: (number | null)[] };

const engine = 'ffmpeg 5.1.6; 1920 × 1080, 25 pictures a second';
const threeFlashes = { name: 'WCAG 2.2', clause: 'SC 2.3.1 Three Flashes or Below Threshold' };
const r128 = { name: 'EBU R 128 (version 4.0, 2020)', clause: 'Recommendations d, e and i' };
const personalData = { name: 'Regulation (EU) 2016/679 (GDPR)', clause: 'Articles 4(1) and 5(1)(c)' };
const range = (startMs: number, endMs: number) => ({ kind: 'timeRange' as const, startMs, endMs });

const film: SampleIssue[] = [
  {
    sidekick: 'flashes',
    ruleCode: 'PSE-LUMINANCE',
    severity: 'CRITICAL',
    summary:
      'From 0:24.5 to 0:28.2 the picture flashes up to 6½ times within a second, over 61.4 % of the screen. Slow it down, soften it or make it smaller.',
    severityReasoningHeadline:
      'More than three bright flashes within a second can cause seizures in people with photosensitive epilepsy.',
    severityReasoning: `13 alternating transitions within a second, limit 6; together over 61.4 % of the screen, limit 25 % (${engine}; photosensitivity 1.0.0)`,
    measured: 13,
    limit: 6,
    unit: 'transitions/s',
    standard: threeFlashes,
    locations: [
      { kind: 'region', startMs: 24_500, endMs: 28_200, box: { x: 0.12, y: 0.08, width: 0.74, height: 0.83 } },
    ],
    stillsAtMs: [24_500, 26_120, 28_200],
    precedents: [
      {
        title: 'ASA Ruling on Citroen UK Ltd (A11-164759)',
        decision: 'Upheld',
        date: '2012',
        url: 'https://www.asa.org.uk/rulings/citroen-uk-ltd-a11-164759.html',
      },
    ],
  },
  {
    sidekick: 'loudness',
    ruleCode: 'LOUD-INTEGRATED-HIGH',
    severity: 'MAJOR',
    summary:
      'The programme is 5.4 LU too loud: −17.6 LUFS instead of −23.0, loudest around 0:33.1. A gain of −5.4 dB puts it on target.',
    severityReasoningHeadline:
      'It is louder than what is shown before and after it; broadcasters turn it down or send it back.',
    severityReasoning: `Integrated loudness −17.6 LUFS; EBU R 128 (version 4.0, 2020), Recommendations d, e and i, asks for −23.0 ±1 LU, and ±0.2 LU between meters (${engine}; loudness 1.0.0)`,
    measured: -17.6,
    limit: -22,
    unit: 'LUFS',
    standard: r128,
    locations: [range(31_600, 34_600)],
  },
  {
    sidekick: 'loudness',
    ruleCode: 'LOUD-TRUE-PEAK',
    severity: 'MAJOR',
    summary:
      'The highest peak, 0.8 dBTP on the left channel at 0:33.4, is 1.8 dB above the limit of −1.0 dBTP. Limit the peaks with a true-peak limiter.',
    severityReasoningHeadline: 'Peaks this high distort in converters and codecs further down the line.',
    severityReasoning: `Maximum true peak 0.8 dBTP; EBU R 128 allows −1.0 dBTP, and meters may read 0.2 dB too high (${engine}; loudness 1.0.0)`,
    measured: 0.8,
    limit: -1,
    unit: 'dBTP',
    standard: r128,
    locations: [range(33_400, 33_500)],
  },
  {
    sidekick: 'quality',
    ruleCode: 'QC-BLACK',
    severity: 'MAJOR',
    status: 'AWAITING_HUMAN_INPUT',
    summary: 'The picture is black for 2.8 s, from 0:47.0 to 0:49.8.',
    severityReasoningHeadline:
      'The picture is black for longer than the house allows: viewers think that it has failed.',
    severityReasoning: `2.80 s in which 98 % of the picture is at most 10 % bright; limit 2 s (${engine}; qc-picture-sound 1.0.0)`,
    confidence: 0.7,
    measured: 2.8,
    limit: 2,
    unit: 's',
    locations: [range(47_000, 49_800)],
    stillsAtMs: [48_400],
  },
  {
    sidekick: 'captions',
    ruleCode: 'CAPT-TOO-FAST',
    severity: 'MAJOR',
    summary: 'Captions 14 to 21 run at up to 246 words a minute. Shorten the text, or let it stand longer.',
    severityReasoningHeadline: 'Captions at this speed are hard to follow.',
    severityReasoning: '246 words a minute, where 200 are the most (captions 1.0.0)',
    measured: 246,
    limit: 200,
    unit: 'words/min',
    locations: [
      {
        ...range(52_100, 58_900),
        kind: 'text',
        text: 'Terms apply. Offer ends when stocks do. See the site for all conditions.',
      },
      range(71_300, 72_400),
      range(76_000, 77_200),
    ],
  },
  {
    sidekick: 'quality',
    ruleCode: 'QC-SILENCE',
    severity: 'MINOR',
    status: 'ACKNOWLEDGED',
    summary: 'There is no sound for 4.2 s, from 1:01.2 to 1:05.4.',
    severityReasoningHeadline: 'There is no sound for longer than the house allows.',
    severityReasoning: `4.20 s below −60 dBFS; limit 3 s (${engine}; qc-picture-sound 1.0.0)`,
    measured: 4.2,
    limit: 3,
    unit: 's',
    locations: [range(61_200, 65_400)],
    statusNote: 'Meant so: the pause before the pack shot. Cleared with the agency on 11 November.',
    statusChangedAt: '2026-11-12T10:05:00.000Z',
  },
  {
    sidekick: 'captions',
    ruleCode: 'CAPT-LINES',
    severity: 'MINOR',
    summary: 'Caption 9 has 3 lines. Split the text over more captions.',
    severityReasoningHeadline: 'A caption of so many lines covers the picture and takes long to read.',
    severityReasoning: '3 lines, where 2 are the most (captions 1.0.0)',
    measured: 3,
    limit: 2,
    unit: 'lines',
    locations: [range(36_200, 38_000)],
  },
  {
    sidekick: 'quality',
    ruleCode: 'QC-LEVELS',
    severity: 'MINOR',
    status: 'DISMISSED',
    summary: 'Up to 1.8 % of the picture lies outside the levels that broadcast equipment passes, in 3 places.',
    severityReasoningHeadline: 'Colours or brightness lie where broadcast equipment clips them.',
    severityReasoning: `1.80 % of the picture beyond 5 to 246 of 255; limit 1 % (${engine}; qc-picture-sound 1.0.0)`,
    confidence: 0.8,
    measured: 1.8,
    limit: 1,
    unit: '% of the picture',
    standard: { name: 'EBU R 103 (version 3.0, 2020)', clause: 'Annex 1' },
    locations: [range(4200, 5100), range(11_000, 12_700), range(84_000, 89_900)],
    statusNote: 'Web only.',
    statusChangedAt: '2026-11-12T10:07:00.000Z',
  },
  {
    sidekick: 'privacy',
    ruleCode: 'META-EDITOR',
    severity: 'INFO',
    summary: 'The file names the program and the workplace on which it was made (QuickTime:Software).',
    severityReasoningHeadline: 'The file names who worked on it.',
    severityReasoning: '1 tag (metadata-privacy 1.0.0)',
    measured: 1,
    limit: 0,
    unit: 'tags',
  },
];

const picture: SampleIssue[] = [
  {
    sidekick: 'privacy',
    ruleCode: 'META-POSITION',
    severity: 'MAJOR',
    summary:
      'The file says exactly where it was made: near 48.137, 11.575 (EXIF:GPSLatitude, EXIF:GPSLongitude). Remove it: exiftool -gps:all= FILE.',
    severityReasoningHeadline: 'The file tells to within a house or a street where it was made.',
    severityReasoning:
      'A position with 6 decimals of a degree in 2 tags; from 4 on it is a house or a street. (exiftool 12.57; metadata-privacy 1.0.0)',
    measured: 6,
    limit: 3,
    unit: 'decimals',
    standard: personalData,
  },
  {
    sidekick: 'privacy',
    ruleCode: 'META-THUMBNAIL',
    severity: 'MAJOR',
    status: 'AWAITING_HUMAN_INPUT',
    summary: 'The thumbnail in the file shows something other than the picture.',
    severityReasoningHeadline: 'The thumbnail may still show what was cut out of the picture or covered.',
    severityReasoning:
      'Correlation 0.41 of picture and thumbnail, where the same picture has more than 0.9 (metadata-privacy 1.0.0)',
    confidence: 0.6,
    measured: 0.41,
    limit: 0.9,
    unit: 'correlation',
    locations: [{ kind: 'region', box: { x: 0.55, y: 0.1, width: 0.3, height: 0.42 } }],
    stillsAtMs: [null],
  },
];

const document: SampleIssue[] = [
  {
    sidekick: 'safety',
    ruleCode: 'SAFE-PDF-JAVASCRIPT',
    severity: 'MAJOR',
    summary: 'The PDF contains 2 scripts.',
    severityReasoningHeadline: 'The document runs scripts on the reader’s machine.',
    severityReasoning: 'Met 2 times among 148 objects and their object streams. (file-safety 1.0.0)',
    measured: 2,
    limit: 0,
    unit: 'occurrences',
    standard: { name: 'ISO 32000-1:2008', clause: '12.6.4.16' },
    locations: [
      { kind: 'page', page: 1 },
      { kind: 'page', page: 4, box: { x: 0.1, y: 0.7, width: 0.4, height: 0.08 } },
    ],
  },
];

export const sampleIssues = { film, picture, document };
