export type Feed<T> = {
  /** Loads again: now, or as soon as the current load has finished. */
  refresh(): void;
  /** Yields the results of all loads that start after this call; a slow follower gets only the latest result. */
  follow(signal: AbortSignal): AsyncGenerator<T>;
};

/** One loader that many followers share. It loads while there are followers, and closes when the last one leaves. */
export function openFeed<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMillis: number,
  onClose: () => void,
): Feed<T> {
  const followers = new Set<() => void>();
  const closing = new AbortController();
  const wakeAll = () => {
    for (const wake of followers) wake();
  };
  let startedCount = 0;
  let isLoading = false;
  let isStale = false;
  let newest: { number: number; value: T } | undefined;
  let failure: { error: unknown } | undefined;

  const refresh = () => {
    isStale = true;
    if (!isLoading) void run();
  };
  async function run(): Promise<void> {
    isLoading = true;
    while (isStale && !closing.signal.aborted) {
      isStale = false;
      const number = ++startedCount;
      try {
        newest = { number, value: await load(closing.signal) };
      } catch (error) {
        failure = { error };
        closing.abort();
      }
      wakeAll();
    }
    isLoading = false;
  }
  const timer = setInterval(refresh, everyMillis);
  const close = () => {
    clearInterval(timer);
    closing.abort();
    onClose();
  };

  return {
    refresh,
    async *follow(signal) {
      let wake = () => {};
      const onChange = () => wake();
      followers.add(onChange);
      signal.addEventListener('abort', onChange);
      let seen = startedCount; // loads that started earlier may be stale for this follower
      refresh();
      try {
        while (!signal.aborted) {
          if (failure) throw failure.error;
          if (newest && newest.number > seen) {
            seen = newest.number;
            yield newest.value;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', onChange);
        followers.delete(onChange);
        if (followers.size === 0) close();
      }
    },
  };
}
