import { z } from 'zod';
import { buckets, fieldErrorsMax } from './limits.ts';

/** RFC 9457, for every refusal except 402 and 429. `code` is part of the contract, `detail` is prose. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'Documentation of this error, as a path on this service.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })).optional(),
    errorsOmitted: z
      .int()
      .min(1)
      .optional()
      .meta({ description: `Number of errors left out: \`errors\` lists up to ${fieldErrorsMax}.` }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

// §7: the exact members, no more.
export const PlanRefusal = z
  .strictObject({
    error_code: z.literal('tier_not_authorized_for_integrations_api'),
    message: z.string(),
    bucket: z.enum(buckets),
  })
  .meta({ id: 'PlanRefusal' });
export type PlanRefusal = z.infer<typeof PlanRefusal>;

export const RateLimitRefusal = z.strictObject({ error: z.string() }).meta({ id: 'RateLimitRefusal' });
export type RateLimitRefusal = z.infer<typeof RateLimitRefusal>;
