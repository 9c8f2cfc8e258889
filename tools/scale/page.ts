import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';

export const pageFile = join(root, 'docs/operate/scale.md');

const begin = (name: string) => `<!-- pnpm scale --write: ${name} -->`;
const end = '<!-- end -->';

/** The page with these computed sections between their markers. */
export function insertBlocks(page: string, blocks: Record<string, string>): string {
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const [from, to] = findBlock(text, name);
    return `${text.slice(0, from)}\n\n${block}\n\n${text.slice(to)}`;
  }, page);
}

/** The computed section of this name, as the page has it. */
export function readBlock(page: string, name: string): string {
  return page.slice(...findBlock(page, name)).trim();
}

function findBlock(page: string, name: string): [from: number, to: number] {
  const from = page.indexOf(begin(name));
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`docs/operate/scale.md has no ${begin(name)} with ${end}`);
  return [from + begin(name).length, to];
}
