import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decisionFiles, titleOf } from './adopted-pages.ts';
import { pageOf, tags } from './endpoints.ts';
import { profileEntries } from './profile-pages.ts';
import { refusalList } from './refusal-list.ts';
import { sidekickFolders } from './sidekick-pages.ts';

export type Entry = { title: string; path: string; below?: Entry[] };
export type Section = { title: string; pages: Entry[] };

const docs = join(import.meta.dirname, '..');

/** The handwritten guides, in reading order. */
const guides = [
  'guides/uploads',
  'guides/results',
  'guides/profiles',
  'guides/webhooks',
  'guides/realtime',
  'guides/retries-and-idempotency',
  'guides/sandbox',
  'guides/keys',
  'guides/versions',
  'guides/sdk',
  'guides/cli',
];
export const writtenPages = [
  'quickstart',
  'concepts',
  ...guides,
  'operate/docker',
  'operate/self-hosting',
  'operate/kubernetes',
  'operate/configuration',
  'operate/storage',
  'operate/failures',
  'operate/admin-actions',
  'operate/database-roles',
  'operate/backup',
  'operate/scale',
  'operate/threat-model',
  'operate/upgrade',
];

const writtenEntry = (name: string): Entry => ({
  title: titleOf(readFileSync(join(docs, `${name}.md`), 'utf8')),
  path: `/${name}`,
});

/** Every page of the site, exactly once. The sidebar and llms.txt are made from this list. */
export function siteMap(): Section[] {
  return [
    {
      title: 'Start',
      pages: [
        writtenEntry('quickstart'),
        writtenEntry('concepts'),
        { title: 'How accurate is it?', path: '/accuracy' },
      ],
    },
    { title: 'Guides', pages: guides.map(writtenEntry) },
    {
      title: 'Reference',
      pages: [
        {
          title: 'API',
          path: '/reference/',
          below: [
            ...tags.map((tag) => ({ title: tag, path: pageOf(tag) })),
            { title: 'Events', path: '/reference/events' },
            { title: 'Asset failures', path: '/reference/asset-failures' },
          ],
        },
        {
          title: 'Errors',
          path: '/errors/',
          below: refusalList.map(({ code, status }) => ({ title: `${status} ${code}`, path: `/errors/${code}` })),
        },
        { title: 'Limits and accepted files', path: '/limits' },
        { title: 'Commands', path: '/reference/commands' },
        {
          title: 'Checks',
          path: '/sidekicks/',
          below: sidekickFolders.map(({ folder, sidekick }) => ({
            title: sidekick.name,
            path: `/sidekicks/${folder}`,
          })),
        },
        { title: 'Delivery profiles', path: '/profiles/', below: profileEntries },
      ],
    },
    {
      title: 'Operate',
      pages: [
        writtenEntry('operate/docker'),
        writtenEntry('operate/self-hosting'),
        writtenEntry('operate/kubernetes'),
        writtenEntry('operate/configuration'),
        writtenEntry('operate/storage'),
        writtenEntry('operate/failures'),
        writtenEntry('operate/admin-actions'),
        writtenEntry('operate/database-roles'),
        writtenEntry('operate/backup'),
        writtenEntry('operate/scale'),
        { title: 'Security', path: '/operate/security' },
        writtenEntry('operate/threat-model'),
        writtenEntry('operate/upgrade'),
      ],
    },
    {
      title: 'About the code',
      pages: [
        writtenEntry('architecture'),
        writtenEntry('glossary'),
        writtenEntry('style'),
        { title: 'Contributing', path: '/contributing' },
        writtenEntry('conformance'),
        {
          title: 'Decisions',
          path: '/decisions/',
          below: decisionFiles.map((name) => writtenEntry(`decisions/${name.replace(/\.md$/, '')}`)),
        },
      ],
    },
  ];
}

export function everyEntry(): Entry[] {
  return siteMap().flatMap(({ pages }) => pages.flatMap((page) => [page, ...(page.below ?? [])]));
}

/** The path of a page's file, below docs/. */
export function fileOf({ path }: Pick<Entry, 'path'>): string {
  const file = path.endsWith('/') ? `${path.slice(1)}index.md` : `${path.slice(1)}.md`;
  if (!existsSync(join(docs, file))) throw new Error(`the site map contains ${path}, but docs/${file} does not exist`);
  return join(docs, file);
}
