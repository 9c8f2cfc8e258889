import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import pg from 'pg';

/**
 * Preloaded into the worker with `--import`: counts the statements of its activities, and sends CRASH_SIGNAL to its own
 * process before or after (CRASH_WHEN) the statement CRASH_AT: a number, or its first words. Statements of sweepers and
 * health checks are not counted, because they run outside of any activity.
 */
export type Observed = {
  msg: 'statement' | 'signal sent' | 'resumed';
  number: number;
  activity: string;
  statement: string;
};

const { CRASH_AT, CRASH_WHEN, CRASH_SIGNAL = 'SIGKILL' } = process.env;

/** Sent while a file is downloaded and examined, as time passes, so it has no fixed position among the others. */
const progress = /\braised as \(\s*update assets set progress_percent =/;

type Activity = { info: { activityType: string } };
// The worker's own copy: another one would not know the activity.
const fromServer = createRequire(new URL('../../../../apps/server/package.json', import.meta.url));
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
  write({ msg: 'statement', ...observed });
  const isCrashPoint = CRASH_AT && (CRASH_AT === String(count) || observed.statement.startsWith(CRASH_AT));
  if (!isCrashPoint || wasSignalled) return sendQuery.apply(this, args);
  wasSignalled = true;
  return sendWithSignal(() => sendQuery.apply(this, args), observed);
} as typeof pg.Client.prototype.query;

async function sendWithSignal(send: () => Promise<unknown>, observed: Omit<Observed, 'msg'>): Promise<unknown> {
  const signalItself = () => {
    write({ msg: 'signal sent', ...observed });
    process.kill(process.pid, CRASH_SIGNAL);
  };
  if (CRASH_WHEN === 'before') signalItself();
  try {
    return await send();
  } finally {
    if (CRASH_WHEN === 'after') signalItself();
    write({ msg: 'resumed', ...observed });
  }
}

// Synchronously and not through a stream: the process may not survive until the next tick.
function write(observed: Observed): void {
  writeSync(1, `${JSON.stringify(observed)}\n`);
}
