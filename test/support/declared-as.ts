import { defaultProfile, type Profile } from '@assay/contract/house.ts';
import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { profiles } from '@assay/sidekicks/profile.ts';
import type { Declared } from '@assay/sidekicks/sidekick.ts';

/** What an asset of this name says of itself. */
export function declaredAs(filename: string, profile: Profile = defaultProfile): Declared {
  const media = mediaTypeOfFilename(filename);
  if (!media) throw new Error(`${filename} may not be uploaded`);
  return { media, filename, profile: profiles[profile] };
}
