import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packageFolder = new URL('../', import.meta.url);

/** The path of a source in `native/`. */
export function nativeSource(file: string): string {
  return fileURLToPath(new URL(`native/${file}`, packageFolder));
}

/**
 * The path of what is built from a source in the folder `native` of a package. It contains a hash of the source, so that
 * an outdated build is never used.
 */
export function builtPath(source: string, name: string, extension = ''): string {
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const folder = source.slice(0, source.lastIndexOf('/native/'));
  return `${folder}/dist/${name}-${hash}-${process.arch}${extension}`;
}
