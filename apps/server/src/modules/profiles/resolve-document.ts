import type { FieldError } from '@assay/contract/refusals.ts';
import type { RuleSetting } from '@assay/contract/schemas/profiles/document.ts';
import type { LimitChanges } from '@assay/contract/schemas/profiles/limits.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import { validateProfile } from '@assay/sidekicks/profiles/validate-profile.ts';
import { extendProfile, type Profile } from '@assay/sidekicks/sidekick/profile.ts';

/** What a profile changes of the one that it extends, as it is stored: without nulls. */
export type ProfileDocument = {
  title: string;
  description: string;
  limits: LimitChanges;
  rules: RuleSetting[];
  failOn?: Severity;
  requireDismissalNote?: boolean;
};

/** The members of a request that make a revision. Their shape has been checked. */
export type GivenDocument = {
  title?: string | undefined;
  description?: string | undefined;
  limits?: object | undefined;
  rules?: RuleSetting[] | undefined;
  failOn?: Severity | undefined;
  requireDismissalNote?: boolean | undefined;
  extends?: object | undefined;
};

/** The document with the given members, each of which replaces the earlier one as a whole. */
export function changeDocument(document: ProfileDocument, given: GivenDocument): ProfileDocument {
  const { title, description, limits, rules, failOn, requireDismissalNote } = given;
  const members = { title, description, limits, rules, failOn, requireDismissalNote };
  return { ...document, ...(withoutNulls(members) as Partial<ProfileDocument>) };
}

/** The profile with everything that it inherits, and what is wrong with it, by pointers into the request. */
export function resolveDocument(
  base: Profile,
  document: ProfileDocument,
  given: GivenDocument,
): { resolved: Profile; errors: FieldError[] } {
  const resolved = extendProfile(base, document);
  // The rules in the order of the request; those that are inherited have been checked before.
  const errors = validateProfile({ limits: resolved.limits, rules: document.rules }).map(
    ({ pointer, detail }): FieldError => {
      const field = pointer
        .slice(1)
        .replaceAll(/\/(\d+)/g, '[$1]')
        .replaceAll('/', '.');
      return { pointer: nearestPointer(given, pointer), code: 'invalid_profile', detail: `${field} ${detail}` };
    },
  );
  return { resolved, errors };
}

/** A limit that contradicts an inherited one may not be in the request itself: then its group is. */
function nearestPointer(given: GivenDocument, pointer: string): string {
  for (let parts = pointer.split('/'); parts.length > 1; parts = parts.slice(0, -1)) {
    if (valueAt(given, parts.slice(1)) !== undefined) return parts.join('/');
  }
  return given.extends ? '/extends' : '';
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce((inner: unknown, part) => (inner as Record<string, unknown> | null | undefined)?.[part], value);
}

/** A null counts as absent, at every level. */
function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutNulls(inner)])) as Value;
}
