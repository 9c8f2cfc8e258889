import { z } from 'zod';
import { meaning } from '../fields.ts';
import { Standard } from '../issue.ts';
import { optional, storableText } from '../member.ts';
import { pageMembers, wholeNumber } from '../page.ts';
import { documentMembers, profileName, RuleSetting } from './document.ts';
import { exampleBaseUpdate, exampleLimits, exampleSource } from './examples.ts';
import { LimitChanges, Limits } from './limits.ts';

const time = z.iso.datetime();
const revisionMax = 1_000_000;

const profileId = z.uuid().meta({ description: 'ID of the profile; `profile_id` in paths.' });
const name = profileName.meta({ description: 'Name of the profile. It can be used in place of the ID.' });
const revision = z.int().min(1).meta({
  description: 'Revision of the profile, counted from 1. A revision never changes: each change makes a new one.',
});

/** ID or name of a built-in profile or one of the workspace. Whether it exists is checked later. */
const idOrName = storableText(63).min(1);

const requestMembers = {
  extends: z
    .strictObject({
      profile: idOrName.meta({ description: 'ID or name of the extended profile.', examples: ['general'] }),
      revision: optional(z.int().min(1).max(revisionMax)).meta({
        description: 'Revision of the extended profile. Default: the newest.',
        examples: [1],
      }),
    })
    .meta({
      description:
        'The profile that this one changes. Its revision is fixed now: later revisions of it have no effect until `extends` is sent again.',
    }),
  title: optional(documentMembers.title),
  description: optional(documentMembers.description),
  limits: optional(documentMembers.limits).meta({
    description:
      'The limits that differ from the extended profile. Limits left out or null are inherited. Issues of a changed limit cite this profile and its revision; for loudness, the `standard` that you name.',
    examples: [exampleLimits],
  }),
  rules: optional(documentMembers.rules),
  failOn: optional(documentMembers.failOn),
  allowIncomplete: optional(documentMembers.allowIncomplete),
  requireDismissalNote: optional(documentMembers.requireDismissalNote),
  requireSecondReviewer: optional(documentMembers.requireSecondReviewer),
};

export const ProfileRequest = z
  .strictObject({
    name: profileName,
    ...requestMembers,
    extends: optional(requestMembers.extends).meta({
      description:
        'The profile that this one changes. Default: `general`. Its revision is fixed now: later revisions of it have no effect.',
    }),
    title: requestMembers.title.meta({ description: 'Title for display. Default: the name.' }),
  })
  .meta({ id: 'ProfileRequest', description: 'A delivery profile, as the changes that it makes to another one.' });

/** Fields left out or null stay unchanged; each other field replaces the previous value as a whole. */
export const ProfileChange = z
  .strictObject({
    name: optional(profileName),
    ...requestMembers,
    extends: optional(requestMembers.extends),
    isDefault: optional(z.boolean()).meta({
      description:
        'True makes this the default profile of the workspace, for submissions that name none. False makes `general` the default, if this profile was. It makes no new revision.',
      examples: [true],
    }),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'must contain at least one field to change.',
  )
  .meta({
    id: 'ProfileChange',
    description: 'Fields left out stay unchanged. `limits` and `rules` are replaced as a whole.',
  });

const profileRevision = z
  .object({ profileId, name, revision })
  .meta({ id: 'ProfileRevision', description: 'One revision of a profile.' });

const summary = {
  profileId,
  name,
  title: z.string().meta({ description: 'Title for display.' }),
  description: z.string().meta({ description: 'What the profile is for. Can be empty.' }),
  revision,
  isBuiltIn: z.boolean().meta({ description: 'Whether every workspace has it. Built-in profiles cannot be changed.' }),
  isDefault: z
    .boolean()
    .meta({ description: 'Whether it applies to submissions of this workspace that name no profile.' }),
  extends: profileRevision.nullable().meta({
    description: 'The revision of the profile that this one changes; null if it has every limit itself.',
  }),
  createdWith: z.enum(['live', 'sandbox']).nullable().meta({
    description:
      'The kind of API key that created it. Sandbox keys can change only profiles created with a sandbox key. Null if built in.',
  }),
  createdAt: time.nullable().meta({ description: 'When the profile was created. Null if built in.' }),
  updatedAt: time.nullable().meta({ description: 'When its newest revision was made. Null if built in.' }),
};

export const ProfileSummary = z
  .object(summary)
  .meta({ id: 'ProfileSummary', description: 'A delivery profile without its limits and rules.' });
export type ProfileSummary = z.infer<typeof ProfileSummary>;

export const ResolvedProfile = z
  .object({
    limits: Limits.meta({ description: 'Every limit.', examples: [exampleLimits] }),
    rules: z.array(RuleSetting).meta({ description: 'Rules that are judged otherwise than by default, by rule code.' }),
    failOn: documentMembers.failOn,
    allowIncomplete: documentMembers.allowIncomplete,
    requireDismissalNote: documentMembers.requireDismissalNote,
  })
  .meta({ id: 'ResolvedProfile', description: 'What applies to a submission, inherited limits and rules included.' });

export const Profile = z
  .object({
    ...summary,
    baseUpdate: z
      .object({
        name: meaning(name, 'Name of the extended profile.'),
        revision: meaning(revision, 'The revision that this profile extends.'),
        latestRevision: meaning(revision, 'The newest revision. To use it, send `extends` again.'),
      })
      .nullable()
      .meta({
        description:
          'Says that the extended profile has a newer revision, which has no effect on this one. Null if it has none or was deleted, and for built-in profiles.',
        examples: [exampleBaseUpdate],
      }),
    limits: LimitChanges.meta({ description: 'The limits that this profile changes itself.' }),
    rules: z.array(RuleSetting).meta({ description: 'The rules that this profile changes itself.' }),
    resolved: ResolvedProfile.meta({
      description: 'What applies to a submission, inherited limits and rules included.',
    }),
    sources: z
      .array(
        z.object({
          pointer: z.string().meta({ description: 'JSON Pointer to the limit or rule, or to a group of them.' }),
          source: z.string().meta({ description: 'The document that the number comes from.' }),
          url: z.string().nullable().meta({ description: 'Where the document can be read; null if it is not public.' }),
          note: z.string().nullable().meta({ description: 'What to know about the source; null if nothing.' }),
          standard: Standard.nullable().meta({
            description:
              'What issues cite if the limit was applied unchanged. Null: the number is not that of a standard, and issues cite the profile.',
          }),
        }),
      )
      .meta({
        examples: [[exampleSource]],
        description: 'Where the numbers of a built-in profile come from. Empty for other profiles.',
      }),
  })
  .meta({ id: 'Profile', description: 'One revision of a delivery profile.' });
export type Profile = z.infer<typeof Profile>;

export const ProfileList = z
  .object({
    profiles: z.array(ProfileSummary).meta({ description: 'Built-in profiles, then own ones by name, on one page.' }),
    ...pageMembers,
  })
  .meta({ id: 'ProfileList' });

const requestedRevision = wholeNumber(1, revisionMax).optional();

export const ProfileQuery = z.object({
  revision: requestedRevision.meta({ description: 'The revision to read. Default: the newest.', examples: [1] }),
});

export const ProfileComparisonQuery = z.object({
  with: idOrName.meta({ description: 'ID or name of the other profile.', examples: ['general'] }),
  revision: requestedRevision.meta({
    description: 'Revision of the profile in the path. Default: the newest.',
    examples: [1],
  }),
  withRevision: requestedRevision.meta({
    description: 'Revision of the other profile. Default: the newest.',
    examples: [1],
  }),
});

const comparedValue = (which: string) =>
  z.unknown().meta({ description: `The value in the ${which} profile; null if it has none.`, examples: [-16] });

export const ProfileComparison = z
  .object({
    left: profileRevision.meta({ description: 'The profile in the path.' }),
    right: profileRevision.meta({ description: 'The other profile.' }),
    differences: z
      .array(
        z.object({
          pointer: z.string().meta({
            description:
              'What differs: `/limits/…` with the group and the limit, `/rules/…` with the rule code, `/failOn` or `/requireDismissalNote`.',
          }),
          left: comparedValue('left'),
          right: comparedValue('right'),
        }),
      )
      .meta({
        description:
          'Every difference between the resolved profiles. The value of a rule is its severity, or its list of grades.',
      }),
  })
  .meta({ id: 'ProfileComparison' });

/** The profile revision against which a submission is checked. It is fixed when the submission is created. */
export const PinnedProfile = z
  .object({
    profileId,
    name,
    revision,
    failOn: documentMembers.failOn,
    allowIncomplete: documentMembers.allowIncomplete,
  })
  .meta({
    id: 'PinnedProfile',
    description: 'The delivery profile of the submission, and the revision that was the newest when it was created.',
  });
export type PinnedProfile = z.infer<typeof PinnedProfile>;
