import { existsSync, readdirSync } from 'node:fs';
import type { Sidekick } from '@assay/sidekicks/sidekick/sidekick.ts';
import { linkWithinSite } from './adopted-pages.ts';
import { code, escapeProse, frontMatter, type Page, paragraphs, table } from './markdown.ts';
import { readSource, sourcePath } from './source.ts';

const checks = 'packages/sidekicks/src/checks';

export const checkReadme = (folder: string): string => `${checks}/${folder}/README.md`;

export type SidekickFolder = { folder: string; sidekick: Sidekick };

/** The checks are found by their folders, as in the service. */
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
    escapeProse(sidekick.description),
    sidekick.appliesTo.join(', '),
    String(Object.keys(sidekick.rules).length),
    sidekick.isDefault ? 'yes' : 'no',
  ]);
  const text = paragraphs(
    frontMatter({ title: 'Checks', description: 'The checks, what they look for and which standard they apply.' }),
    '# Checks',
    'A check examines one asset and reports issues according to its rules. The API calls a check a sidekick. Each page says what the check looks for, which standard it applies, its known mistakes, and how its accuracy was measured. [How accurate is it?](/accuracy) has these for all checks.',
    'A submission without `sidekickIds` runs every check that is on by default and applies to the file. With `sidekickIds` it runs only those; an empty list runs none. The SDK and the CLI also accept short names, such as `loudness`.',
    table(['Check', 'What it looks for', 'Files', 'Rules', 'On by default'], rows),
  );
  return { path: 'sidekicks/index.md', text };
}

function sidekickPage({ folder, sidekick }: SidekickFolder): Page {
  const source = checkReadme(folder);
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
