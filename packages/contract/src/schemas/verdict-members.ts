import { z } from 'zod';
import { verdicts } from '../verdict.ts';
import { exampleVerdict } from './examples.ts';
import { statusCount } from './fields.ts';

export const SeverityCounts = z.object({
  critical: z.int().min(0).meta({ description: 'Number of CRITICAL issues.' }),
  major: z.int().min(0).meta({ description: 'Number of MAJOR issues.' }),
  minor: z.int().min(0).meta({ description: 'Number of MINOR issues.' }),
  info: z.int().min(0).meta({ description: 'Number of INFO issues.' }),
});

const StatusCounts = z.object({
  open: statusCount('OPEN'),
  acknowledged: statusCount('ACKNOWLEDGED'),
  awaitingHumanInput: statusCount('AWAITING_HUMAN_INPUT'),
  resolved: statusCount('RESOLVED'),
  dismissed: statusCount('DISMISSED'),
});

const verdict = z.enum(verdicts).nullable();

/** `counted` says of what the numbers are, and `nullIf` when they are null. */
const countMembers = (counted: string, nullIf: string) => {
  const described = (text: string, example: unknown) => ({
    description: `${text}${counted}. Null ${nullIf}.`,
    examples: [example],
  });
  const count = z.int().min(0).nullable();
  return {
    severityCounts: SeverityCounts.nullable().meta(
      described('Number of issues by severity, with those left out of the result', exampleVerdict.severityCounts),
    ),
    statusCounts: StatusCounts.nullable().meta(described('Number of issues by status', exampleVerdict.statusCounts)),
    blockingCount: count.meta(described('Number of issues that make the verdict `failed`', 1)),
    reviewCount: count.meta(
      described('Number of issues, and of incomplete checks without an issue, that a person has to look at', 0),
    ),
    waivedCount: count.meta(
      described('Number of issues that would otherwise stop a pass and that a caller dismissed or resolved', 0),
    ),
  };
};

/** The verdict on one asset and the numbers behind it. */
export const assetVerdictMembers = {
  verdict: verdict.meta({
    description:
      'What the delivery profile says of this asset: `failed` (an issue at or above its `failOn`), `not_checked` (the asset failed, or no check applies), `needs_review` (an issue awaits review, or a check is incomplete), `passed_with_waivers` or `passed`. Null until the asset is complete or failed, and in the sandbox.',
  }),
  ...countMembers('', 'if `issueCount` is null'),
};

/** The verdict on a submission: the worst of its assets, and their numbers added up. */
export const submissionVerdictMembers = {
  verdict: verdict.meta({
    description:
      'The worst verdict of its assets, in the order `failed`, `not_checked`, `needs_review`, `passed_with_waivers`, `passed`. Null until every asset has one, and in the sandbox.',
  }),
  ...countMembers(' in all assets', 'until the submission has a verdict, and if no asset is complete'),
};

const AssetVerdict = z.object(assetVerdictMembers);
export type AssetVerdict = z.infer<typeof AssetVerdict>;
