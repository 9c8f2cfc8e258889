/** Runs work in turns. */
export type Turns = { take<T>(name: string, work: () => Promise<T>): Promise<T> };

/**
 * At most so many at once, and so many of one name; the rest wait in line. The cap per name is what
 * keeps one slow or hostile sender from holding every turn.
 */
export function createTurns(atOnceMax: number, perNameMax: number): Turns {
  const running = new Map<string, number>();
  const waiting: { name: string; start: () => void }[] = [];
  let runningTotal = 0;

  const countOf = (name: string) => running.get(name) ?? 0;
  const startWhatMay = () => {
    while (runningTotal < atOnceMax) {
      const next = waiting.findIndex(({ name }) => countOf(name) < perNameMax);
      if (next < 0) return;
      const [{ name, start }] = waiting.splice(next, 1) as [(typeof waiting)[number]];
      runningTotal++;
      running.set(name, countOf(name) + 1);
      start();
    }
  };
  const end = (name: string) => {
    runningTotal--;
    const left = countOf(name) - 1;
    if (left > 0) running.set(name, left);
    else running.delete(name);
    startWhatMay();
  };
  return {
    async take(name, work) {
      await new Promise<void>((start) => {
        waiting.push({ name, start });
        startWhatMay();
      });
      return work().finally(() => end(name));
    },
  };
}
