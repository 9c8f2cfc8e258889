import { linkWithinSite } from './adopted-pages.ts';
import { frontMatter, type Page, paragraphs, table } from './markdown.ts';
import { checkReadme, type SidekickFolder, sidekickFolders } from './sidekick-pages.ts';
import { readSource } from './source.ts';

/** README sections that the page shows for every check, in the order of the README, to which their text refers. */
const readmeSections = [
  { heading: 'Known mistakes', title: 'Known mistakes', anchor: 'known-mistakes' },
  { heading: 'How it was measured', title: 'Measurements', anchor: 'measurements' },
];

const introduction = `How often is Assay wrong? This page has the measured figures and the known mistakes of every check. It is generated from the same text as the page of the check.`;

const howToReadSection = `## How to read the figures

- **Most sets are our own.** The files were generated, and labelled, by the authors of the rules. "Recall 100 %" and "0 false alarms" show that the rules work as documented. They do not say how often files from real productions are judged wrongly.
- **Some references are independent**: the flash clips that the Trace Center labelled, the test signals of EBU Tech 3341 and 3342, and comparisons with other programs, such as libebur128 and ffmpeg. Each section names them.
- **There are few figures for files that others made.** Where a check was run on such files, its section says how many they were and what was found.
- **You can repeat every measurement** with the command in its section, unless the section says otherwise.
- **Uncertain issues need review.** If what was found may be intended, the status is \`AWAITING_HUMAN_INPUT\` and \`confidence\` is below 1. See [The life of an issue](/concepts#the-life-of-an-issue).

No issues means that the checks that ran found nothing. It does not mean that a file is free of faults, and it does not replace human review.

## What is not checked

- Wording and claims, the content of documents, and the provenance of media: there are no such checks yet.
- Speech: whether captions are correct, complete and in sync.
- Viruses: [File safety](#file-safety) recognises dangerous content, but has no signatures.
- A Harding test: [Photosensitivity](#photosensitivity) does not replace its certificate.
- Audio tracks after the first one, for loudness and quality.
- What each check misses: see "Not detected" in its section.`;

/** A page about the accuracy of all checks. */
export function makeAccuracyPage(): Page {
  const rows = sidekickFolders.map(({ folder, sidekick }) => [
    `[${sidekick.name}](#${folder})`,
    shortAnswerOf(folder),
    [
      ...readmeSections.map(({ title, anchor }) => `[${title}](#${folder}-${anchor})`),
      `[Rules and thresholds](/sidekicks/${folder})`,
    ].join('<br>'),
  ]);
  const text = paragraphs(
    frontMatter({
      title: 'How accurate is it?',
      description: 'Measured figures and known mistakes of every check, and what is not checked.',
    }),
    '# How accurate is it?',
    introduction,
    '## All checks',
    table(['Check', 'In short', 'More'], rows),
    howToReadSection,
    ...sidekickFolders.map(sectionOf),
  );
  return { path: 'accuracy.md', text };
}

function sectionOf({ folder, sidekick }: SidekickFolder): string {
  const source = checkReadme(folder);
  const readme = linkWithinSite(readSource(source), source);
  return [
    `## ${sidekick.name} {#${folder}}`,
    ...readmeSections.map(
      ({ heading, title, anchor }) =>
        `### ${title} {#${folder}-${anchor}}

${readSection(readme, heading, source)}`,
    ),
  ].join('\n\n');
}

/** Returns the first sentence of the section on measurements. */
function shortAnswerOf(folder: string): string {
  const source = checkReadme(folder);
  const measurements = readSection(readSource(source), 'How it was measured', source);
  const [, answer] = /^In short: (.+?)(?:\n\n|$)/s.exec(measurements) ?? [];
  if (!answer) throw new Error(`the measurements in ${source} do not start with "In short: …"`);
  return `${answer.charAt(0).toUpperCase()}${answer.slice(1)}`;
}

/** The text of a README section, with its headings one level lower. */
function readSection(readme: string, heading: string, source: string): string {
  const part = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (!part) throw new Error(`${source} has no section ${heading}`);
  return part.slice(heading.length).trim().replaceAll(/^###/gm, '####');
}
