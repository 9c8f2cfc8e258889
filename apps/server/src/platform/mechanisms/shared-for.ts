/** Reuses a result for some milliseconds, because endpoints without a key use it and each read loads a dependency. */
export function sharedFor<T>(millis: number, read: () => Promise<T>): () => Promise<T> {
  let readAt = Number.NEGATIVE_INFINITY;
  let result: Promise<T> | undefined;
  return () => {
    const now = performance.now();
    if (!result || now - readAt >= millis) {
      readAt = now;
      result = read();
    }
    return result;
  };
}
