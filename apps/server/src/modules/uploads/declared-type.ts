import {
  bareContentType,
  hasContentType,
  isAllowedContentType,
  type MediaType,
  mediaTypeOfFilename,
} from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';

/** The type that file name and content type declare, which must match. Without a content type the name decides. */
export function declaredType(filename: string, contentType: string | undefined): MediaType {
  const byName = mediaTypeOfFilename(filename);
  if (contentType === undefined) {
    if (byName) return byName;
    throw new Refusal('content_type_not_allowed', {
      detail: `Files named ${extensionOf(filename)} are not accepted. See /docs for the accepted types and extensions.`,
    });
  }
  const bareType = bareContentType(contentType);
  const shownType = bareType.slice(0, 100);
  if (!isAllowedContentType(bareType)) {
    throw new Refusal('content_type_not_allowed', {
      detail: `The content type ${shownType} is not accepted. See /docs for the accepted types and extensions.`,
    });
  }
  if (!byName || !hasContentType(byName, bareType)) {
    throw new Refusal('content_type_mismatch', {
      detail: `The file is named ${extensionOf(filename)}, but its content type is ${shownType}.`,
    });
  }
  return byName;
}

function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? 'without an extension' : filename.slice(dot).toLowerCase();
}
