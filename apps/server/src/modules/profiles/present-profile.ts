import type { ProfileSummary, Profile as Resource } from '@assay/contract/schemas/profiles/resource.ts';
import type { FoundProfile } from './profile-row.ts';

/** `defaultProfile` is that of the workspace: the name of a built-in profile, or the id of an own one. */
export function presentSummary(profile: FoundProfile, defaultProfile: string): ProfileSummary {
  const { profileId, name, title, description, revision, isBuiltIn, createdWith, createdAt, updatedAt } = profile;
  return {
    profileId,
    name,
    title,
    description,
    revision,
    isBuiltIn,
    isDefault: defaultProfile === profileKeyOf(profile),
    extends: profile.extends,
    createdWith,
    createdAt: createdAt?.toISOString() ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

export function presentProfile(
  profile: FoundProfile,
  defaultProfile: string,
  baseUpdate: Resource['baseUpdate'],
): Resource {
  const { document, resolved, sources } = profile;
  const { limits, rules, failOn, allowIncomplete, requireDismissalNote } = resolved;
  return {
    ...presentSummary(profile, defaultProfile),
    baseUpdate,
    limits: document.limits,
    rules: document.rules,
    resolved: { limits, rules: [...rules], failOn, allowIncomplete: [...allowIncomplete], requireDismissalNote },
    sources,
  };
}

/** How the default setting of a workspace refers to this profile. */
export const profileKeyOf = ({ isBuiltIn, name, profileId }: FoundProfile): string => (isBuiltIn ? name : profileId);
