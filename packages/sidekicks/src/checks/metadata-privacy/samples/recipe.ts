import type { RuleCode } from '../rules.ts';

/** How a file of the labelled set is made, and what has to be found in it. */
export type Recipe = {
  /** What is special about it. */
  label: string;
  /** Under which name it comes. */
  filename: string;
  /** A file to begin with, by name, or its bytes. */
  from: string | Uint8Array;
  /** Writes it anew with these options. */
  ffmpeg?: readonly string[];
  /** Writes these tags into it. `FOLDER/` is where the pictures of `pictures.ts` lie. */
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
/** Of a person who does not exist, as all in this set. */
export const person = 'Ann Example';
export const windowsPath = 'C:\\Users\\ann\\Desktop\\secret.psd';
export const unixPath = '/home/ann/films/secret.mov';

/** What ffmpeg is told to copy all and add these tags. */
export function withTags(tags: Record<string, string>): string[] {
  return [
    '-map',
    '0',
    '-c',
    'copy',
    ...Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
  ];
}
