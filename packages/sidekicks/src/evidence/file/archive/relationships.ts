import { parseXml } from './office-xml.ts';

export type Relationship = {
  /** The name of the part that declares the relationship. */
  part: string;
  /** The last path segment of the relationship's type: `hyperlink`, `attachedTemplate`. */
  kind: string;
  target: string;
  isExternal: boolean;
};

/** What the elements of a part declare. If it is not well-formed, `found` is what precedes the error. */
type Declared<T> = { found: T[]; isWellFormed: boolean };

/** Shown in texts; the rest of a target says nothing more about where it leads. */
const targetCharactersMax = 4096;
const codeKind = /vbaProject|macrosheet|control/i;
/** Followed only on a click, or ordinary in presentations. A document can have thousands of them. */
const harmlessExternalKinds = new Set(['hyperlink', 'image', 'audio', 'video', 'media', 'externallinkpath']);
/** The path of a local file, so that nothing is loaded over the network. */
const localFileTarget = /^(?:file:\/{3})?[a-z]:[\\/]|^(?![\\/]{2})(?![a-z][a-z0-9+.-]*:)/i;

/** Kinds of relationships whose target is a file of another program. Such a part may have any name. */
const embeddedKinds = new Set(['oleobject', 'package', 'afchunk']);
/** Parts whose names say as much. */
const embeddedName = /(?:^|\/)embeddings\/[^/]+$|\.(?:xlsx|docx|pptx)$/i;

/** Whether this is a part that another program made, although its name does not say so. */
export function isHiddenEmbedding({ kind, target, isExternal }: Omit<Relationship, 'part'>): boolean {
  return !isExternal && embeddedKinds.has(kind.toLowerCase()) && !embeddedName.test(target);
}

/**
 * The relationships of a part that load external content, or name code or an embedded file that its name does not give
 * away. All others are dropped.
 */
export function readRelationships(text: string, part: string): Declared<Relationship> {
  const found: Relationship[] = [];
  const isWellFormed = parseXml(text, {
    onOpen: (name, { Type = '', Target = '', TargetMode = '' }) => {
      if (name !== 'Relationship') return;
      const kind = Type.slice(Type.lastIndexOf('/') + 1).trim();
      const target = Target.trim();
      const isExternal = TargetMode.trim().toLowerCase() === 'external';
      const loads = isExternal && !harmlessExternalKinds.has(kind.toLowerCase()) && !localFileTarget.test(target);
      const isEmbedded = isHiddenEmbedding({ kind, target, isExternal });
      if (loads || isEmbedded || codeKind.test(kind)) {
        found.push({ part, kind, target: target.slice(0, targetCharactersMax), isExternal: loads });
      }
    },
  });
  return { found, isWellFormed };
}

/** The content types that `[Content_Types].xml` declares. */
export function readContentTypes(text: string): Declared<string> {
  const found: string[] = [];
  const isWellFormed = parseXml(text, {
    onOpen: (_, { ContentType }) => {
      if (ContentType !== undefined) found.push(ContentType);
    },
  });
  return { found, isWellFormed };
}

export function isMacroContentType(contentType: string): boolean {
  return /macroEnabled|vbaProject|macrosheet/i.test(contentType);
}
