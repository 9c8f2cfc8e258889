import type { Fact } from './facts.ts';

const namedMax = 3;
/** Families that live in the container and go with it when it is written anew. */
const ofContainer = new Set(['Matroska', 'Vorbis', 'FLAC', 'ID3', 'APE', 'RIFF', 'AIFF', 'MXF', 'Ogg', 'ffprobe']);

/** How to get rid of it. */
export function remedyFor(facts: readonly Fact[]): string {
  const { family = '', isEmbedded = false } = facts[0] ?? {};
  if (isEmbedded) return 'Remove it from the picture inside, and put that in anew.';
  if (family === 'Office') return 'Remove it in Office: File, Info, Inspect Document.';
  if (family === 'PDF') return 'Remove it where the PDF is made: tools that append leave the old value in the file.';
  if (ofContainer.has(family)) return 'Remove it: ffmpeg -i IN -map 0 -map_metadata -1 -c copy OUT.';
  if (family === 'MakerNotes') return 'Remove them: exiftool -makernotes:all= FILE.';
  const labels = [...new Set(facts.map(({ label }) => label))];
  const named = labels.length > namedMax ? [...new Set(facts.map(({ group }) => `${group}:all`))] : labels;
  // People paste this into a shell: a name from the file must be nothing but a name.
  const isSafe = named.every((label) => /^[\w-]{1,60}:[\w-]{1,60}$/.test(label));
  const wanted = isSafe ? named.slice(0, namedMax) : ['all'];
  return `Remove it: exiftool ${wanted.map((label) => `-${label}=`).join(' ')} FILE.`;
}
