import { existsSync, readdirSync } from 'node:fs';

/**
 * The files that match a pattern with `*`, in order: cmd and PowerShell pass patterns on as they are. `*` matches within
 * one name; a leading dot must be written, as in a shell. In its last part, `*` matches no folders; before that, it matches
 * only folders.
 */
export function expandPattern(pattern: string, isWindows = process.platform === 'win32'): string[] {
  // Windows accepts both separators. Paths are kept as text, because `join('C:', 'media')` is not `C:/media`.
  const names = (isWindows ? pattern.replaceAll('\\', '/') : pattern).split('/');
  const paths = names.reduce<string[]>(
    (starts, name, i) => starts.flatMap((start) => matchName(start, name, i === names.length - 1, isWindows)),
    [''],
  );
  return paths.map((path) => path.slice(0, -1)).filter((path) => existsSync(path));
}

/** The paths below `start`, which ends with a slash unless it is empty, whose name matches; each ends with a slash. */
function matchName(start: string, name: string, isLast: boolean, isWindows: boolean): string[] {
  if (!name.includes('*')) return [`${start}${name}/`];
  const parts = name.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const matching = new RegExp(`^${parts.join('.*')}$`, isWindows ? 'is' : 's');
  return entriesOf(start)
    .filter((entry) => (isLast ? !entry.isDirectory() : !entry.isFile())) // a link can be either
    .map((entry) => entry.name)
    .filter((found) => matching.test(found) && (name.startsWith('.') || !found.startsWith('.')))
    .sort()
    .map((found) => `${start}${found}/`);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder || '.', { withFileTypes: true });
  } catch {
    return []; // no such folder: nothing matches, which the caller reports
  }
}
