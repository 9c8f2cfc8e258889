/** Releases a permit. Must be called once. */
export type Release = () => void;

type PermitRequest = {
  /** The permit counts for this key, such as an API key or a receiver. Callers without a key count as one. */
  key?: string;
  /** How many permits this key may hold at once. */
  perKeyMax?: number;
  /** Aborts the wait. A free permit is granted even if the signal is already aborted. */
  signal?: AbortSignal;
};

export type Semaphore = {
  /** Resolves when a permit is free, first come first served. Rejects with the signal's reason if it is aborted. */
  acquire(wanted?: PermitRequest): Promise<Release>;
  /** Runs the work while it holds a permit. */
  run<T>(work: () => Promise<T>, wanted?: PermitRequest): Promise<T>;
};

/**
 * The permits of one process. The limit per key keeps one slow or hostile caller from holding all of them: waiting
 * callers of other keys are served first.
 */
export function createSemaphore(permits = Number.POSITIVE_INFINITY): Semaphore {
  const heldByKey = new Map<string, number>();
  let held = 0;
  let waiting: { wanted: PermitRequest; grant(): void }[] = [];

  const heldBy = ({ key = '' }: PermitRequest) => heldByKey.get(key) ?? 0;
  const isFree = (wanted: PermitRequest) =>
    held < permits && heldBy(wanted) < (wanted.perKeyMax ?? Number.POSITIVE_INFINITY);
  const change = (wanted: PermitRequest, by: 1 | -1) => {
    const count = heldBy(wanted) + by;
    held += by;
    if (count > 0) heldByKey.set(wanted.key ?? '', count);
    else heldByKey.delete(wanted.key ?? '');
  };
  const grantNext = () => {
    const next = waiting.find(({ wanted }) => isFree(wanted));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    next.grant();
    grantNext();
  };

  const wait = (wanted: PermitRequest) =>
    new Promise<void>((resolve, reject) => {
      const { signal } = wanted;
      const giveUp = () => {
        waiting = waiting.filter((one) => one !== waiter);
        reject(signal?.reason);
      };
      const waiter = {
        wanted,
        grant() {
          signal?.removeEventListener('abort', giveUp);
          change(wanted, 1);
          resolve();
        },
      };
      waiting.push(waiter);
      if (signal?.aborted) giveUp();
      else signal?.addEventListener('abort', giveUp, { once: true });
    });

  const acquire = async (wanted: PermitRequest = {}): Promise<Release> => {
    if (isFree(wanted)) change(wanted, 1);
    else await wait(wanted);
    return () => {
      change(wanted, -1);
      grantNext();
    };
  };

  return {
    acquire,
    async run(work, wanted) {
      const release = await acquire(wanted);
      return work().finally(release);
    },
  };
}

/**
 * Does the work for every item, for a limited number of items at a time. The results have the order of the items. No
 * more work is started after a failure.
 */
export async function runForEach<Item, Result>(
  items: readonly Item[],
  atOnceMax: number,
  work: (item: Item, i: number) => Promise<Result>,
): Promise<Result[]> {
  const semaphore = createSemaphore(atOnceMax);
  const failure = new AbortController();
  const runOne = async (item: Item, i: number) => {
    failure.signal.throwIfAborted();
    return work(item, i).catch((error) => {
      failure.abort(error);
      throw error;
    });
  };
  return Promise.all(items.map((item, i) => semaphore.run(() => runOne(item, i))));
}
