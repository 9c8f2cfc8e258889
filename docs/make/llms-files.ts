import { readFileSync } from 'node:fs';
import type { Page } from './markdown.ts';
import { type Entry, everyEntry, fileOf, siteMap, writtenPages } from './site-map.ts';

const introduction = `# Assay

> Self-hosted media compliance: upload video, audio, images and documents, submit them, read the issues. HTTP API, TypeScript SDK, command line.
`;

/** Files for language models: an index with one line per page, and all handwritten pages as Markdown. */
export function makeLlmsFiles(): Page[] {
  const sections = siteMap().map(({ title, pages }) => {
    const lines = pages.flatMap((page) => [page, ...(page.below ?? [])]).map(lineOf);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const guides = everyEntry()
    .filter(({ path }) => writtenPages.includes(path.slice(1)))
    .map((entry) => withoutFrontMatter(readFileSync(fileOf(entry), 'utf8')));
  return [
    { path: 'public/llms.txt', text: [introduction, ...sections].join('\n') },
    { path: 'public/llms-full.txt', text: [introduction, ...guides].join('\n\n') },
  ];
}

function lineOf(entry: Entry): string {
  return `- [${entry.title}](/docs${entry.path}): ${descriptionOf(readFileSync(fileOf(entry), 'utf8'))}`;
}

/** The description of a page: the one in its front matter, or else its first sentence. */
export function descriptionOf(text: string): string {
  const described = /^description: (.+)$/m.exec(text.split('\n---\n', 1)[0] ?? '')?.[1];
  if (described) return described.startsWith('"') ? JSON.parse(described) : described;
  const body = withoutFrontMatter(text);
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[\p{L}`*[]/u.test(part)) ?? '';
  return /^.*?[.?!](?=\s|$)/.exec(paragraph.replaceAll('\n', ' '))?.[0] ?? paragraph.replaceAll('\n', ' ');
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\n.*?\n---\n/s, '').trim();
}
