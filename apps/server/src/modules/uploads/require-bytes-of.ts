import type { MediaType } from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { RandomAccess } from '@assay/jail/source/random-access.ts';
import { programTypes } from '@assay/sidekicks/evidence/file/format/program-types.ts';
import { recognise } from '@assay/sidekicks/evidence/file/format/recognise.ts';
import { type CueFile, recogniseCues } from '@assay/sidekicks/evidence/media/captions/cue-file.ts';
import { ReadLimitReached } from '#platform/storage/blob-snapshot.ts';
import { extensionOf } from './declared-type.ts';

/** The file to check: its declared type, its name, and the request field that names it. */
type DeclaredFile = { media: MediaType; filename: string; pointer: string };

/** Any text would pass for captions, so their first bytes must be captions of this format. */
const captionFormats: ReadonlyMap<string, CueFile['format']> = new Map([
  ['text/vtt', 'vtt'],
  ['application/x-subrip', 'srt'],
]);

/** §4.2, §4.3: 415 unless the content matches name and type; the refusal says what the content is. */
export async function requireBytesOf({ media, filename, pointer }: DeclaredFile, bytes: RandomAccess): Promise<void> {
  const name = await recognise(bytes).catch((error) => {
    if (error instanceof ReadLimitReached) return 'unknown'; // no valid file needs that many reads
    throw error;
  });
  // Nothing at all is a valid text, but nearly always an upload that went wrong.
  const isEmpty = bytes.sizeBytes === 0;
  const captions = captionFormats.get(media.type);
  const cues = captions && name === 'text' ? await recogniseCues(bytes) : undefined;
  const isMatch = media.recognisedAs.includes(name) && (cues === undefined || cues === captions);
  if (isMatch && !isEmpty) return;
  const found = isEmpty ? 'empty. Upload the file again.' : describeFormat(name, cues);
  const detail = `The file is named ${extensionOf(filename)}, but its content is ${found}`;
  throw new Refusal('content_type_mismatch', {
    internal: `${name} declared as ${media.type}`,
    errors: [{ pointer, code: 'content_type_mismatch', detail }],
  });
}

function describeFormat(name: string, cues: CueFile['format'] | null | undefined): string {
  if (cues === null) return 'text without captions. Export the captions again.';
  if (cues === 'srt') return 'SubRip (.srt): it does not begin with WEBVTT. Rename or convert the file.';
  if (programTypes.has(name)) return `a program (${name}). Upload the media file itself.`;
  if (name === 'unknown') return 'not a known format. Export the file again, or convert it.';
  return `${name === 'text' ? 'plain text' : name}. Rename or convert the file.`;
}
