import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '@assay/stack/instance.ts';

/**
 * The path of a file or folder that is made once and cached next to the built tools, and must not be modified.
 * `determinedBy` must contain everything on which its content depends, such as the versions of the programs that make
 * it.
 */
export async function cached(
  kind: string,
  nameEnd: string,
  determinedBy: unknown,
  make: (path: string) => Promise<unknown>,
): Promise<string> {
  const path = pathOf(kind, nameEnd, determinedBy);
  if (existsSync(path)) return path;
  const scratch = openTemporary(path, nameEnd);
  try {
    await make(scratch.path);
    scratch.keep();
  } finally {
    scratch.remove();
  }
  return path;
}

/** Like `cached`, but synchronous. */
export function cachedSync(
  kind: string,
  nameEnd: string,
  determinedBy: unknown,
  make: (path: string) => unknown,
): string {
  const path = pathOf(kind, nameEnd, determinedBy);
  if (existsSync(path)) return path;
  const scratch = openTemporary(path, nameEnd);
  try {
    make(scratch.path);
    scratch.keep();
  } finally {
    scratch.remove();
  }
  return path;
}

function pathOf(kind: string, nameEnd: string, determinedBy: unknown): string {
  return join(cacheDir, kind, `${hash('sha256', JSON.stringify(withHashes(determinedBy)))}${nameEnd}`);
}

/** Replaces bytes with their hash, because JSON would list every byte. */
function withHashes(value: unknown): unknown {
  if (value instanceof Uint8Array) return hash('sha256', value);
  if (Array.isArray(value)) return value.map(withHashes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withHashes(one)]));
}

/** A temporary folder: other tests must never see a file or folder that is only half made. */
function openTemporary(path: string, nameEnd: string) {
  const kindFolder = join(path, '..');
  mkdirSync(kindFolder, { recursive: true });
  const folder = mkdtempSync(join(kindFolder, 'unfinished-'));
  const made = join(folder, `made${nameEnd}`);
  return {
    path: made,
    keep() {
      try {
        renameSync(made, path);
      } catch (error) {
        if (!existsSync(path)) throw error; // it exists if another test has made the same folder in the meantime
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
