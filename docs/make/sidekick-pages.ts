import { existsSync, readdirSync } from 'node:fs';
import type { Sidekick } from '@assay/sidekicks/sidekick.ts';
import { linkWithinSite } from './adopted-pages.ts';
import { code, frontMatter, type Page, paragraphs, prose, table } from './markdown.ts';
import { readSource, sourcePath } from './source.ts';

const checks = 'packages/sidekicks/src/checks';

export type SidekickFolder = { folder: string; sidekick: Sidekick };

/** The folder is the registry, as it is for the service. */
export const sidekickFolders: SidekickFolder[] = await Promise.all(
  readdirSync(sourcePath(checks))
    .sort()
    .filter((folder) => existsSync(sourcePath(`${checks}/${folder}/sidekick.ts`)))
    .map(async (folder) => {
      const { sidekick } = await import(`@assay/sidekicks/checks/${folder}/sidekick.ts`);
      return { folder, sidekick: sidekick as Sidekick };
    }),
);

export function makeSidekickPages(): Page[] {
  return [overview(), ...sidekickFolders.map(sidekickPage)];
}

function overview(): Page {
  const rows = sidekickFolders.map(({ folder, sidekick }) => [
    `[${sidekick.name}](/sidekicks/${folder})`,
    prose(sidekick.description),
    sidekick.appliesTo.join(', '),
    String(Object.keys(sidekick.rules).length),
    sidekick.isDefault ? 'yes' : 'no',
  ]);
  const text = paragraphs(
    frontMatter({ title: 'Sidekicks', description: 'The checkers, what they look for and against which standard.' }),
    '# Sidekicks',
    'A sidekick is a checker. It looks at one asset and raises issues by its rules. Each page says what it looks for, against which standard, with which known mistakes, and how it was measured.',
    'A submission without `sidekickIds` runs every sidekick that is on by default and fits the file. With `sidekickIds` it runs those; an empty list runs none. The SDK and the command line also take short names, such as `loudness`.',
    table(['Sidekick', 'What it looks for', 'Files', 'Rules', 'On by default'], rows),
  );
  return { path: 'sidekicks/index.md', text };
}

function sidekickPage({ folder, sidekick }: SidekickFolder): Page {
  const source = `${checks}/${folder}/README.md`;
  const [title = '', ...rest] = linkWithinSite(readSource(source), source).split('\n');
  const facts = [
    ['`sidekickId`', code(sidekick.id)],
    ['`shortName`', code(sidekick.shortName)],
    ['Version', sidekick.version],
    ['Files', sidekick.appliesTo.join(', ')],
    ['On by default', sidekick.isDefault ? 'yes' : 'no'],
  ];
  const text = paragraphs(
    frontMatter({ title: sidekick.name, description: sidekick.description }),
    title,
    table(['Fact', 'Value'], facts),
    rest.join('\n').trim(),
  );
  return { path: `sidekicks/${folder}.md`, text };
}
