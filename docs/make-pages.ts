import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeAccuracyPage } from './make/accuracy-page.ts';
import { makeAdoptedPages } from './make/adopted-pages.ts';
import { makeCommandPages } from './make/command-pages.ts';
import { makeErrorPages } from './make/error-pages.ts';
import { makeLimitsPage } from './make/limits-page.ts';
import { makeLlmsFiles } from './make/llms-files.ts';
import type { Page } from './make/markdown.ts';
import { makeProfilePages } from './make/profile-pages.ts';
import { makeReferencePages } from './make/reference-pages.ts';
import { makeSidekickPages } from './make/sidekick-pages.ts';

const docs = import.meta.dirname;

// Generated pages are deleted first, so that pages about removed code do not stay on the site.
for (const folder of ['errors', 'profiles', 'reference', 'sidekicks']) {
  rmSync(join(docs, folder), { recursive: true, force: true });
}

const pages = [
  ...(await makeErrorPages()),
  ...makeReferencePages(),
  ...makeCommandPages(),
  makeLimitsPage(),
  ...makeSidekickPages(),
  ...makeProfilePages(),
  makeAccuracyPage(),
  ...makeAdoptedPages(),
];
pages.forEach(write);
// Generated last, because they are made from the pages above.
const files = makeLlmsFiles();
files.forEach(write);
console.log(`${pages.length} pages made from the code, and ${files.map(({ path }) => path).join(', ')}`);

function write({ path, text }: Page): void {
  const file = join(docs, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
