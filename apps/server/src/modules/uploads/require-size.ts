import { assetBytesMax } from '@assay/contract/limits.ts';
import { type MediaType, mediaTypeOfFilename } from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { describeTooLarge } from '@assay/contract/size-text.ts';

/** The type of a blob. Paths are issued only for names with an accepted type. */
export const mediaOf = (filename: string) => mediaTypeOfFilename(filename) as MediaType;

/** §8.1: 413 above the size limit of the category. */
export function requireSize(filename: string, sizeBytes: number, pointer: string): void {
  const { category } = mediaOf(filename);
  if (sizeBytes <= assetBytesMax[category]) return;
  const detail = describeTooLarge(category, sizeBytes);
  throw new Refusal('asset_too_large', { errors: [{ pointer, code: 'asset_too_large', detail }] });
}
