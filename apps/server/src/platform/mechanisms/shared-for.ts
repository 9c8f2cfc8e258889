/** Reuses a result for some milliseconds, so that endpoints without a key cannot overload a dependency. */
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
