import {
  bareContentType,
  isAllowedContentType,
  type MediaType,
  mediaTypeOfFilename,
  names,
} from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';

/** The format that name and type agree on. Without a type of its own a file takes that of its extension. */
export function declaredType(filename: string, contentType: string | undefined): MediaType {
  const byName = mediaTypeOfFilename(filename);
  if (contentType === undefined) {
    if (byName) return byName;
    throw new Refusal('content_type_not_allowed');
  }
  const bareType = bareContentType(contentType);
  if (!isAllowedContentType(bareType)) throw new Refusal('content_type_not_allowed');
  if (!byName || !names(byName, bareType)) throw new Refusal('content_type_mismatch');
  return byName;
}
