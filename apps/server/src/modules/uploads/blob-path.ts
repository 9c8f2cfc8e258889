import { randomUUIDv7 } from 'node:crypto';
import { blobPathBytesMax, sentFilenameBytesMax } from '@assay/contract/limits.ts';
import type { WorkspaceId } from '#call/caller.ts';

export type BlobPath = { workspaceId: string; blobId: string; filename: string };

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const blobPathShape = new RegExp(`^(${uuid})/(${uuid})-([^/]+)$`, 'u');

/**
 * §2.5: <workspace_id>/<filename>, with an id in the file name so that two uploads of the same name never collide. The
 * name is kept as it was sent (§2.3); paths use NFC, so that all clients and stores write the same bytes.
 */
export function formatBlobPath({ workspaceId, blobId, filename }: BlobPath): string {
  return `${workspaceId}/${blobId}-${filename.normalize('NFC')}`;
}

/** Prefix of every blob with this id, whatever its file name. */
export function blobPrefix({ workspaceId, blobId }: Pick<BlobPath, 'workspaceId' | 'blobId'>): string {
  return `${workspaceId}/${blobId}-`;
}

/** Checked before anything else is done with a path. */
export function isTooLong(blobPath: string): boolean {
  return Buffer.byteLength(blobPath) > blobPathBytesMax;
}

/** Undefined for text that does not have the form of an issued path. */
export function parseBlobPath(text: string): BlobPath | undefined {
  if (isTooLong(text)) return undefined;
  const [, workspaceId, blobId, filename] = blobPathShape.exec(text) ?? [];
  if (!workspaceId || !blobId || !filename || Buffer.byteLength(filename) > sentFilenameBytesMax) return undefined;
  return { workspaceId, blobId, filename };
}

export function newBlobPath(workspaceId: WorkspaceId, filename: string): BlobPath & { workspaceId: WorkspaceId } {
  return { workspaceId, blobId: randomUUIDv7(), filename };
}
