/** Runs what it is given one after another. Who is aborted while waiting leaves the queue. */
export function createOneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const before = last;
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    last = before.then(() => done);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([before, aborted]);
      return await work();
    } finally {
      signal.removeEventListener('abort', onAbort);
      end();
    }
  };
}
