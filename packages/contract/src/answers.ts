import { z } from 'zod';
import { buckets, fieldErrorsMax } from './limits.ts';
import { problemTypeOf, refusals } from './refusals.ts';

/** The RFC 9457 body of every refusal except 402 and 429. Callers can rely on `code`; `detail` is for humans. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'Documentation of this error, as a path on this service.' }),
    title: z.string().meta({ description: 'The error in a few words. The same for every response with this `code`.' }),
    status: z.int().meta({ description: 'HTTP status of the response.' }),
    detail: z.string().meta({ description: 'What happened and what to do, for humans. The text may change.' }),
    instance: z.string().meta({ description: 'Path of the request, without the query.' }),
    code: z.string().meta({ description: 'Identifies the error. It is stable: base decisions in your code on it.' }),
    requestId: z.string().meta({
      description: 'ID of the request, also in `X-Request-Id`. Quote it when you report a problem.',
    }),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({
            description:
              'JSON Pointer (RFC 6901) to the field in the body, or to the parameter by its name. Empty for the whole body.',
          }),
          code: z.string().meta({ description: 'What is wrong with the field, as a code.' }),
          detail: z.string().meta({ description: 'What is wrong with the field and what is accepted, for humans.' }),
        }),
      )
      .optional()
      .meta({ description: 'The fields that are not accepted. Absent if the error is not about fields.' }),
    errorsOmitted: z
      .int()
      .min(1)
      .optional()
      .meta({
        description: `Number of errors left out: \`errors\` lists up to ${fieldErrorsMax}. Absent if it lists all.`,
        examples: [12],
      }),
  })
  .meta({
    id: 'Problem',
    description: 'An error (RFC 9457), for every status except 402 and 429.',
    examples: [
      {
        type: problemTypeOf('validation_failed'),
        title: refusals.validation_failed.title,
        status: refusals.validation_failed.status,
        detail: refusals.validation_failed.detail,
        instance: '/api/integrations/uploads/url',
        code: 'validation_failed',
        requestId: '0190a5c4-88a1-7d31-9d0b-6f5c1c6a2b7e',
        errors: [
          {
            pointer: '/fileName',
            code: 'unknown_member',
            detail: 'Unknown field: fileName. Did you mean filename?',
          },
        ],
      },
    ],
  });
export type Problem = z.infer<typeof Problem>;

// §7: exactly these members.
export const PlanRefusal = z
  .strictObject({
    error_code: z.literal('tier_not_authorized_for_integrations_api').meta({ description: 'Identifies the error.' }),
    message: z.string().meta({ description: 'What happened and what to do, for humans.' }),
    bucket: z.enum(buckets).meta({ description: 'Rate-limit bucket of the endpoint.' }),
  })
  .meta({
    id: 'PlanRefusal',
    description: 'Response 402: the plan of the workspace does not include the API.',
    examples: [
      {
        error_code: 'tier_not_authorized_for_integrations_api',
        message:
          'The plan of this workspace does not include the integrations API. Ask your operator for another plan.',
        bucket: 'upload',
      },
    ],
  });
export type PlanRefusal = z.infer<typeof PlanRefusal>;

export const RateLimitRefusal = z
  .strictObject({
    error: z.string().meta({
      description: 'What happened, for humans. The seconds to wait are in the `Retry-After` header.',
    }),
  })
  .meta({
    id: 'RateLimitRefusal',
    description: 'Response 429: the rate limit of the bucket is exceeded.',
    examples: [{ error: 'Too many requests. Retry in 12 s.' }],
  });
export type RateLimitRefusal = z.infer<typeof RateLimitRefusal>;
