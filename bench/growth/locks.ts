import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type LongestLock = { millis: number; mode: string; table: string };

const sampleMillis = 20;
/** Modes that hold back writes, or reads too. `ShareUpdateExclusiveLock`, of concurrent work, holds back neither. */
const blockingModes = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
export const loadName = 'growth load';
const watcherName = 'growth watcher';

/** Samples the locks that block other statements on tables that exist now, and returns the one that was held longest. */
export async function watchLocks(databaseUrl: string, superuser: pg.Client): Promise<{ stop(): Promise<LongestLock> }> {
  const { rows: tables } = await superuser.query<{ oid: number }>(
    `select oid::int from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  const client = new pg.Client({ connectionString: databaseUrl, application_name: watcherName });
  await client.connect();
  const known = tables.map(({ oid }) => oid);
  let isStopped = false;
  let longest: LongestLock = { millis: 0, mode: '', table: '' };
  const heldSince = new Map<string, number>();
  const watch = async () => {
    while (!isStopped) {
      const { rows } = await client.query<{ pid: number; table: string; mode: string }>(
        `select l.pid, l.relation::regclass::text as table, l.mode from pg_locks l
         join pg_stat_activity a on a.pid = l.pid
         where l.granted and l.relation = any($1::oid[]) and l.mode = any($2) and a.application_name not in ($3, $4)`,
        [known, blockingModes, loadName, watcherName],
      );
      const now = performance.now();
      const held = new Map(rows.map((row) => [`${row.pid} ${row.table} ${row.mode}`, row]));
      for (const key of heldSince.keys()) if (!held.has(key)) heldSince.delete(key);
      for (const [key, { table, mode }] of held) {
        const since = heldSince.get(key) ?? now;
        heldSince.set(key, since);
        if (now - since > longest.millis) longest = { millis: now - since, mode, table };
      }
      await sleep(sampleMillis);
    }
  };
  const watching = watch();
  return {
    async stop() {
      isStopped = true;
      await watching;
      await client.end();
      return longest;
    },
  };
}
