import { z } from 'zod';
import { Standard } from './issue.ts';
import { assetBytesMax, type Category } from './limits.ts';
import { pageMembers } from './page.ts';
import { severities } from './severity.ts';

export const categories = Object.keys(assetBytesMax) as [Category, ...Category[]];

export const SidekickDescription = z
  .object({
    sidekickId: z.uuid(),
    name: z.string(),
    shortName: z.string().meta({
      description:
        'A stable name such as `loudness`. The command line and the SDK take it in place of the id; `sidekickIds` takes ids only.',
    }),
    version: z.string(),
    description: z.string(),
    appliesTo: z.array(z.enum(categories)),
    isDefault: z.boolean().meta({ description: 'Whether it runs when a submission names no sidekicks.' }),
    rules: z.array(
      z.object({
        ruleCode: z.string(),
        headline: z.string(),
        severity: z.enum(severities),
        standard: Standard.nullable(),
      }),
    ),
  })
  .meta({ id: 'Sidekick' });

export const SidekickList = z
  .object({ sidekicks: z.array(SidekickDescription), ...pageMembers })
  .meta({ id: 'SidekickList' });
