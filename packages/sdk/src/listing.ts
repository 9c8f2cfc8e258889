type AnyPage = { nextCursor: string | null };

/** `await` it for the first page, or use `for await` for all items of all pages. Nothing is sent before that. */
export type Listing<Page, Item> = Promise<Page> & AsyncIterable<Item>;

export function listing<Page extends AnyPage, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): Listing<Page, Item> {
  let first: Promise<Page> | undefined;
  // The first request is sent lazily: if it failed before it was awaited, that would be an unhandled rejection.
  const readFirst = () => {
    first ??= read(undefined);
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: a promise that starts when it is awaited
    then: (onFulfilled, onRejected) => readFirst().then(onFulfilled, onRejected),
    catch: (onRejected) => readFirst().catch(onRejected),
    finally: (onFinally) => readFirst().finally(onFinally),
    [Symbol.toStringTag]: 'Promise',
    async *[Symbol.asyncIterator]() {
      for (let page = await readFirst(); ; page = await read(page.nextCursor)) {
        yield* itemsOf(page);
        if (page.nextCursor === null) return;
      }
    },
  };
}
