import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { contentTypes } from '@assay/sdk';
import { expandPattern } from './expand-pattern.ts';
import { Failure } from './failure.ts';

export type MediaFile = {
  /** The path as given on the command line. */
  file: string;
  path: string;
  filename: string;
  sizeBytes: number;
  contentType: string;
};

/**
 * The given files without duplicates. Folders are not searched: the user decides which files leave the machine. Patterns
 * (`media/*.mp4`) are expanded where the shell does not. All invalid files are reported together, before anything is sent.
 */
export function findFiles(named: string[]): MediaFile[] {
  const found = new Map<string, MediaFile>();
  const faults: string[] = [];
  for (const file of named.flatMap(namesOf)) {
    const path = resolve(file);
    const fault = faultOf(file, path);
    if (fault) faults.push(`${file}: ${fault}`);
    else
      found.set(path, {
        file,
        path,
        filename: basename(path),
        sizeBytes: statSync(path).size,
        contentType: contentTypeOf(path) as string,
      });
  }
  if (faults.length === 0) return [...found.values()];
  const isUnsupported = faults.some((fault) => /supported|extension/.test(fault));
  throw new Failure('usage', `Nothing was sent.\n${faults.map((fault) => `  ${fault}`).join('\n')}`, {
    next: isUnsupported ? `Supported: ${Object.keys(contentTypes).sort().join(' ')}` : 'Check the paths.',
  });
}

/** A file whose name has a `*` is that file; otherwise the name is a pattern, reported as it is if nothing matches. */
function namesOf(named: string): string[] {
  if (!named.includes('*') || existsSync(named)) return [named];
  const matching = expandPattern(named);
  return matching.length > 0 ? matching : [named];
}

function faultOf(file: string, path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (stats.isDirectory())
      return `is a folder. Pass the files in it instead, such as ${file.replace(/\/+$/, '')}/*.mp4`;
    if (!stats.isFile()) return 'not a regular file';
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return file.includes('*') ? 'no file matches this pattern' : 'file not found';
    return code === 'EACCES' ? 'permission denied' : message;
  }
  if (contentTypeOf(path)) return undefined;
  return extname(path) ? `${extname(path)} files are not supported` : 'the file has no extension';
}

function contentTypeOf(path: string): string | undefined {
  return contentTypes[extname(path).slice(1).toLowerCase()];
}
