import { z } from 'zod';
import { tiers } from '../limits.ts';

export const Me = z
  .object({
    workspaceId: z.uuid(),
    mode: z.enum(['live', 'sandbox']),
    tier: z.enum(tiers),
    keyPrefix: z.string().meta({ description: 'The first characters of the API key in use.' }),
    credits: z.object({ used: z.int().meta({ description: 'Credits spent by this workspace so far.' }) }),
  })
  .meta({ id: 'Me' });
