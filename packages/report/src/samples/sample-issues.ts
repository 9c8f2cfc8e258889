import type { Issue } from '@assay/sdk';
import { rules as captions } from '@assay/sidekicks/checks/captions/rules.ts';
import { rules as safety } from '@assay/sidekicks/checks/file-safety/rules.ts';
import { rules as loudness } from '@assay/sidekicks/checks/loudness/rules.ts';
import { correlationMin } from '@assay/sidekicks/checks/metadata-privacy/judge-thumbnail.ts';
import { preciseDecimalsMin } from '@assay/sidekicks/checks/metadata-privacy/positions.ts';
import { rules as privacy } from '@assay/sidekicks/checks/metadata-privacy/rules.ts';
import { rules as flashes } from '@assay/sidekicks/checks/photosensitivity/rules.ts';
import { rules as quality } from '@assay/sidekicks/checks/qc-picture-sound/rules.ts';
import { builtInProfile, originOfBuiltIn } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { citeLimits } from '@assay/sidekicks/profiles/cite-limits.ts';
import type { Rule } from '@assay/sidekicks/sidekick/sidekick.ts';
import type { sampleIds } from './sample-sidekicks.ts';

type SidekickName = Exclude<keyof typeof sampleIds, 'spec'>;

/** The members of a sample issue that are specific to it; `sample-report.ts` adds the others. */
export type SampleIssue = Pick<
  Issue,
  'ruleCode' | 'severity' | 'summary' | 'severityReasoning' | 'severityReasoningHeadline'
> &
  Partial<Issue> & { sidekick: SidekickName; stillsAtMs?: (number | null)[] };

// Severity, headline, standard and limits come from the checks. The other texts imitate those of the checks.
const ruleTables: Record<SidekickName, Record<string, Rule>> = {
  captions,
  flashes,
  loudness,
  privacy,
  quality,
  safety,
};
const applied = { profile: builtInProfile('ebu-r128', 2), origin: originOfBuiltIn('ebu-r128', 2) };
const { limits } = applied.profile;
const { target, toleranceAboveLu: toleranceLu, truePeakMaxDb, truePeakMeterToleranceDb } = limits.loudness;
const ffmpeg = 'ffmpeg 5.1.9';

function issueOf(
  sidekick: SidekickName,
  ruleCode: string,
  given: Pick<SampleIssue, 'summary' | 'severityReasoning'> & Partial<SampleIssue>,
): SampleIssue {
  const rule = ruleTables[sidekick][ruleCode];
  if (!rule) throw new Error(`there is no rule ${ruleCode}`);
  const { severity, headline, standard, precedents } = rule;
  return {
    sidekick,
    ruleCode,
    severity,
    severityReasoningHeadline: headline,
    standard: rule.limits ? citeLimits(rule.limits, applied) : standard,
    precedents: [...precedents],
    ...given,
  };
}

const range = (startMs: number, endMs: number) => ({ kind: 'timeRange' as const, startMs, endMs });

const videoIssues: SampleIssue[] = [
  issueOf('flashes', 'PSE-LUMINANCE', {
    summary:
      'From 00:00:24:12 to 00:00:28:05, the video flashes up to 6½ times within a second, on 61.4 % of the screen. Reduce the rate, the contrast or the area of the flashes.',
    severityReasoning: `13 opposing changes within a second (limit 6), on 61.4 % of the screen (limit 25.0 %) (${ffmpeg}; photosensitivity 1.1.0, every pixel of 1920 × 1080)`,
    measured: 13,
    limit: 6,
    unit: 'transitions/s',
    locations: [
      { kind: 'region', startMs: 24_500, endMs: 28_200, box: { x: 0.12, y: 0.08, width: 0.74, height: 0.83 } },
    ],
    stillsAtMs: [24_500, 26_120, 28_200],
  }),
  issueOf('loudness', 'LOUD-INTEGRATED-HIGH', {
    summary:
      'Integrated loudness is −17.6 LUFS (allowed: −23.0 ±0.2 LU), loudest around 00:00:33:02. Apply a gain of −5.4 dB to reach the target.',
    severityReasoning: `Integrated loudness −17.6 LUFS; allowed −23.0 ±0.2 LU (${ffmpeg}; loudness 1.0.0); limit of EBU R 128 (version 4.0, 2020), Programme loudness, tolerance of QC measurements (not read in the original)`,
    measured: -17.6,
    limit: Number(target) + toleranceLu,
    unit: 'LUFS',
    locations: [range(31_600, 34_600)],
  }),
  issueOf('loudness', 'LOUD-TRUE-PEAK', {
    summary:
      'True peak is +0.8 dBTP in the left channel at 00:00:33:10 (limit −1.0 dBTP, +0.2 dB meter tolerance). Limit true peaks to −1.0 dBTP.',
    severityReasoning: `Maximum true peak +0.8 dBTP; limit −1.0 dBTP, +0.2 dB meter tolerance (${ffmpeg}; loudness 1.0.0); limit of EBU R 128 (version 4.0, 2020), Maximum true peak level (not read in the original)`,
    measured: 0.8,
    limit: truePeakMaxDb + truePeakMeterToleranceDb,
    unit: 'dBTP',
    locations: [range(33_400, 33_500)],
  }),
  issueOf('quality', 'QC-BLACK', {
    summary:
      'Video is black for 2.80 s from 00:00:47:00 to 00:00:49:20 (limit 2.00 s). Shorten or replace the section.',
    severityReasoning: `At least 98.0 % of the frame is at or below 10.0 % brightness for 2.80 s; limit 2.00 s (${ffmpeg}; qc-picture-sound 1.0.0)`,
    measured: 2.8,
    limit: limits.qcPictureSound.blackSecondsMax,
    unit: 's',
    locations: [range(47_000, 49_800)],
    stillsAtMs: [48_400],
  }),
  issueOf('captions', 'CAPT-TOO-FAST', {
    summary:
      '4 captions from 00:00:52:02 to 00:00:58:22 in track 3 (eng) run at up to 246 words per minute (limit 200). Shorten the text or extend the display time.',
    severityReasoning: '246 words per minute; limit 200 (ffprobe 5.1.9; captions 1.0.0)',
    measured: 246,
    limit: limits.captions.wordsPerMinuteMajor,
    unit: 'words/min',
    locations: [{ ...range(52_100, 58_900), text: 'Terms apply. Offer ends when stocks do.' }],
  }),
  issueOf('quality', 'QC-FREEZE', {
    status: 'AWAITING_HUMAN_INPUT',
    summary:
      'Video is frozen for 6.00 s from 00:01:24:00 to 00:01:30:00 (limit 5.00 s). Replace the section unless the still is intended.',
    severityReasoning: `The difference between frames stays below −60.0 dB for 6.00 s; limit 5.00 s (${ffmpeg}; qc-picture-sound 1.0.0)`,
    confidence: 0.5,
    measured: 6,
    limit: limits.qcPictureSound.freezeSecondsMax,
    unit: 's',
    locations: [range(84_000, 90_000)],
    stillsAtMs: [87_000],
  }),
  issueOf('captions', 'CAPT-LINES', {
    status: 'ACKNOWLEDGED',
    summary: 'The caption at 00:00:36:05 in track 3 (eng) has 3 lines (limit 2). Split the text over more captions.',
    severityReasoning: '3 lines; limit 2 (ffprobe 5.1.9; captions 1.0.0)',
    measured: 3,
    limit: limits.captions.linesMax,
    unit: 'lines',
    locations: [{ ...range(36_200, 38_000), text: 'Every morning / the first light / is yours.' }],
    statusReason: 'fix_required',
    statusNote: 'The subtitler splits it for version 4.',
    statusChangedAt: '2026-11-12T10:04:00.000Z',
  }),
  issueOf('quality', 'QC-SILENCE', {
    status: 'DISMISSED',
    summary:
      'Audio is silent for 4.20 s from 00:01:01:05 to 00:01:05:10 (limit 3.00 s). Restore the audio unless the silence is intended.',
    severityReasoning: `No channel above −60.0 dBFS for 4.20 s; limit 3.00 s (${ffmpeg}; qc-picture-sound 1.0.0)`,
    confidence: 0.5,
    measured: 4.2,
    limit: limits.qcPictureSound.silenceSecondsMax,
    unit: 's',
    locations: [range(61_200, 65_400)],
    statusReason: 'creative_intent',
    statusNote: 'The pause before the pack shot. Cleared with the agency on 11 November.',
    statusChangedAt: '2026-11-12T10:05:00.000Z',
  }),
  issueOf('quality', 'QC-LEVELS', {
    status: 'DISMISSED',
    summary:
      'Levels are above 246 in up to 1.8 % of the frame (limit 1.0 %) from 00:00:11:00 and in 2 more sections. Correct the levels in grading or with a legaliser.',
    severityReasoning: `RGB reaches 251 (allowed: 5 to 246); 1.8 % of the frame is outside at 00:00:12:04, limit 1.0 % (${ffmpeg}; qc-picture-sound 1.0.0)`,
    measured: 1.8,
    limit: limits.qcPictureSound.levelShareMax * 100,
    unit: '% of the frame',
    locations: [range(4200, 5100), range(11_000, 12_700), range(74_000, 78_000)],
    statusReason: 'risk_accepted',
    statusNote: 'Web only.',
    statusChangedAt: '2026-11-12T10:07:00.000Z',
  }),
  issueOf('privacy', 'META-UNIQUE-ID', {
    summary:
      'Contains an identifier that other versions of this file share: ‘…7e1’ (XMP-xmpMM:DocumentID). Remove this metadata: exiftool -XMP-xmpMM:DocumentID= FILE.',
    severityReasoning: 'Found in 1 tag (ExifTool 12.57, ffprobe 5.1.9; metadata-privacy 1.0.0)',
    measured: 1,
    limit: 0,
    unit: 'tags',
  }),
];

const imageIssues: SampleIssue[] = [
  issueOf('privacy', 'META-POSITION', {
    summary:
      'Contains precise GPS coordinates (near 48.1, 11.6) in GPS:GPSLatitude, GPS:GPSLongitude. Remove this metadata: exiftool -GPS:GPSLatitude= -GPS:GPSLongitude= FILE.',
    severityReasoning:
      'Coordinates with 6 decimals in 2 tags; 3 or more decimals identify a building or a street (ExifTool 12.57; metadata-privacy 1.0.0)',
    measured: 6,
    limit: preciseDecimalsMin - 1,
    unit: 'decimals',
  }),
  issueOf('privacy', 'META-THUMBNAIL', {
    status: 'AWAITING_HUMAN_INPUT',
    summary:
      'The 160 × 107 thumbnail (ThumbnailImage) differs from the image and may show what was cropped or covered. Remove it: exiftool -ThumbnailImage= FILE.',
    severityReasoning:
      'Correlation 0.41 (minimum 0.95); 38.2 % of the image differs clearly (limit 0.8 %) (ExifTool 12.57; metadata-privacy 1.0.0)',
    confidence: 0.5,
    measured: 0.41,
    limit: correlationMin,
    unit: 'correlation',
    // The check reports no region; this one shows how a report outlines it in an image.
    locations: [{ kind: 'region', box: { x: 0.55, y: 0.1, width: 0.3, height: 0.42 } }],
    stillsAtMs: [null],
  }),
];

const documentIssues: SampleIssue[] = [
  issueOf('safety', 'SAFE-PDF-JAVASCRIPT', {
    summary: 'The PDF contains 2 scripts. Export the PDF without scripts.',
    severityReasoning: '2 occurrences in 148 objects, including object streams (file-safety 1.0.0)',
    measured: 2,
    limit: 0,
    unit: 'occurrences',
    // The check reports no pages; these show how a report names them.
    locations: [
      { kind: 'page', page: 1 },
      { kind: 'page', page: 4, box: { x: 0.1, y: 0.7, width: 0.4, height: 0.08 } },
    ],
  }),
  issueOf('safety', 'SAFE-NOT-VERIFIED', {
    severity: 'MAJOR',
    status: 'AWAITING_HUMAN_INPUT',
    summary: 'The embedded file 2 is encrypted and was not checked. Remove its password, or check it by hand.',
    severityReasoning: '1 of 2 embedded files could not be read (file-safety 1.0.0)',
    confidence: 0.5,
  }),
];

export const sampleIssues = { video: videoIssues, image: imageIssues, document: documentIssues };
