import type { MediaType } from '@assay/contract/media-types.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { RandomAccess } from '@assay/sidekicks/evidence/random-access.ts';
import { recognise } from '@assay/sidekicks/evidence/recognise.ts';
import { ReadsSpent } from '../handles/blob-snapshot.ts';

/** §4.2, §4.3: 415 unless the bytes are what name and type say. */
export async function requireBytesOf(media: MediaType, bytes: RandomAccess, errors?: FieldError[]): Promise<void> {
  const name = await recognise(bytes).catch((error) => {
    if (error instanceof ReadsSpent) return 'unknown'; // no honest file takes so many
    throw error;
  });
  if (media.recognisedAs.includes(name)) return;
  throw new Refusal('content_type_mismatch', {
    internal: `${name} declared as ${media.type}`,
    ...(errors && { errors }),
  });
}
