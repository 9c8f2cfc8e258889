import { z } from 'zod';

/** What a check can examine in a file. Clients accept others: more follow. */
export const coverageKinds = [
  ...(['video_stream', 'audio_stream', 'caption_track', 'frames', 'pages', 'entries', 'metadata'] as const),
  ...(['image', 'text', 'manifest', 'embedded_file'] as const),
] as const;
export type CoverageKind = (typeof coverageKinds)[number];

/** Why something was not examined. Clients accept others. */
export const notExaminedReasons = {
  damaged: 'it is damaged or incomplete',
  encrypted: 'it is encrypted',
  unsupported: 'this version cannot read it',
  limit_reached: 'a limit on size, number or time was reached',
  not_measurable: 'it has no measurable value',
} as const;
export type NotExaminedReason = keyof typeof notExaminedReasons;

const kind = z.string().meta({
  description: `What it is: ${coverageKinds.join(', ')}. Accept other values.`,
  examples: ['audio_stream'],
});
const label = z.string().meta({ description: 'Names it, for display.', examples: ['audio track 2 (fra)'] });

export const Coverage = z
  .object({
    examined: z
      .array(
        z.object({
          kind,
          label,
          quantity: z
            .number()
            .min(0)
            .nullable()
            .meta({
              description: 'How much was examined, in `unit`; null if it was not counted.',
              examples: [1500],
            }),
          unit: z
            .string()
            .nullable()
            .meta({
              description: 'Unit of `quantity`, such as `s` or `frames`; null if it was not counted.',
              examples: ['frames'],
            }),
        }),
      )
      .meta({ description: 'What the check examined.' }),
    notExamined: z
      .array(
        z.object({
          kind,
          label,
          reason: z.string().meta({
            description: `Why: ${Object.entries(notExaminedReasons)
              .map(([name, meaning]) => `\`${name}\` (${meaning})`)
              .join(', ')}. Accept other values.`,
            examples: ['damaged'],
          }),
          share: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .meta({
              description: 'The share that was not examined, from 0 to 1; null if it is not known.',
              examples: [0.25],
            }),
        }),
      )
      .meta({
        description: 'What the check should have examined and did not. Empty unless it is `incomplete`.',
        examples: [[{ kind: 'frames', label: 'frames that cannot be decoded', reason: 'damaged', share: 0.25 }]],
      }),
  })
  .meta({ id: 'Coverage', description: 'What a check examined, and what it did not.' });
export type Coverage = z.infer<typeof Coverage>;

/** What a check measured, whether or not it is an issue. Clients accept other quantities: more follow. */
export const measuredQuantities = ['integratedLoudness', 'shortTermLoudnessMax', 'truePeak'] as const;

export const exampleMeasuredValue = {
  quantity: 'integratedLoudness',
  label: 'audio',
  value: -23.1,
  unit: 'LUFS',
} as const;

export const MeasuredValue = z
  .object({
    quantity: z.string().meta({
      description: `What was measured: ${measuredQuantities.join(', ')}. Accept other values.`,
      examples: ['integratedLoudness'],
    }),
    label: z.string().meta({ description: 'What it was measured of, for display.', examples: ['audio track 1 (eng)'] }),
    value: z.number().meta({ description: 'The value in `unit`, not rounded for display.', examples: [-23.1] }),
    unit: z.string().meta({ description: 'Unit of the value.', examples: ['LUFS'] }),
  })
  .meta({ id: 'MeasuredValue', description: 'A value that a check measured, whether or not it is an issue.' });
export type MeasuredValue = z.infer<typeof MeasuredValue> & { quantity: (typeof measuredQuantities)[number] };
export type Examined = Coverage['examined'][number] & { kind: CoverageKind };
export type NotExamined = Coverage['notExamined'][number] & { kind: CoverageKind; reason: NotExaminedReason };

/**
 * `incomplete` if something was not examined. `not_applicable` if the file has nothing of the kind, or the delivery
 * profile sets nothing to compare with.
 */
export const checkOutcomes = ['ran', 'not_applicable', 'incomplete'] as const;
export type CheckOutcome = (typeof checkOutcomes)[number];
export const notApplicableReasons = ['nothing_in_file', 'nothing_in_profile'] as const;
export type NotApplicableReason = (typeof notApplicableReasons)[number];
