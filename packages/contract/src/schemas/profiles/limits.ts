import { z } from 'zod';
import { meaning } from '../fields.ts';
import { Clause } from '../issue.ts';
import { flashAreaShareMin, flashAreas } from './built-in.ts';
import { DeliverySpecLimits } from './delivery-spec.ts';
import { exampleDeliverySpec } from './delivery-spec-example.ts';

const seconds = z.number().min(0).max(86_400);
const level = z.number().min(-70).max(0);

const LoudnessLimits = z.strictObject({
  standard: Clause.nullable().meta({
    description: 'The standard that the limits come from; null for none. Issues name it for limits that you change.',
  }),
  scale: z.enum(['LUFS', 'LKFS']).meta({ description: 'Name of the unit. Both are the same measure.' }),
  target: level.nullable().meta({ description: 'Target of integrated loudness; null for none.' }),
  rangeWithoutTarget: z
    .strictObject({
      min: meaning(level, 'Lowest loudness that is not reported.'),
      max: meaning(level, 'Highest loudness that is not reported.'),
    })
    .nullable()
    .meta({
      description:
        'Without a target, integrated loudness is reported if it is outside this range, to which no tolerance applies; null to report none. It has no effect beside a target.',
      examples: [{ min: -30, max: -10 }],
    }),
  toleranceAboveLu: z.number().min(0).max(70).meta({ description: 'Allowed deviation above the target, in LU.' }),
  toleranceBelowLu: z.number().min(0).max(70).meta({ description: 'Allowed deviation below the target, in LU.' }),
  meterToleranceLu: z.number().min(0).max(2).meta({
    description: 'Allowed difference between two compliant meters, in LU. It is added to the tolerances.',
  }),
  truePeakMaxDb: z.number().min(-30).max(20).meta({ description: 'Highest true peak, in dBTP.' }),
  truePeakMeterToleranceDb: z.number().min(0).max(2).meta({
    description: 'Allowed difference between two compliant meters of true peak, in dB.',
  }),
  shortForm: z
    .strictObject({
      secondsMax: seconds.meta({ description: 'Content up to this length is short-form, in seconds.' }),
      shortTermMaxLufs: z.number().min(-70).max(0).meta({ description: 'Highest short-term loudness (3 s).' }),
    })
    .nullable()
    .meta({ description: 'Limit of short-term loudness for short content such as advertisements; null for none.' }),
});

const QcPictureSoundLimits = z.strictObject({
  blackSecondsMax: seconds.meta({ description: 'Longest black section, in seconds.' }),
  freezeSecondsMax: seconds.meta({ description: 'Longest frozen section, in seconds.' }),
  levelMin: z.number().min(0).max(255).meta({ description: 'Lowest legal level, on the scale of 8 bits.' }),
  levelMax: z.number().min(0).max(255).meta({ description: 'Highest legal level, on the scale of 8 bits.' }),
  levelShareMax: z.number().min(0).max(1).meta({ description: 'Share of the frame that may be outside, from 0 to 1.' }),
  silenceSecondsMax: seconds.meta({ description: 'Longest silence, in seconds.' }),
  endsApartSecondsMax: seconds.meta({
    description: 'Allowed difference between the end of the video and the end of the audio, in seconds.',
  }),
});

const PhotosensitivityLimits = z.strictObject({
  areas: z.array(z.enum(flashAreas)).min(1).max(flashAreas.length).meta({
    description: 'Areas whose flashing share is limited: the screen, or any window of this size in pixels.',
  }),
  areaShareMax: z
    .number()
    .min(flashAreaShareMin)
    .max(1)
    .meta({
      description: `Share of an area from which flashing counts, from ${flashAreaShareMin} to 1. The standards say 0.25.`,
    }),
});

const CaptionLimits = z.strictObject({
  wordsPerMinuteMinor: z.number().min(1).max(10_000).meta({ description: 'Reading speed that is too fast.' }),
  wordsPerMinuteMajor: z.number().min(1).max(10_000).meta({ description: 'Reading speed that is far too fast.' }),
  linesMax: z.int().min(1).max(20).meta({ description: 'Most lines of a caption.' }),
});

/** The limits with which sidekicks compare their measurements, in one group per sidekick. */
const groups = {
  loudness: LoudnessLimits.meta({ description: 'Limits of the check Loudness.' }),
  qcPictureSound: QcPictureSoundLimits.meta({ description: 'Limits of the check Video and audio quality.' }),
  photosensitivity: PhotosensitivityLimits.meta({ description: 'Limits of the check Photosensitivity.' }),
  captions: CaptionLimits.meta({ description: 'Limits of the check Captions.' }),
  deliverySpec: DeliverySpecLimits.meta({
    description: 'Expectations of the check Delivery specification.',
    examples: [exampleDeliverySpec],
  }),
};

export const Limits = z.object(groups).meta({ id: 'Limits', description: 'Every limit of a delivery profile.' });
export type Limits = z.infer<typeof Limits>;

/** The limits that a profile changes. Limits that are absent or null are inherited. */
export const LimitChanges = z
  .strictObject({
    loudness: changesOf(groups.loudness),
    qcPictureSound: changesOf(groups.qcPictureSound),
    photosensitivity: changesOf(groups.photosensitivity),
    captions: changesOf(groups.captions),
    deliverySpec: changesOf(groups.deliverySpec),
  })
  .meta({ id: 'LimitChanges', description: 'The limits that differ from the extended profile.' });
export type LimitChanges = { [Group in keyof Limits]?: Partial<Limits[Group]> | null };

function changesOf(group: z.ZodObject) {
  const members = Object.entries(group.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    return [name, schema.nullish().meta({ description: schema.meta()?.description })] as const;
  });
  return z
    .strictObject(Object.fromEntries(members))
    .nullish()
    .meta(group.meta() ?? {});
}
