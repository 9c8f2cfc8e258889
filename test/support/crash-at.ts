import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import pg from 'pg';

/**
 * Put before the worker with `--import`: counts the statements that its activities send, and sends its own process
 * CRASH_SIGNAL before or after (CRASH_WHEN) the one that is CRASH_AT: a number, or the words that it begins with. What
 * sweepers and health checks send is not counted, as they run outside of any activity.
 */
export type Observed = {
  msg: 'a statement' | 'a signal to itself' | 'it went on';
  number: number;
  activity: string;
  statement: string;
};

const { CRASH_AT, CRASH_WHEN, CRASH_SIGNAL = 'SIGKILL' } = process.env;

/** Written on the side while a file arrives, so it has no fixed place among the others. */
const progress = /^update "assets" set "progress_percent" = \$1 where/;

type Activity = { info: { activityType: string } };
// The worker's own copy: another one would know of no activity.
const fromServer = createRequire(new URL('../../apps/server/package.json', import.meta.url));
const { asyncLocalStorage } = fromServer('@temporalio/activity') as {
  asyncLocalStorage: { getStore(): Activity | undefined };
};

let count = 0;
let wasSignalled = false;
const sendQuery = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;

pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
  const activity = asyncLocalStorage.getStore()?.info.activityType;
  const [first] = args as [string | { text: string }];
  const text = typeof first === 'string' ? first : first.text;
  if (activity === undefined || progress.test(text)) return sendQuery.apply(this, args);

  const observed = { number: ++count, activity, statement: text.replaceAll(/\s+/g, ' ').trim() };
  tell({ msg: 'a statement', ...observed });
  const isTheOne = CRASH_AT && (CRASH_AT === String(count) || observed.statement.startsWith(CRASH_AT));
  if (!isTheOne || wasSignalled) return sendQuery.apply(this, args);
  wasSignalled = true;
  return sendWithSignal(() => sendQuery.apply(this, args), observed);
} as typeof pg.Client.prototype.query;

async function sendWithSignal(send: () => Promise<unknown>, observed: Omit<Observed, 'msg'>): Promise<unknown> {
  const signalItself = () => {
    tell({ msg: 'a signal to itself', ...observed });
    process.kill(process.pid, CRASH_SIGNAL);
  };
  if (CRASH_WHEN === 'before') signalItself();
  try {
    return await send();
  } finally {
    if (CRASH_WHEN === 'after') signalItself();
    tell({ msg: 'it went on', ...observed });
  }
}

// At once and not through a stream: the process may not live to see the next turn.
function tell(observed: Observed): void {
  writeSync(1, `${JSON.stringify(observed)}\n`);
}
