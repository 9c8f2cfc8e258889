import {
  bareContentType,
  hasContentType,
  isAllowedContentType,
  type MediaType,
  mediaTypeOfFilename,
  mediaTypes,
} from '@assay/contract/media-types.ts';
import { Refusal } from '@assay/contract/refusals.ts';

const acceptedExtensions = `Accepted are ${mediaTypes
  .flatMap(({ extensions }) => extensions.map((extension) => `.${extension}`))
  .join(', ')}.`;

/** The type that file name and content type declare, which must match. Without a content type the name decides. */
export function declaredType(filename: string, contentType: string | undefined): MediaType {
  const byName = mediaTypeOfFilename(filename);
  const extension = extensionOf(filename);
  if (contentType === undefined) {
    if (byName) return byName;
    const problem = extension ? `Files named ${extension} are not accepted.` : 'The file name has no extension.';
    throw new Refusal('content_type_not_allowed', { detail: `${problem} ${acceptedExtensions}` });
  }
  const bareType = bareContentType(contentType);
  const shownType = bareType.slice(0, 100);
  if (!isAllowedContentType(bareType)) {
    const remedy = byName ? `The content type of ${extension} files is ${byName.type}.` : acceptedExtensions;
    throw new Refusal('content_type_not_allowed', {
      detail: `The content type ${shownType} is not accepted. ${remedy}`,
    });
  }
  if (!byName || !hasContentType(byName, bareType)) {
    const name = extension ? `is named ${extension}` : 'has a name without an extension';
    throw new Refusal('content_type_mismatch', { detail: `The file ${name}, but its content type is ${shownType}.` });
  }
  return byName;
}

/** With its dot and in lower case: `.mp4` */
export function extensionOf(filename: string): string | null {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? null : filename.slice(dot).toLowerCase();
}
