type AnyPage = { nextCursor: string | null };

/** `await` it for the first page, or `for await` over it for every item of every page. */
export type Listing<Page, Item> = Promise<Page> & AsyncIterable<Item>;

export function listing<Page extends AnyPage, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): Listing<Page, Item> {
  const first = read(undefined);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; page = await read(page.nextCursor)) {
        yield* itemsOf(page);
        if (page.nextCursor === null) return;
      }
    },
  });
}
