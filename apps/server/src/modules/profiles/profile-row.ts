import type { ProfileSummary, Profile as Resource } from '@assay/contract/schemas/profiles/resource.ts';
import type { Profile } from '@assay/sidekicks/sidekick/profile.ts';
import type { Mode } from '#call/caller.ts';
import type { ProfileDocument } from './resolve-document.ts';

/** One revision of a built-in or own profile. */
export type FoundProfile = {
  profileId: string;
  name: string;
  revision: number;
  isBuiltIn: boolean;
  title: string;
  description: string;
  extends: ProfileSummary['extends'];
  /** How many profiles it extends, directly and indirectly. */
  depth: number;
  document: ProfileDocument;
  resolved: Profile;
  sources: Resource['sources'];
  createdWith: Mode | null;
  createdAt: Date | null;
  updatedAt: Date | null;
};
