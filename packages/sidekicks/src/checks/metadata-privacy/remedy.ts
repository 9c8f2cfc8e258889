import { isCredit } from './credits.ts';
import { type Fact, secondReader } from './facts.ts';

const namedTagsMax = 3;
/** Families of container tags, which remuxing removes. */
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
const ffmpegCreditKeys: Readonly<Record<string, string>> = {
  artist: 'artist',
  author: 'author',
  copyright: 'copyright',
};

/** Tells the user how to remove these facts. Credits stay in the file; `all` are all facts of the file. */
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
  const named = labels.length > namedTagsMax ? [...new Set(facts.map(({ group }) => `${group}:all`))] : labels;
  const wanted = named.every(isSafeLabel) ? named.slice(0, namedTagsMax) : ['all'];
  const removed = wanted.map((label) => `-${label}=`).join(' ');
  return `Remove this metadata: exiftool ${removed}${copyBackOptions(wanted, kept)} FILE.`;
}

/** An ffmpeg command that copies the streams without the container tags, and sets the credits again. */
export function remuxCommand(streams: string, credits: readonly Fact[]): string {
  const keys = [...new Set(credits.flatMap(({ name }) => ffmpegCreditKeys[name] ?? []))];
  const again = keys.map((key) => ` -metadata ${key}=${key.toUpperCase()}`).join('');
  const advice = keys.length > 0 ? `, with the credit from the original as ${keys.join(' and ').toUpperCase()}` : '';
  return `ffmpeg -i IN ${streams} -map_metadata -1${again} -c copy OUT${advice}.`;
}

/** ExifTool options that copy credits back, because removing a whole group removes its credits too. */
function copyBackOptions(wanted: readonly string[], credits: readonly Fact[]): string {
  const isRemoved = ({ group }: Fact) => wanted.some((label) => label === 'all' || label === `${group}:all`);
  const labels = [...new Set(credits.filter(isRemoved).map(({ label }) => label))].filter(isSafeLabel);
  return labels.length > 0 ? ` -tagsFromFile @ ${labels.map((label) => `-${label}`).join(' ')}` : '';
}

/** Users paste commands into a shell, so a tag name from the file must not contain shell syntax. */
function isSafeLabel(label: string): boolean {
  return /^[\w-]{1,60}:[\w-]{1,60}$/.test(label);
}
