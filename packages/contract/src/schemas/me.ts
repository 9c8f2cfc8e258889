import { z } from 'zod';
import { tiers } from '../limits.ts';
import { meaning, mode, workspaceId } from './fields.ts';

export const Me = z
  .object({
    workspaceId: meaning(workspaceId, 'The workspace of the API key.'),
    mode: meaning(mode, 'The kind of the API key: `live` for `sk_live_…`, `sandbox` for `sk_test_…`.'),
    tier: z.enum(tiers).meta({
      description: 'The plan of the workspace, which sets the rate limits. A sandbox key has those of `starter`.',
    }),
    keyPrefix: z.string().meta({ description: 'The first 12 characters of the API key in use, to tell keys apart.' }),
    credits: z
      .object({
        used: z.int().meta({ description: 'Credits used so far: one for each live asset that was completed.' }),
      })
      .meta({ description: 'Usage of the workspace.' }),
  })
  .meta({ id: 'Me' });
