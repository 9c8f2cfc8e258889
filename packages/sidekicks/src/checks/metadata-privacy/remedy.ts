import type { Fact } from './facts.ts';

const namedMax = 3;
/** Families that are part of the container, which remuxing removes. */
const containerFamilies = new Set([
  'Matroska',
  'Vorbis',
  'FLAC',
  'ID3',
  'APE',
  'RIFF',
  'AIFF',
  'MXF',
  'Ogg',
  'ffprobe',
]);

/** Tells the user how to remove the value. */
export function remedyFor(facts: readonly Fact[]): string {
  const { family = '', isEmbedded = false } = facts[0] ?? {};
  if (isEmbedded) return 'Remove this metadata from the embedded image, then insert the image again.';
  if (family === 'Office') return 'Remove this metadata in Office: File > Info > Inspect Document.';
  if (family === 'PDF')
    return 'Remove this metadata in the program that creates the PDF; tools that append changes leave the old value in the file.';
  if (containerFamilies.has(family)) return 'Remove this metadata: ffmpeg -i IN -map 0 -map_metadata -1 -c copy OUT.';
  if (family === 'MakerNotes') return 'Remove the maker notes: exiftool -makernotes:all= FILE.';
  const labels = [...new Set(facts.map(({ label }) => label))];
  const named = labels.length > namedMax ? [...new Set(facts.map(({ group }) => `${group}:all`))] : labels;
  // Users paste this into a shell, so names from the file must not contain anything but a name.
  const isSafe = named.every((label) => /^[\w-]{1,60}:[\w-]{1,60}$/.test(label));
  const wanted = isSafe ? named.slice(0, namedMax) : ['all'];
  return `Remove this metadata: exiftool ${wanted.map((label) => `-${label}=`).join(' ')} FILE.`;
}
