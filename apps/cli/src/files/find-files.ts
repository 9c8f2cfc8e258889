import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { contentTypes } from '@assay/sdk';
import { exitCodeOf } from '../exit-codes.ts';
import type { FailureDescription } from '../failure.ts';
import { expandPattern, isPattern } from './expand-pattern.ts';
import { type Entry, isFolder, type SkippedFile, searchFolder } from './search-folder.ts';

export type MediaFile = {
  /** The path as given on the command line. */
  file: string;
  path: string;
  filename: string;
  sizeBytes: number;
  contentType: string;
  refusal?: undefined;
};

/** What was named on the command line and cannot be sent: it is rejected, and does not stop the others. */
type UnusableFile = { file: string; sizeBytes: 0; refusal: FailureDescription };
export type NamedFile = MediaFile | UnusableFile;

type FoundFiles = {
  /** In the order of the command line, without duplicates. */
  files: NamedFile[];
  /** What folders and patterns contain besides. */
  skipped: SkippedFile[];
};

/** Named are files and folders; found is what is in folders and what matches a pattern. */
type Candidate = Entry & { isNamed: boolean };
type Problem = { problem: string; code: string; isOtherType?: boolean };

const supported = `Supported: ${Object.keys(contentTypes).sort().join(' ')}`;

/**
 * The files that are meant: those that are named, those in folders that are named, and those that match a pattern where
 * the shell does not expand it. A named file that cannot be sent is rejected; a found one that is not media is skipped.
 */
export function findFiles(named: string[]): FoundFiles {
  const found = new Map<string, NamedFile>();
  const skipped = new Map<string, SkippedFile>();
  const keep = (one: NamedFile) => {
    const path = resolve(one.file);
    if (!found.has(path)) found.set(path, one);
    skipped.delete(path);
  };
  for (const name of named) {
    const candidates = candidatesOf(name);
    const inspected = candidates.map(inspectCandidate);
    for (const one of inspected) {
      if (!('reason' in one)) keep(one);
      else if (!found.has(resolve(one.file))) skipped.set(resolve(one.file), one);
    }
    if (inspected.every((one) => 'reason' in one)) keep(unusable(name, whyNothing(name, candidates.length)));
  }
  return { files: [...found.values()], skipped: [...skipped.values()] };
}

/** A file whose name has a `*` is that file; otherwise the name is a pattern. */
function candidatesOf(name: string): Candidate[] {
  if (isPattern(name) && !existsSync(name)) return expandPattern(name).map((file) => ({ file, isNamed: false }));
  if (isFolder(name)) return searchFolder(name).map((entry) => ({ ...entry, isNamed: false }));
  return [{ file: name, isNamed: true }];
}

function inspectCandidate({ file, reason, error, isNamed }: Candidate): NamedFile | SkippedFile {
  if (reason) return { file, reason };
  const inspected = error === undefined ? inspect(file) : unreadable(error);
  if (!('problem' in inspected)) return inspected;
  return inspected.isOtherType && !isNamed ? { file, reason: 'not_supported' } : unusable(file, inspected);
}

function inspect(file: string): MediaFile | Problem {
  const path = resolve(file);
  const contentType = contentTypes[extname(path).slice(1).toLowerCase()];
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: 'Not a regular file.', code: 'not_a_file', isOtherType: true };
    if (!contentType) {
      const problem = extname(path) ? `${extname(path)} files are not supported.` : 'The file has no extension.';
      return { problem, code: 'type_not_supported', isOtherType: true };
    }
    accessSync(path, constants.R_OK);
    return { file, path, filename: basename(path), sizeBytes: stats.size, contentType };
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): Problem {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return { problem: 'File not found.', code: 'file_not_found' };
  if (code === 'EACCES') return { problem: 'Permission denied.', code: 'permission_denied' };
  return { problem: message, code: 'file_unreadable' };
}

function whyNothing(name: string, candidateCount: number): Problem {
  if (candidateCount === 0 && !isFolder(name)) return { problem: 'No file matches this pattern.', code: 'no_files' };
  const problem = isFolder(name) ? 'No supported file in this folder.' : 'No supported file matches this pattern.';
  return { problem, code: 'no_files', isOtherType: true };
}

function unusable(file: string, { problem, code, isOtherType }: Problem): UnusableFile {
  const next = isOtherType ? supported : 'Check the path.';
  return { file, sizeBytes: 0, refusal: { exitCode: exitCodeOf('refused'), message: problem, next, code } };
}
