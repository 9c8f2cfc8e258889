import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { descriptionOf } from '../make/llms-files.ts';
import { type Entry, siteMap } from '../make/site-map.ts';
import { makeTablesReachable } from './reachable-tables.ts';
import { search } from './search.ts';
import { searchRoles } from './search-roles.ts';
import { numberCodeGroups } from './stable-ids.ts';

const sidebarItem = ({ title, path, below }: Entry): DefaultTheme.SidebarItem => ({
  text: title,
  link: path,
  ...(below && { items: below.map(sidebarItem), collapsed: true }),
});

// biome-ignore lint/style/noDefaultExport: VitePress requires it
export default defineConfig({
  title: 'Assay',
  description: 'Self-hosted media compliance: upload media, submit it, get issues.',
  lang: 'en-GB',
  base: '/docs/',
  cleanUrls: true,
  ignoreDeadLinks: false,
  transformPageData: (page) => {
    const text = readFileSync(join(import.meta.dirname, '..', page.filePath), 'utf8');
    // A page without sections has no outline, so its tables can use the space.
    const { aside = /^## /m.test(text) } = page.frontmatter;
    return { description: descriptionOf(text).replaceAll('`', ''), frontmatter: { ...page.frontmatter, aside } };
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    linkify: false,
    config: (md) => {
      makeTablesReachable(md);
      numberCodeGroups(md);
    },
  },
  // The largest file is the search index, which is loaded only when the search is opened.
  vite: { plugins: [searchRoles], build: { chunkSizeWarningLimit: 1000 } },
  themeConfig: {
    siteTitle: 'Assay',
    nav: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Guides', link: '/guides/uploads', activeMatch: '^/guides/' },
      { text: 'API', link: '/reference/', activeMatch: '^/(reference|errors|limits|sidekicks)' },
      { text: 'Operate', link: '/operate/self-hosting', activeMatch: '^/operate/' },
    ],
    sidebar: siteMap().map(({ title, pages }) => ({ text: title, items: pages.map(sidebarItem) })),
    outline: { level: [2, 3], label: 'On this page' },
    search,
    docFooter: { prev: 'Previous', next: 'Next' },
    darkModeSwitchLabel: 'Appearance',
    sidebarMenuLabel: 'Menu',
    returnToTopLabel: 'Back to top',
    skipToContentLabel: 'Skip to content',
  },
});
