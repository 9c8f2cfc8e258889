/** Places of one process by name, so many of each. */
export type Places = {
  /** How to leave it again; undefined when none was free by then. Who waits longest is next. */
  take(name: string, placesMax: number, deadline: number): Promise<(() => void) | undefined>;
};

type Line = { taken: number; waiting: ((isFree: boolean) => void)[] };

export function createPlaces(): Places {
  const lines = new Map<string, Line>();

  const leave = (name: string, line: Line) => () => {
    const next = line.waiting.shift();
    if (next) return next(true); // the place goes from hand to hand
    line.taken--;
    if (line.taken === 0) lines.delete(name);
  };

  return {
    async take(name, placesMax, deadline) {
      const line = lines.get(name) ?? { taken: 0, waiting: [] };
      lines.set(name, line);
      if (line.taken < placesMax) {
        line.taken++;
        return leave(name, line);
      }
      const isFree = await new Promise<boolean>((resolve) => {
        const giveUp = () => {
          line.waiting = line.waiting.filter((one) => one !== answer);
          resolve(false);
        };
        const timer = setTimeout(giveUp, Math.max(0, deadline - Date.now()));
        const answer = (isMine: boolean) => {
          clearTimeout(timer);
          resolve(isMine);
        };
        line.waiting.push(answer);
      });
      return isFree ? leave(name, line) : undefined;
    },
  };
}
