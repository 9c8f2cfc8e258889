import { exampleCompletedAt, exampleProfileId, exampleTime } from '../examples.ts';
import { exampleDeliverySpec } from './delivery-spec-example.ts';

export const exampleLimits = {
  loudness: {
    standard: { name: 'EBU R 128 (version 4.0, 2020)', clause: 'Recommendations d, e and i' },
    scale: 'LUFS',
    target: -16,
    rangeWithoutTarget: { min: -30, max: -10 },
    toleranceAboveLu: 1,
    toleranceBelowLu: 1,
    meterToleranceLu: 0.2,
    truePeakMaxDb: -1,
    truePeakMeterToleranceDb: 0.2,
    shortForm: { secondsMax: 30, shortTermMaxLufs: -18 },
  },
  qcPictureSound: {
    blackSecondsMax: 2,
    freezeSecondsMax: 5,
    levelMin: 5,
    levelMax: 246,
    levelShareMax: 0.01,
    silenceSecondsMax: 3,
    endsApartSecondsMax: 0.5,
  },
  photosensitivity: { areas: ['341x256'], areaShareMax: 0.25 },
  captions: { wordsPerMinuteMinor: 180, wordsPerMinuteMajor: 200, linesMax: 2 },
  deliverySpec: Object.fromEntries(Object.keys(exampleDeliverySpec).map((name) => [name, null])) as {
    [Name in keyof typeof exampleDeliverySpec]: null;
  },
} as const;

export const exampleGeneral = {
  profileId: '4c0f6a52-7f0b-4d4b-9d2e-0c6f6f1c2a01',
  name: 'general',
  revision: 1,
} as const;

export const exampleProfileRequest = {
  name: 'our-podcasts',
  extends: { profile: 'general' },
  title: 'Our podcasts',
  description: 'Spoken word for our feeds.',
  limits: { loudness: { target: -16 } },
  rules: [
    { ruleCode: 'LOUD-TRUE-PEAK', severity: 'MAJOR' },
    {
      ruleCode: 'LOUD-INTEGRATED-HIGH',
      grades: [
        { beyond: 0, severity: 'MINOR' },
        { beyond: 2, severity: 'MAJOR' },
      ],
    },
  ],
  failOn: 'MAJOR',
  allowIncomplete: ['captions'],
  requireDismissalNote: true,
} as const;

export const exampleProfileSummary = {
  profileId: exampleProfileId,
  name: exampleProfileRequest.name,
  title: exampleProfileRequest.title,
  description: exampleProfileRequest.description,
  revision: 1,
  isBuiltIn: false,
  isDefault: false,
  extends: exampleGeneral,
  createdWith: 'live',
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

export const exampleProfile = {
  ...exampleProfileSummary,
  baseUpdate: null,
  limits: exampleProfileRequest.limits,
  rules: exampleProfileRequest.rules,
  resolved: {
    limits: exampleLimits,
    rules: exampleProfileRequest.rules,
    failOn: exampleProfileRequest.failOn,
    allowIncomplete: exampleProfileRequest.allowIncomplete,
    requireDismissalNote: exampleProfileRequest.requireDismissalNote,
  },
  sources: [],
} as const;

export const exampleProfileChange = {
  extends: { profile: 'general', revision: 1 },
  limits: { loudness: { target: -16, toleranceAboveLu: 2 } },
  rules: exampleProfileRequest.rules,
} as const;

export const exampleChangedProfile = {
  ...exampleProfile,
  revision: 2,
  limits: exampleProfileChange.limits,
  updatedAt: exampleCompletedAt,
} as const;

/** The example above has no values for the fields of `sources`. */
export const exampleSource = {
  pointer: '/limits/loudness/target',
  source: 'EBU R 128 (version 4.0, 2020), recommendation d',
  url: 'https://tech.ebu.ch/docs/r/r128.pdf',
  note: 'Read on 5 January 2026.',
  standard: { name: 'EBU R 128 (version 4.0, 2020)', clause: 'Programme loudness', isVerified: false },
} as const;

export const exampleBaseUpdate = { name: 'ebu-r128', revision: 1, latestRevision: 2 } as const;
