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
  const bareType = contentType === undefined ? '' : bareContentType(contentType);
  if (bareType === '' || bareType === 'application/octet-stream') {
    if (contentType === undefined && byName) return byName;
    throw new Refusal('content_type_not_allowed');
  }
  if (!isAllowedContentType(bareType)) throw new Refusal('content_type_not_allowed');
  if (!byName || !names(byName, bareType)) throw new Refusal('content_type_mismatch');
  return byName;
}
