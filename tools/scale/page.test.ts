import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatPageBlocks } from './format-plan.ts';
import { pageFile, readBlock } from './page.ts';
import { readInputs } from './read-inputs.ts';

// The measurements are committed: after new ones, run `pnpm scale --write`.
test.each(Object.entries(formatPageBlocks(readInputs())))(
  'the section %s of docs/operate/scale.md is what pnpm scale computes from the committed measurements',
  (name, block) => {
    expect(readBlock(readFileSync(pageFile, 'utf8'), name)).toBe(block);
  },
);
