import { accessSync, constants, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { contentTypes } from '@assay/sdk';
import { Failure } from './failure.ts';

export type MediaFile = {
  /** As it was named on the command line. */
  file: string;
  path: string;
  filename: string;
  sizeBytes: number;
  contentType: string;
};

/**
 * The files that were named, each once. Folders are not walked: what leaves this machine is named by whoever runs it,
 * and the shell does that better (`media/*.mp4`). Whatever is wrong is said of all, before a byte is sent.
 */
export function findFiles(named: string[]): MediaFile[] {
  const found = new Map<string, MediaFile>();
  const faults: string[] = [];
  for (const file of named) {
    const path = resolve(file);
    const fault = faultOf(file, path);
    if (fault) faults.push(`${file}: ${fault}`);
    else
      found.set(path, {
        file,
        path,
        filename: basename(path),
        sizeBytes: statSync(path).size,
        contentType: typeOf(path) as string,
      });
  }
  if (faults.length === 0) return [...found.values()];
  const isOfKind = faults.some((fault) => /accepted|extension/.test(fault));
  throw new Failure('usage', `Nothing was sent.\n${faults.map((fault) => `  ${fault}`).join('\n')}`, {
    next: isOfKind ? `Accepted are: ${Object.keys(contentTypes).sort().join(' ')}` : 'Name files that are there.',
  });
}

function faultOf(file: string, path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return `a folder. Name the files in it, such as ${file.replace(/\/+$/, '')}/*.mp4`;
    if (!stats.isFile()) return 'not a file';
    accessSync(path, constants.R_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'you may not read it' : message;
  }
  if (typeOf(path)) return undefined;
  return extname(path) ? `files of the kind ${extname(path)} are not accepted` : 'a file without an extension';
}

function typeOf(path: string): string | undefined {
  return contentTypes[extname(path).slice(1).toLowerCase()];
}
