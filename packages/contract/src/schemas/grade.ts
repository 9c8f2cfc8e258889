import { z } from 'zod';
import { meaning, severity } from './fields.ts';

export const grade = z.strictObject({
  beyond: z.number().min(0).max(1_000_000).meta({
    description: 'Distance of `measured` from `limit`, in the unit of the issue, from which this severity applies.',
  }),
  severity: meaning(severity, 'Severity of an issue at this distance or further.'),
});
export type Grade = z.infer<typeof grade>;
