import { z } from 'zod';
import { grade, meaning, ruleCode, severity } from '../fields.ts';
import { storableText } from '../member.ts';
import { severities } from '../severity.ts';
import { LimitChanges } from './limits.ts';

export type Grade = z.infer<typeof grade>;

export const RuleSetting = z
  .strictObject({
    ruleCode: meaning(ruleCode, 'Code of the rule, as in the list of checks.'),
    severity: z
      .enum(['OFF', ...severities])
      .nullish()
      .meta({
        description:
          'Severity of the issues of this rule, or `OFF` to raise none. An issue that the check limits, such as a single caption that is too fast, keeps its lower severity. Not together with `grades`.',
      }),
    grades: z.array(grade).min(1).max(4).nullish().meta({
      description:
        'Severity by distance from the limit: the first grade is beyond 0, each other one further and more severe.',
    }),
  })
  .meta({ id: 'RuleSetting', description: 'How issues of one rule are judged.' });
export type RuleSetting = z.infer<typeof RuleSetting>;

export const profileName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must have 1 to 63 lower-case letters, digits and hyphens, the first not a hyphen.',
  )
  .meta({
    description: 'Lower-case letters, digits and hyphens, up to 63 characters. Unique in the workspace.',
    examples: ['our-podcasts'],
  });

/** What a delivery profile can change in the profile that it extends. */
export const documentMembers = {
  title: storableText(200).meta({ description: 'Title for display.', examples: ['Our podcasts'] }),
  description: storableText(2000).meta({
    description: 'What the profile is for.',
    examples: ['Spoken word for our feeds.'],
  }),
  limits: LimitChanges,
  rules: z.array(RuleSetting).max(500).meta({ description: 'Rules that are judged otherwise, each at most once.' }),
  failOn: severity.meta({
    description: 'The gate: an open issue of this severity or a higher one blocks the asset.',
    examples: ['MAJOR'],
  }),
  allowIncomplete: z
    .array(storableText(63))
    .max(50)
    .meta({
      description:
        'Checks that may be incomplete, by short name: what they did not examine does not stop a pass. By default none.',
      examples: [['captions']],
    }),
  requireDismissalNote: z.boolean().meta({ description: 'Whether dismissing an issue takes a note.' }),
  requireSecondReviewer: z
    .literal(false, 'must be false: it needs reviewers with accounts, which do not exist yet.')
    .meta({
      description: 'Reserved. Always false.',
    }),
};
