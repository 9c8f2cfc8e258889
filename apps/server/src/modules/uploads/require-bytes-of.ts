import type { MediaType } from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import { programTypes } from '@assay/sidekicks/evidence/file/format/program-types.ts';
import { recognise } from '@assay/sidekicks/evidence/file/format/recognise.ts';
import { ReadLimitReached } from '#platform/storage/blob-snapshot.ts';
import { extensionOf } from './declared-type.ts';

/** The file to check: its declared type, its name, and the request field that names it. */
type DeclaredFile = { media: MediaType; filename: string; pointer: string };

/** §4.2, §4.3: 415 unless the content matches name and type; the refusal says what the content is. */
export async function requireBytesOf({ media, filename, pointer }: DeclaredFile, bytes: RandomAccess): Promise<void> {
  const name = await recognise(bytes).catch((error) => {
    if (error instanceof ReadLimitReached) return 'unknown'; // no valid file needs that many reads
    throw error;
  });
  if (media.recognisedAs.includes(name)) return;
  const found = bytes.sizeBytes === 0 ? 'empty. Upload the file again.' : describeFormat(name);
  const detail = `The file is named ${extensionOf(filename)}, but its content is ${found}`;
  throw new Refusal('content_type_mismatch', {
    internal: `${name} declared as ${media.type}`,
    errors: [{ pointer, code: 'content_type_mismatch', detail }],
  });
}

function describeFormat(name: string): string {
  if (programTypes.has(name)) return `a program (${name}). Upload the media file itself.`;
  if (name === 'unknown') return 'not a known format. Export the file again, or convert it.';
  return `${name === 'text' ? 'plain text' : name}. Rename or convert the file.`;
}
