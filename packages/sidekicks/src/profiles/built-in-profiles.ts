import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clause } from '@assay/contract/schemas/issue.ts';
import { type BuiltInProfile, builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { extendProfile, type Profile, type ProfileChanges, type ProfileOrigin } from '#sidekick/profile.ts';

/**
 * The content of `built-in/<name>/<revision>.json`. Revisions are immutable, because results refer to them: a changed
 * limit needs a new file.
 */
export type DataFile = ProfileChanges & {
  profileId: string;
  revision: number;
  /** Null if the file contains every limit itself. */
  extends: { profile: BuiltInProfile; revision: number } | null;
  /** The source of each number. */
  sources: readonly ProfileSource[];
};

/** The source of one limit or rule, or of a whole group of them. */
export type ProfileSource = {
  pointer: string;
  source: string;
  url: string | null;
  note: string | null;
  /** The clause whose number this is; null if it is not the number of a standard. */
  standard: Clause | null;
};

const profilesFolder = join(import.meta.dirname, 'built-in');

/** Maps each name to its revisions, oldest first. */
const filesByName: ReadonlyMap<string, readonly DataFile[]> = new Map(
  builtInProfiles.map((name) => {
    const revisions = readdirSync(join(profilesFolder, name)).map((file): DataFile => {
      return JSON.parse(readFileSync(join(profilesFolder, name, file), 'utf8'));
    });
    return [name, revisions.toSorted((a, b) => a.revision - b.revision)];
  }),
);

/** The data file of a revision, the newest by default. */
export function findDataFile(name: string, revision?: number): DataFile | undefined {
  const revisions = filesByName.get(name) ?? [];
  return revision === undefined ? revisions.at(-1) : revisions.find((file) => file.revision === revision);
}

/** Resolved only once, because every submission that is read refers to a profile. */
const profileByFile = new Map([...filesByName.values()].flat().map((file) => [file, resolveProfile(file)]));

function resolveProfile(file: DataFile): Profile {
  if (!file.extends) return extendProfile(withEveryLimit(file), {});
  return extendProfile(resolveProfile(requireDataFile(file.extends.profile, file.extends.revision)), file);
}

/** Limits that did not exist when a revision was published are null in it. */
function withEveryLimit(file: DataFile): Profile {
  const profile = file as unknown as Profile;
  const { limits } = profile;
  return {
    ...profile,
    limits: {
      ...limits,
      loudness: { ...limits.loudness, rangeWithoutTarget: limits.loudness.rangeWithoutTarget ?? null },
    },
  };
}

/** A built-in profile with everything that it inherits. Throws if the name or revision does not exist. */
export function builtInProfile(name: string, revision?: number): Profile {
  return profileByFile.get(requireDataFile(name, revision)) as Profile;
}

/** The origin of a built-in profile: itself. */
export function originOfBuiltIn(name: string, revision?: number): ProfileOrigin {
  const itself = { name, revision: requireDataFile(name, revision).revision };
  return { ...itself, builtIn: itself };
}

export function requireDataFile(name: string, revision?: number): DataFile {
  const file = findDataFile(name, revision);
  if (!file) throw new Error(`unknown profile: ${name}, revision ${revision ?? 'newest'}`);
  return file;
}
