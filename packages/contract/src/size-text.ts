import { assetBytesMax, type Category } from './limits.ts';

const plural: Record<Category, string> = {
  video: 'Videos',
  audio: 'Audio files',
  image: 'Images',
  document: 'Documents',
};

/** `Videos can be up to 5 GiB; this one is 6.2 GiB.` */
export function describeTooLarge(category: Category, sizeBytes: number): string {
  const bytesMax = assetBytesMax[category];
  const [unit, bytes] = bytesMax >= 1024 ** 3 ? ['GiB', 1024 ** 3] : ['MiB', 1024 ** 2];
  const max = bytesMax / bytes;
  // A size just above the limit is not rounded to the limit.
  const size = [1, 2, 3].map((decimals) => (sizeBytes / bytes).toFixed(decimals)).find((text) => Number(text) > max);
  const shown = size ? `${size} ${unit}` : `larger by ${sizeBytes - bytesMax} B`;
  return `${plural[category]} can be up to ${max} ${unit}; this one is ${shown}.`;
}
