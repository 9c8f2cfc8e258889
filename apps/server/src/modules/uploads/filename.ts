import { filenameBytesMax, sentFilenameBytesMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';

// Separators; control characters; characters that change the reading direction and so can hide an extension;
// line separators; code points that are not characters (lone surrogates, U+FFFE …), as they are invalid in URLs.
const forbiddenCharacters =
  /[/\\\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** §4.1: 403 for an invalid name. Checked in NFC, because macOS sends names in NFD. */
export function requireFilename(filename: string): void {
  // Checked first, because the time of normalisation grows with the square of the number of combining marks.
  if (Buffer.byteLength(filename) > sentFilenameBytesMax) throw new Refusal('invalid_filename');
  const name = filename.normalize('NFC');
  // The last condition also excludes `.` and `..`.
  const isAllowed =
    Buffer.byteLength(name) <= filenameBytesMax && !forbiddenCharacters.test(name) && !/^[\s.]|[\s.]$/u.test(name);
  if (!isAllowed) throw new Refusal('invalid_filename');
}
