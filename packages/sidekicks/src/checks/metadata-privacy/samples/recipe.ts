import type { RuleCode } from '../rules.ts';

/** How a file of the labelled set is made, and the expected rules. */
export type Recipe = {
  label: string;
  filename: string;
  /** The name of the source file, or its bytes. */
  from: string | Uint8Array;
  /** Options with which ffmpeg rewrites the file. */
  ffmpeg?: readonly string[];
  /** Tags that ExifTool writes into the file. `FOLDER/` is the folder of the images of `images.ts`. */
  exiftool?: readonly string[];
  expected: readonly RuleCode[];
};

export const exact = [
  '-GPSLatitude=48.858222',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=2.294511',
  '-GPSLongitudeRef=E',
] as const;
export const iso6709 = '+48.858222+002.294511/';
/** Fictitious, like everything in this set. */
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
