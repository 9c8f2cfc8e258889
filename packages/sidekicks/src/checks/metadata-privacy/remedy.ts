import { isCredit } from './credits.ts';
import { type Fact, secondReader } from './facts.ts';

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
  secondReader,
]);
/** The credits that ffmpeg can write into any container. */
const keysOfCredits: Readonly<Record<string, string>> = { artist: 'artist', author: 'author', copyright: 'copyright' };

/** Tells the user how to remove the value. Credits stay in the file; `all` is everything that was found in it. */
export function remedyFor(facts: readonly Fact[], all: readonly Fact[]): string {
  const { family = '', isEmbedded = false } = facts[0] ?? {};
  if (isEmbedded) return 'Remove this metadata from the embedded image, then insert the image again.';
  if (family === 'Office') return 'Remove this metadata in Office: File > Info > Inspect Document.';
  if (family === 'PDF')
    return 'Remove this metadata in the program that creates the PDF; tools that append changes leave the old value in the file.';
  const kept = all.filter((fact) => isCredit(fact, all) && !facts.includes(fact) && !fact.isEmbedded);
  if (containerFamilies.has(family)) return `Remove this metadata: ${remuxCommand('-map 0', kept)}`;
  if (family === 'MakerNotes') return 'Remove the maker notes: exiftool -makernotes:all= FILE.';
  const labels = [...new Set(facts.map(({ label }) => label))];
  const named = labels.length > namedMax ? [...new Set(facts.map(({ group }) => `${group}:all`))] : labels;
  const wanted = named.every(isSafe) ? named.slice(0, namedMax) : ['all'];
  const removed = wanted.map((label) => `-${label}=`).join(' ');
  return `Remove this metadata: exiftool ${removed}${copyBack(wanted, kept)} FILE.`;
}

/** A command that copies the streams without the tags of the container, and sets its credits again. */
export function remuxCommand(streams: string, credits: readonly Fact[]): string {
  const keys = [...new Set(credits.flatMap(({ name }) => keysOfCredits[name] ?? []))];
  const again = keys.map((key) => ` -metadata ${key}=${key.toUpperCase()}`).join('');
  const advice = keys.length > 0 ? `, with the credit from the original as ${keys.join(' and ').toUpperCase()}` : '';
  return `ffmpeg -i IN ${streams} -map_metadata -1${again} -c copy OUT${advice}.`;
}

/** Removing a whole group would remove its credits too, so that ExifTool has to copy them back. */
function copyBack(wanted: readonly string[], credits: readonly Fact[]): string {
  const isRemoved = ({ group }: Fact) => wanted.some((label) => label === 'all' || label === `${group}:all`);
  const labels = [...new Set(credits.filter(isRemoved).map(({ label }) => label))].filter(isSafe);
  return labels.length > 0 ? ` -tagsFromFile @ ${labels.map((label) => `-${label}`).join(' ')}` : '';
}

/** Users paste commands into a shell, so names from the file must not contain anything but a name. */
function isSafe(label: string): boolean {
  return /^[\w-]{1,60}:[\w-]{1,60}$/.test(label);
}
