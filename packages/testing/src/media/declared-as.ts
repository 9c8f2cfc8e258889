import { mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import { builtInProfile, originOfBuiltIn } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import type { Declared } from '@assay/sidekicks/sidekick/sidekick.ts';

/** The declaration of an asset with this file name. The default profile is EBU R 128, which most tests expect. */
export function declarationFor(filename: string, profile: BuiltInProfile = 'ebu-r128'): Declared {
  const media = mediaTypeOfFilename(filename);
  if (!media) throw new Error(`${filename} has no allowed media type`);
  return { media, filename, profile: builtInProfile(profile), origin: originOfBuiltIn(profile) };
}
