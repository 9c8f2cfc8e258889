import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import pg from 'pg';

/**
 * Preloaded into the worker with `--import`: counts the SQL statements of activities, and sends CRASH_SIGNAL to its own
 * process before or after (CRASH_WHEN) the statement CRASH_AT, given by its number or its first words. Statements of
 * sweepers and health checks are not counted, because they run outside of activities.
 */
export type CrashLogEntry = {
  msg: 'statement' | 'signal sent' | 'resumed';
  number: number;
  activity: string;
  statement: string;
};

const { CRASH_AT, CRASH_WHEN, CRASH_SIGNAL = 'SIGKILL' } = process.env;

/** Progress updates are sent periodically during an examination, so their position among other statements varies. */
const progressUpdate = /\braised as \(\s*update assets set progress_percent =/;

type Activity = { info: { activityType: string } };
// The worker's own copy of the package: a second copy would not have the current activity.
const requireFromServer = createRequire(new URL('../../../../apps/server/package.json', import.meta.url));
const { asyncLocalStorage } = requireFromServer('@temporalio/activity') as {
  asyncLocalStorage: { getStore(): Activity | undefined };
};

let statementCount = 0;
let isSignalSent = false;
const sendQuery = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;

pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
  const activity = asyncLocalStorage.getStore()?.info.activityType;
  const [first] = args as [string | { text: string }];
  const text = typeof first === 'string' ? first : first.text;
  if (activity === undefined || progressUpdate.test(text)) return sendQuery.apply(this, args);

  const observed = { number: ++statementCount, activity, statement: text.replaceAll(/\s+/g, ' ').trim() };
  writeEntry({ msg: 'statement', ...observed });
  const isCrashPoint = CRASH_AT && (CRASH_AT === String(statementCount) || observed.statement.startsWith(CRASH_AT));
  if (!isCrashPoint || isSignalSent) return sendQuery.apply(this, args);
  isSignalSent = true;
  return sendWithSignal(() => sendQuery.apply(this, args), observed);
} as typeof pg.Client.prototype.query;

async function sendWithSignal(send: () => Promise<unknown>, observed: Omit<CrashLogEntry, 'msg'>): Promise<unknown> {
  const signalItself = () => {
    writeEntry({ msg: 'signal sent', ...observed });
    process.kill(process.pid, CRASH_SIGNAL);
  };
  if (CRASH_WHEN === 'before') signalItself();
  try {
    return await send();
  } finally {
    if (CRASH_WHEN === 'after') signalItself();
    writeEntry({ msg: 'resumed', ...observed });
  }
}

// Written synchronously, because the process may be killed before the next tick.
function writeEntry(observed: CrashLogEntry): void {
  writeSync(1, `${JSON.stringify(observed)}\n`);
}
