import { readFileSync } from 'node:fs';
import type { BuiltSite } from './built-site.ts';

export type Link = { from: string; to: string };

/** Every link and resource of a page, from the served HTML. */
export function linksOf(page: string, html: string): Link[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, to = '']) => ({
    from: page,
    to: to.replaceAll('&amp;', '&'),
  }));
}

/** Broken internal links: to a missing page or a missing anchor. */
export function deadLinksOf(site: BuiltSite): Link[] {
  const htmlOf = new Map(site.pages.map((page) => [page, readFileSync(site.fileAt(page) as string, 'utf8')]));
  const idsOf = new Map([...htmlOf].map(([page, html]) => [page, idsIn(html)]));
  return [...htmlOf]
    .flatMap(([page, html]) => linksOf(page, html))
    .filter(({ from, to }) => {
      const { origin, pathname, hash } = new URL(to, `http://site${from}`);
      if (origin !== 'http://site') return false;
      if (site.fileAt(decodeURIComponent(pathname)) === undefined) return true;
      return hash !== '' && idsOf.get(pathname)?.has(decodeURIComponent(hash.slice(1))) === false;
    });
}

/** Links to other sites. */
export function externalLinksOf(site: BuiltSite): string[] {
  const all = site.pages.flatMap((page) => linksOf(page, readFileSync(site.fileAt(page) as string, 'utf8')));
  return [...new Set(all.map(({ to }) => to).filter((to) => /^[a-z]+:/.test(to)))];
}

function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}
