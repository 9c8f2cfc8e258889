import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { frontMatter, type Page, paragraphs } from './markdown.ts';
import { readSource, sourcePath } from './source.ts';

/** Pages of the site that are made from documents outside docs/, with adapted links, and the list of decisions. */
export function makeAdoptedPages(): Page[] {
  return [
    {
      path: 'operate/security.md',
      text: adoptDocument('SECURITY.md', 'What is protected and how, and what an operator must do.'),
    },
    { path: 'contributing.md', text: adoptDocument('CONTRIBUTING.md', 'How to change Assay.') },
    decisionsPage(),
  ];
}

function adoptDocument(source: string, description: string): string {
  const text = readSource(source);
  return paragraphs(frontMatter({ title: titleOf(text), description }), linkWithinSite(text, source));
}

export const decisionFiles = readdirSync(sourcePath('docs/decisions')).filter((name) => /^\d{4}-/.test(name));

function decisionsPage(): Page {
  const lines = decisionFiles.map(
    (name) => `- [${titleOf(readSource(`docs/decisions/${name}`))}](/decisions/${name.replace(/\.md$/, '')})`,
  );
  const front = frontMatter({ title: 'Decisions', description: 'Design decisions and their reasons, one page each.' });
  return {
    path: 'decisions/index.md',
    text: paragraphs(front, '# Decisions', 'Design decisions and their reasons, one page each.', lines.join('\n')),
  };
}

export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}

// Maps the path of a document in the repository to its page on the site. Other files are named without a link.
const pagePatterns: [RegExp, string][] = [
  [/^docs\/(.+?)(?:\.md)?$/, '/$1'],
  [/^packages\/sidekicks\/src\/checks\/([^/]+)\/README\.md$/, '/sidekicks/$1'],
  [/^SECURITY\.md$/, '/operate/security'],
  [/^CONTRIBUTING\.md$/, '/contributing'],
];

export function linkWithinSite(text: string, source: string): string {
  return text.replaceAll(
    /\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g,
    (_, words: string, target: string, anchor = '') => {
      const path = posix.normalize(posix.join(posix.dirname(source), target));
      const place = pagePatterns.find(([pattern]) => pattern.test(path));
      return place ? `[${words}](${path.replace(...place)}${anchor})` : `${words} (\`${path}\`)`;
    },
  );
}
