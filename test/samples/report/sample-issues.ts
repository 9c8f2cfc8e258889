import type { Issue } from '@assay/sdk';
import type { sampleIds } from './sample-sidekicks.ts';

/** The distinctive members of a sample issue; `sample-report.ts` adds the rest. */
export type SampleIssue = Pick<
  Issue,
  'ruleCode' | 'severity' | 'summary' | 'severityReasoning' | 'severityReasoningHeadline'
> &
  Partial<Issue> & { sidekick: keyof typeof sampleIds; stillsAtMs?: (number | null)[] };

const engine = 'ffmpeg 5.1.6; 1920 × 1080, 25 fps';
const threeFlashes = { name: 'WCAG 2.2', clause: 'SC 2.3.1 Three Flashes or Below Threshold' };
const r128 = { name: 'EBU R 128 (version 4.0, 2020)', clause: 'Recommendations d, e and i' };
const personalData = { name: 'Regulation (EU) 2016/679 (GDPR)', clause: 'Articles 4(1) and 5(1)(c)' };
const range = (startMs: number, endMs: number) => ({ kind: 'timeRange' as const, startMs, endMs });

const video: SampleIssue[] = [
  {
    sidekick: 'flashes',
    ruleCode: 'PSE-LUMINANCE',
    severity: 'CRITICAL',
    summary:
      'Up to 6.5 flashes per second over 61.4 % of the frame, from 0:24.50 to 0:28.20. Slow the flashes down, reduce their contrast or make them smaller.',
    severityReasoningHeadline:
      'More than three flashes per second can cause seizures in people with photosensitive epilepsy.',
    severityReasoning: `13 luminance transitions per second (limit: 6) over 61.4 % of the frame (limit: 25.0 %) (${engine}; photosensitivity 1.0.0)`,
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
    summary: '5.4 LU too loud: −17.6 LUFS instead of −23.0 LUFS, loudest around 0:33.10. Apply a gain of −5.4 dB.',
    severityReasoningHeadline: 'Louder than other programmes: broadcasters turn it down or reject it.',
    severityReasoning: `Integrated loudness −17.6 LUFS; target −23.0 ±1.2 LU (EBU R 128: ±1.0 LU, and ±0.2 LU for differences between meters) (${engine}; loudness 1.0.0)`,
    measured: -17.6,
    limit: -21.8,
    unit: 'LUFS',
    standard: r128,
    locations: [range(31_600, 34_600)],
  },
  {
    sidekick: 'loudness',
    ruleCode: 'LOUD-TRUE-PEAK',
    severity: 'MAJOR',
    summary:
      'True peak 0.8 dBTP on the left channel at 0:33.40, 1.8 dB above the limit of −1.0 dBTP. Apply a true-peak limiter.',
    severityReasoningHeadline: 'Peaks this high distort in converters and codecs.',
    severityReasoning: `Maximum true peak 0.8 dBTP; limit −1.0 dBTP, with 0.2 dB tolerance between meters (${engine}; loudness 1.0.0)`,
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
    summary: 'Black video for 2.80 s, from 0:47.00 to 0:49.80.',
    severityReasoningHeadline:
      'Black for longer than the delivery profile allows: viewers may think playback has failed.',
    severityReasoning: `2.80 s in which 98.0 % of the frame is darker than 10.0 %; limit 2.00 s (${engine}; qc-picture-sound 1.0.0)`,
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
    summary: 'Captions 14 to 21 reach 246 words per minute. Shorten the text or show it longer.',
    severityReasoningHeadline: 'Captions at this speed are hard to read.',
    severityReasoning: '246 words per minute; limit 200 (captions 1.0.0)',
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
    summary: 'No audio for 4.20 s, from 1:01.20 to 1:05.40.',
    severityReasoningHeadline: 'Silent for longer than the delivery profile allows.',
    severityReasoning: `4.20 s below −60.0 dBFS; limit 3.00 s (${engine}; qc-picture-sound 1.0.0)`,
    measured: 4.2,
    limit: 3,
    unit: 's',
    locations: [range(61_200, 65_400)],
    statusNote: 'Intended: the pause before the pack shot. Cleared with the agency on 11 November.',
    statusChangedAt: '2026-11-12T10:05:00.000Z',
  },
  {
    sidekick: 'captions',
    ruleCode: 'CAPT-LINES',
    severity: 'MINOR',
    summary: 'Caption 9 has 3 lines. Split the text over more captions.',
    severityReasoningHeadline: 'A caption with this many lines covers too much of the frame.',
    severityReasoning: '3 lines; limit 2 (captions 1.0.0)',
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
    summary: 'Up to 1.8 % of the frame exceeds the broadcast levels, at 3 times.',
    severityReasoningHeadline: 'Broadcast equipment clips these levels.',
    severityReasoning: `1.8 % of the frame outside RGB 5 to 246; limit 1.0 % (${engine}; qc-picture-sound 1.0.0)`,
    confidence: 0.8,
    measured: 1.8,
    limit: 1,
    unit: '% of the frame',
    standard: { name: 'EBU R 103 (version 3.0, 2020)', clause: 'Annex 1' },
    locations: [range(4200, 5100), range(11_000, 12_700), range(84_000, 89_900)],
    statusNote: 'Web only.',
    statusChangedAt: '2026-11-12T10:07:00.000Z',
  },
  {
    sidekick: 'privacy',
    ruleCode: 'META-EDITOR',
    severity: 'INFO',
    summary: 'The metadata names the software that created the file (QuickTime:Software).',
    severityReasoningHeadline: 'Metadata can reveal who worked on a file, and with what.',
    severityReasoning: '1 tag (metadata-privacy 1.0.0)',
    measured: 1,
    limit: 0,
    unit: 'tags',
  },
];

const image: SampleIssue[] = [
  {
    sidekick: 'privacy',
    ruleCode: 'META-POSITION',
    severity: 'MAJOR',
    summary:
      'Contains precise GPS coordinates, near 48.1, 11.6 (EXIF:GPSLatitude, EXIF:GPSLongitude). Remove them: exiftool -gps:all= FILE.',
    severityReasoningHeadline: 'The coordinates identify a house or a street.',
    severityReasoning:
      'Coordinates with 6 decimals of a degree in 2 tags; limit 3 decimals (exiftool 12.57; metadata-privacy 1.0.0)',
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
    summary: 'The embedded thumbnail differs from the image.',
    severityReasoningHeadline: 'The thumbnail may show what was cropped or covered in the image.',
    severityReasoning:
      'Correlation of image and thumbnail 0.41; at least 0.9 for the same image (metadata-privacy 1.0.0)',
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
    severityReasoningHeadline: 'The document can run scripts on the reader’s computer.',
    severityReasoning: '2 occurrences in 148 objects, including object streams (file-safety 1.0.0)',
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

export const sampleIssues = { video, image, document };
