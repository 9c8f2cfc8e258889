import { isDeepStrictEqual } from 'node:util';
import type { Standard } from '@assay/contract/schemas/issue.ts';
import type { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import { asStandard } from '#sidekick/cited-documents.ts';
import type { ProfileOrigin } from '#sidekick/profile.ts';
import type { Declared, LimitPath } from '#sidekick/sidekick.ts';
import { builtInProfile, requireDataFile } from './built-in-profiles.ts';

/**
 * Where the limits come from that a rule applied: the clause behind the main one if all of them are as the built-in
 * profile took them from a standard. Otherwise the profile that sets them, because no standard says so.
 */
export function citeLimits(paths: readonly LimitPath[], { profile, origin }: Pick<Declared, 'profile' | 'origin'>) {
  const { name, revision } = origin.builtIn;
  const builtIn = builtInProfile(name, revision).limits;
  const isSet = paths.some((path) => valueAt(profile.limits, path) !== null);
  const isChanged = paths.some((path) => !isDeepStrictEqual(valueAt(profile.limits, path), valueAt(builtIn, path)));
  if (isChanged || !isSet) return standardNamedByProfile(paths, profile.limits, builtIn) ?? citeProfile(origin);
  const standards = paths.flatMap((path) => standardsBehind(path, name, revision));
  const [main] = standards;
  return main && standards.every(Boolean) ? main : citeProfile(origin.builtIn);
}

/** `limit of EBU R 128 (version 4.0, 2020), Programme loudness (not read in the original)` */
export function explainCitation({ name, clause, isVerified }: Standard): string {
  return `limit of ${name}, ${clause}${isVerified ? '' : ' (not read in the original)'}`;
}

function citeProfile({ name, revision }: Pick<ProfileOrigin, 'name' | 'revision'>): Standard {
  return { name: `profile ${name}`, clause: `revision ${revision}`, isVerified: true };
}

/** A profile that changes a limit of loudness can name the standard that it has it from. We have not read that. */
function standardNamedByProfile(paths: readonly LimitPath[], limits: Limits, builtIn: Limits): Standard | null {
  const isLoudness = paths.some((path) => path.startsWith('loudness/'));
  const { standard } = limits.loudness;
  if (!isLoudness || !standard || isDeepStrictEqual(standard, builtIn.loudness.standard)) return null;
  return { ...standard, isVerified: false };
}

/** The standards behind the parts of a limit, by the first file of the chain that sets it. Null where there is none. */
function standardsBehind(path: LimitPath, name: string, revision: number): (Standard | null)[] {
  const file = requireDataFile(name, revision);
  if ((valueAt((file.limits ?? {}) as Limits, path) ?? null) === null) {
    return file.extends ? standardsBehind(path, file.extends.profile, file.extends.revision) : [];
  }
  const pointer = `/limits/${path}`;
  return file.sources
    .filter((source) => `${pointer}/`.startsWith(`${source.pointer}/`) || source.pointer.startsWith(`${pointer}/`))
    .map(({ standard }) => standard && asStandard(standard));
}

function valueAt(limits: Limits, path: LimitPath): unknown {
  const [group, name] = path.split('/') as [keyof Limits, string];
  return (limits[group] as Record<string, unknown> | undefined)?.[name] ?? null;
}
