import { z } from 'zod';
import { assetBytesMax, type Category } from '../limits.ts';
import { Standard } from './issue.ts';
import { pageMembers } from './page.ts';
import { severities } from './severity.ts';

export const categories = Object.keys(assetBytesMax) as [Category, ...Category[]];

export const SidekickDescription = z
  .object({
    sidekickId: z.uuid(),
    name: z.string(),
    shortName: z.string().meta({
      description:
        'A stable name such as `loudness`. The CLI and the SDK accept it in place of the ID; `sidekickIds` accepts IDs only.',
    }),
    version: z.string(),
    description: z.string(),
    appliesTo: z.array(z.enum(categories)),
    isDefault: z
      .boolean()
      .meta({ description: 'Whether the check runs when a submission does not specify `sidekickIds`.' }),
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
