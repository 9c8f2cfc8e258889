import { filenameBytesMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';

// Separators; control characters; characters that turn the reading direction and so hide an extension;
// line separators; what is not a character at all (lone surrogates, U+FFFE …), which no URL or listing can carry.
const forbidden =
  /[/\\\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** §4.1: an invalid name is 403. Judged in NFC, as a Mac sends a name decomposed and everyone else composed. */
export function requireFilename(filename: string): void {
  const name = filename.normalize('NFC');
  const isAllowed =
    Buffer.byteLength(name) <= filenameBytesMax && !forbidden.test(name) && !/^[\s.]|[\s.]$/u.test(name); // this also covers `.` and `..`
  if (!isAllowed) throw new Refusal('invalid_filename');
}
