import type { FieldError } from '@assay/contract/refusals.ts';
import type { RuleSetting } from '@assay/contract/schemas/profiles/document.ts';
import type { LimitChanges } from '@assay/contract/schemas/profiles/limits.ts';
import type { Severity } from '@assay/contract/schemas/severity.ts';
import { validateProfile } from '@assay/sidekicks/profiles/validate-profile.ts';
import { extendProfile, type Profile } from '@assay/sidekicks/sidekick/profile.ts';

/** The changes that a profile makes to the profile it extends, stored without nulls. */
export type ProfileDocument = {
  title: string;
  description: string;
  limits: LimitChanges;
  rules: RuleSetting[];
  failOn?: Severity;
  allowIncomplete?: string[];
  requireDismissalNote?: boolean;
};

/** The members of a request that become part of a revision. Their types have already been validated. */
export type GivenDocument = {
  title?: string | undefined;
  description?: string | undefined;
  limits?: object | undefined;
  rules?: RuleSetting[] | undefined;
  failOn?: Severity | undefined;
  allowIncomplete?: string[] | undefined;
  requireDismissalNote?: boolean | undefined;
  extends?: object | undefined;
};

/** Returns the document with the given members, each of which replaces the earlier one as a whole. */
export function changeDocument(document: ProfileDocument, given: GivenDocument): ProfileDocument {
  const { title, description, limits, rules, failOn, allowIncomplete, requireDismissalNote } = given;
  const members = { title, description, limits, rules, failOn, allowIncomplete, requireDismissalNote };
  return { ...document, ...(withoutNulls(members) as Partial<ProfileDocument>) };
}

/** Returns the profile with everything it inherits, and its errors with pointers into the request. */
export function resolveDocument(
  base: Profile,
  document: ProfileDocument,
  given: GivenDocument,
): { resolved: Profile; errors: FieldError[] } {
  const resolved = extendProfile(base, document);
  // Inherited rules and names were validated with the base profile.
  const { rules, allowIncomplete = [] } = document;
  const errors = validateProfile({ limits: resolved.limits, rules, allowIncomplete }).map(
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

/** A faulty limit may be inherited and so not be in the request: then this points to the nearest member that is. */
function nearestPointer(given: GivenDocument, pointer: string): string {
  for (let parts = pointer.split('/'); parts.length > 1; parts = parts.slice(0, -1)) {
    if (valueAt(given, parts.slice(1)) !== undefined) return parts.join('/');
  }
  return given.extends ? '/extends' : '';
}

function valueAt(value: unknown, path: string[]): unknown {
  return path.reduce((inner: unknown, part) => (inner as Record<string, unknown> | null | undefined)?.[part], value);
}

/** Removes nulls at every level, because a null counts as absent. */
function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutNulls(inner)])) as Value;
}
