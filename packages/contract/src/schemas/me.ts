import { z } from 'zod';
import { tiers } from '../limits.ts';
import { scopes } from '../rights.ts';
import { meaning, mode, workspaceId } from './fields.ts';

export const Me = z
  .object({
    workspaceId: meaning(workspaceId, 'The workspace of the API key.'),
    mode: meaning(mode, 'The kind of the API key: `live` for `sk_live_…`, `sandbox` for `sk_test_…`.'),
    tier: z.enum(tiers).meta({
      description: 'The plan of the workspace, which sets the rate limits. A sandbox key has those of `starter`.',
    }),
    keyPrefix: z.string().meta({ description: 'The first 12 characters of the API key in use, to tell keys apart.' }),
    keyId: z.uuid().meta({ description: 'ID of the API key, as decisions on issues record it.' }),
    keyName: z.string().nullable().meta({ description: 'Name of the API key; null if it has none.' }),
    keyExpiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the API key expires; null if it does not.', examples: ['2026-07-05T09:30:00.000Z'] }),
    scopes: z
      .array(z.enum(scopes))
      .meta({ description: 'What the API key may do. The description of each endpoint names its scope.' }),
    credits: z
      .object({
        used: z.int().meta({ description: 'Credits used so far: one for each live asset that was completed.' }),
      })
      .meta({ description: 'Usage of the workspace.' }),
    storage: z
      .object({
        files: z.int().meta({ description: 'Uploads whose files are kept, or may still arrive.' }),
        filesMax: z.int().nullable().meta({ description: 'The most files; null if there is no limit.' }),
        bytes: z.int().meta({
          description:
            'Their sizes together. An unfinished upload counts with its `sizeBytes`, and without it with the largest size of its category.',
        }),
        bytesMax: z.int().nullable().meta({ description: 'The most bytes; null if there is no limit.' }),
      })
      .meta({ description: 'What the workspace stores, and its quota.' }),
  })
  .meta({ id: 'Me' });
