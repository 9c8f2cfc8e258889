import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import type { ProfileSummary } from '@assay/contract/schemas/profiles/resource.ts';
import { builtInProfile, type DataFile, findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { asStandard } from '@assay/sidekicks/sidekick/cited-documents.ts';
import type { FoundProfile } from './profile-row.ts';

/** A built-in profile by id or name; undefined if there is none, or no such revision. */
export function findBuiltIn(idOrName: string, revision?: number): FoundProfile | undefined {
  const name = builtInNameOf(idOrName);
  const file = name && findDataFile(name, revision);
  if (!name || !file) return undefined;
  const resolved = builtInProfile(name, file.revision);
  const { title, description } = resolved;
  return {
    profileId: file.profileId,
    name,
    revision: file.revision,
    isBuiltIn: true,
    title,
    description,
    extends: extendsOf(file),
    depth: depthOf(file),
    document: { title, description, limits: file.limits ?? {}, rules: [...(file.rules ?? [])] },
    resolved,
    sources: file.sources.map((source) => ({ ...source, standard: source.standard && asStandard(source.standard) })),
    createdWith: null,
    createdAt: null,
    updatedAt: null,
  };
}

export const listBuiltIns = (): FoundProfile[] => builtInProfiles.flatMap((name) => findBuiltIn(name) ?? []);

/** Whether a built-in profile has this name or id. */
export const isBuiltIn = (idOrName: string): boolean => builtInNameOf(idOrName) !== undefined;

function builtInNameOf(idOrName: string): string | undefined {
  return builtInProfiles.find((name) => name === idOrName || findDataFile(name)?.profileId === idOrName);
}

function extendsOf({ extends: base }: DataFile): ProfileSummary['extends'] {
  if (!base) return null;
  const profileId = findDataFile(base.profile)?.profileId as string;
  return { profileId, name: base.profile, revision: base.revision };
}

function depthOf({ extends: base }: DataFile): number {
  const file = base && findDataFile(base.profile, base.revision);
  return file ? depthOf(file) + 1 : 0;
}
