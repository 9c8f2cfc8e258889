import type { RuleCode } from '../rules.ts';

/** How a sample file is made, and the rules that must report it. */
export type Recipe = {
  label: string;
  filename: string;
  /** The name of the source file, or its bytes. */
  from: string | Uint8Array;
  /** Options with which ffmpeg rewrites the file. */
  ffmpeg?: readonly string[];
  /** Tags that ExifTool writes into the file. `FOLDER/` stands for the folder with the images of `images.ts`. */
  exiftool?: readonly string[];
  expected: readonly RuleCode[];
};

/** A sample into which ExifTool writes these tags. */
export function taggedByExiftool(from: string, label: string, exiftool: string[], ...expected: RuleCode[]): Recipe {
  return { label, filename: from, from, exiftool, expected };
}

/** A sample into which ffmpeg writes these tags. */
export function taggedByFfmpeg(
  from: string,
  label: string,
  tags: Record<string, string>,
  ...expected: RuleCode[]
): Recipe {
  return { label, filename: from, from, ffmpeg: withTags(tags), expected };
}

/** A file with these bytes. */
export function fileOfBytes(filename: string, label: string, from: Uint8Array, ...expected: RuleCode[]): Recipe {
  return { label, filename, from, expected };
}

/** EXIF tags with a position: north or south, east or west. */
export const position = (latitude: string, latitudeRef: 'N' | 'S', longitude: string, longitudeRef: 'E' | 'W') => [
  ...[`-GPSLatitude=${latitude}`, `-GPSLatitudeRef=${latitudeRef}`],
  ...[`-GPSLongitude=${longitude}`, `-GPSLongitudeRef=${longitudeRef}`],
];
export const exactPosition = position('48.858222', 'N', '2.294511', 'E');
export const iso6709 = '+48.858222+002.294511/';
/** A fictitious name, like all values in the sample files. */
export const person = 'Ann Example';
export const windowsPath = 'C:\\Users\\ann\\Desktop\\secret.psd';
export const unixPath = '/home/ann/films/secret.mov';

/** ffmpeg options that copy all streams and add these tags. */
export function withTags(tags: Record<string, string>): string[] {
  return [
    '-map',
    '0',
    '-c',
    'copy',
    ...Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
  ];
}
