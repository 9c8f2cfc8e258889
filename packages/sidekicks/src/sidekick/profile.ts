import type { RuleSetting } from '@assay/contract/schemas/profiles/document.ts';
import type { LimitChanges, Limits } from '@assay/contract/schemas/profiles/limits.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';

/** A delivery profile with everything that it inherits. What sidekicks measure does not depend on it. */
export type Profile = {
  title: string;
  description: string;
  limits: Limits;
  /** Settings that replace the default severity of rules, at most one per rule. */
  rules: readonly RuleSetting[];
  /** An open issue of this or a higher severity blocks the asset. */
  failOn: Severity;
  /** Short names of the checks that may be incomplete. */
  allowIncomplete: readonly string[];
  requireDismissalNote: boolean;
};

/** A revision of a profile, and the built-in one that it extends, directly or through others: itself if it is built in. */
export type ProfileOrigin = { name: string; revision: number; builtIn: { name: string; revision: number } };

/** What a profile changes in the profile that it extends. */
export type ProfileChanges = Partial<Omit<Profile, 'limits' | 'rules'>> & {
  limits?: LimitChanges | undefined;
  rules?: readonly RuleSetting[] | undefined;
};

export type FlashArea = Limits['photosensitivity']['areas'][number];

/** The profile with these changes. A null counts as absent; to remove a limit, its rule is switched off. */
export function extendProfile(base: Profile, changes: ProfileChanges): Profile {
  const groups = Object.entries(base.limits).map(([name, limits]) => {
    const changed = Object.entries(changes.limits?.[name as keyof Limits] ?? {}).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    return [name, { ...limits, ...Object.fromEntries(changed) }];
  });
  const own = changes.rules ?? [];
  const inherited = base.rules.filter(({ ruleCode }) => !own.some((setting) => setting.ruleCode === ruleCode));
  return {
    title: changes.title ?? base.title,
    description: changes.description ?? base.description,
    limits: Object.fromEntries(groups) as Limits,
    rules: [...inherited, ...own].toSorted((a, b) => (a.ruleCode < b.ruleCode ? -1 : 1)),
    failOn: changes.failOn ?? base.failOn,
    // Profiles stored before this member existed lack it.
    allowIncomplete: changes.allowIncomplete ?? base.allowIncomplete ?? [],
    requireDismissalNote: changes.requireDismissalNote ?? base.requireDismissalNote,
  };
}
