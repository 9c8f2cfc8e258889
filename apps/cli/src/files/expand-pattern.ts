import { existsSync, readdirSync } from 'node:fs';

/**
 * The files that match a pattern with `*`, `?` or `**`, in order: cmd and PowerShell pass patterns on as they are. `*` and
 * `?` match within one name, `**` also folders in folders; a leading dot must be written, as in a shell. In the last part
 * of a pattern they match no folders; before that, only folders.
 */
export function expandPattern(pattern: string, isWindows = process.platform === 'win32'): string[] {
  // Windows accepts both separators. Paths are kept as text, because `join('C:', 'media')` is not `C:/media`.
  const names = (isWindows ? pattern.replaceAll('\\', '/') : pattern).split('/');
  const paths = names.reduce<string[]>(
    (starts, name, i) => starts.flatMap((start) => matchName(start, name, i === names.length - 1, isWindows)),
    [''],
  );
  // `**` can reach a file in more than one way.
  return [...new Set(paths)].map((path) => path.slice(0, -1)).filter((path) => existsSync(path));
}

export const isPattern = (text: string) => /[*?]/.test(text);

/** The paths below `start`, which ends with a slash unless it is empty, whose name matches; each ends with a slash. */
function matchName(start: string, name: string, isLast: boolean, isWindows: boolean): string[] {
  if (name === '**') {
    const folders = foldersFrom(start);
    return isLast ? folders.flatMap((folder) => matchName(folder, '*', true, isWindows)) : folders;
  }
  if (!isPattern(name)) return [`${start}${name}/`];
  const escaped = name.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const matching = new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, isWindows ? 'isu' : 'su');
  return entriesOf(start)
    .filter((entry) => (isLast ? !entry.isDirectory() : !entry.isFile())) // a link can be either
    .map((entry) => entry.name)
    .filter((found) => matching.test(found) && (name.startsWith('.') || !found.startsWith('.')))
    .sort()
    .map((found) => `${start}${found}/`);
}

/** This folder and those below it. Links are not followed, because one can lead back to where it is. */
function foldersFrom(start: string): string[] {
  const below = entriesOf(start).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return [start, ...below.flatMap(({ name }) => foldersFrom(`${start}${name}/`)).sort()];
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder || '.', { withFileTypes: true });
  } catch {
    return []; // no such folder: nothing matches, which the caller reports
  }
}
