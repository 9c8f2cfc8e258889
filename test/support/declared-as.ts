import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { defaultProfile, type Profile } from '@assay/contract/schemas/profile.ts';
import { profiles } from '@assay/sidekicks/profile.ts';
import type { Declared } from '@assay/sidekicks/sidekick.ts';

/** What an asset with this file name declares. */
export function declaredAs(filename: string, profile: Profile = defaultProfile): Declared {
  const media = mediaTypeOfFilename(filename);
  if (!media) throw new Error(`${filename} has no allowed media type`);
  return { media, filename, profile: profiles[profile] };
}
