import type { Client } from './client.ts';

const pagesMax = 100;

/** Reads a list page by page and returns the body of each page. The path must contain a query string. */
// biome-ignore lint/suspicious/noExplicitAny: pages of any list
export async function readPages(client: Client, path: string): Promise<any[]> {
  const pages = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await client.get(path + (cursor && `&cursor=${encodeURIComponent(cursor)}`));
    if (status !== 200) throw new Error(`a page was answered with ${status} ${JSON.stringify(body)}`);
    if (body.hasMore !== (body.nextCursor !== null)) throw new Error('hasMore and nextCursor contradict each other');
    if (pages.push(body) > pagesMax) throw new Error('the pages do not end');
    cursor = body.nextCursor;
  }
  return pages;
}
