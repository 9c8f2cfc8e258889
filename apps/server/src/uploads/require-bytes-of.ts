import type { MediaType } from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { RandomAccess } from '@assay/sidekicks/evidence/random-access.ts';
import { recognise } from '@assay/sidekicks/evidence/recognise.ts';
import { ReadsSpent } from '../handles/blob-snapshot.ts';

/** The file to check: what it is declared as, its name, and where the request names it. */
type DeclaredFile = { media: MediaType; filename: string; pointer: string };

/** §4.2, §4.3: 415 unless the bytes are what name and type say; the refusal says what they are. */
export async function requireBytesOf({ media, filename, pointer }: DeclaredFile, bytes: RandomAccess): Promise<void> {
  const name = await recognise(bytes).catch((error) => {
    if (error instanceof ReadsSpent) return 'unknown'; // no honest file takes so many
    throw error;
  });
  if (media.recognisedAs.includes(name)) return;
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const found = bytes.sizeBytes === 0 ? 'empty' : describeFormat(name);
  const detail = `The file is named .${extension}, but its content is ${found}.`;
  throw new Refusal('content_type_mismatch', {
    internal: `${name} declared as ${media.type}`,
    errors: [{ pointer, code: 'content_type_mismatch', detail }],
  });
}

function describeFormat(name: string): string {
  if (name === 'text') return 'plain text';
  return name === 'unknown' ? 'not a known format' : name;
}
