import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Why a file or folder that was found, not named, is left out. */
export type SkipReason = 'not_supported' | 'hidden' | 'linked_folder' | 'special_file';
export type SkippedFile = { file: string; reason: SkipReason };

/** Something in a folder: a file, what is skipped, or what cannot be read. */
export type Entry = { file: string; reason?: SkipReason; error?: unknown };

/**
 * Everything in the folder and the folders below it, in order. Hidden files and folders are skipped, and so are links to
 * folders, because one can lead back to where it is. Links to files are followed.
 */
export function searchFolder(folder: string): Entry[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return [{ file: folder, error }];
  }
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): Entry[] => {
      const file = join(folder, entry.name);
      if (entry.name.startsWith('.')) return [{ file, reason: 'hidden' }];
      if (entry.isDirectory()) return searchFolder(file);
      if (!entry.isSymbolicLink()) return [entry.isFile() ? { file } : { file, reason: 'special_file' }];
      return [isFolder(file) ? { file, reason: 'linked_folder' } : { file }];
    });
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // whoever reads it as a file learns what is wrong
  }
}
