import { z } from 'zod';
import { assetBytesMax, type Category } from '../limits.ts';
import { grade, meaning, ruleCode, severity, sidekickId } from './fields.ts';
import { Standard } from './issue.ts';
import { pageMembers } from './page.ts';

export const categories = Object.keys(assetBytesMax) as [Category, ...Category[]];

export const SidekickDescription = z
  .object({
    sidekickId,
    name: z.string().meta({ description: 'Name of the check, for display.' }),
    shortName: z.string().meta({
      description:
        'A stable name such as `loudness`. The CLI and the SDK accept it in place of the ID; `sidekickIds` accepts IDs only.',
    }),
    version: z.string().meta({
      description: 'Version of the check. It changes whenever the same file may get different issues.',
    }),
    description: z.string().meta({ description: 'What the check examines, in one or two sentences.' }),
    appliesTo: z.array(z.enum(categories)).meta({
      description:
        'Categories of files that it can check. For others, and for files with nothing to examine, its outcome is `not_applicable`.',
    }),
    isDefault: z
      .boolean()
      .meta({ description: 'Whether the check runs when a submission does not specify `sidekickIds`.' }),
    rules: z
      .array(
        z.object({
          ruleCode: meaning(ruleCode, 'Code of the rule, as in `ruleCode` of an issue.'),
          headline: z.string().meta({ description: 'Why the rule matters, in one sentence.' }),
          severity: meaning(
            severity,
            'Severity of most issues of this rule, and of all if it has no `grades`, unless the delivery profile sets another.',
          ),
          grades: z
            .array(grade)
            .optional()
            .meta({
              description:
                'Severity by distance from the limit, nearest first. Left out if all issues of the rule have the same severity.',
              examples: [
                [
                  { beyond: 0, severity: 'MINOR' },
                  { beyond: 1, severity: 'MAJOR' },
                ],
              ],
            }),
          standard: Standard.nullable().meta({
            description:
              'The standard behind the rule; null if there is none. An issue names the source of the limit that was applied.',
          }),
        }),
      )
      .meta({ description: 'What the check tests, rule by rule.' }),
  })
  .meta({ id: 'Sidekick', description: 'A check with its rules.' });

export const SidekickList = z
  .object({
    sidekicks: z.array(SidekickDescription).meta({ description: 'Every check, on one page.' }),
    ...pageMembers,
  })
  .meta({ id: 'SidekickList' });
