import type { History } from './check/history.ts';
import type { Callers } from './load/callers.ts';

const progressMillis = 5000;

/** Prints a line every few seconds and after every strike. */
export function showProgress(history: History, { tally, pool }: Callers) {
  let phase = '';
  let plannedCount = 0;
  let strikeCount = 0;
  const print = (text: string) => console.log(`${Math.round(history.nowMillis() / 1000)} s, ${text}`);
  const describe = () => {
    const { acknowledged, settled, deleted } = tally;
    const counts = `${acknowledged} acknowledged, ${settled} settled, ${deleted} deleted, ${pool.size()} in progress`;
    return `${phase}: ${strikeCount} of ${plannedCount} strikes; ${counts}`;
  };
  const timer = setInterval(() => print(describe()), progressMillis);
  return {
    describe,
    expect(strikes: number) {
      plannedCount = strikes;
    },
    enter(name: string) {
      phase = name;
      history.record({ atMillis: history.nowMillis(), op: 'phase', name });
    },
    countStrike(text: string) {
      strikeCount++;
      print(`strike ${strikeCount} of ${plannedCount}: ${text}`);
    },
    end: () => clearInterval(timer),
  };
}
