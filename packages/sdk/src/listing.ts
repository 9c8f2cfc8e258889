type AnyPage = { nextCursor: string | null };

/** `await` it for the first page, or `for await` over it for every item of every page. Nothing is sent before. */
export type Listing<Page, Item> = Promise<Page> & AsyncIterable<Item>;

export function listing<Page extends AnyPage, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): Listing<Page, Item> {
  let first: Promise<Page> | undefined;
  // A request that fails before anybody waits for it would be an unhandled rejection.
  const readFirst = () => {
    first ??= read(undefined);
    return first;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise, one that begins when it is waited for
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
