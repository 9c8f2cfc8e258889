import { cpuMicrosOfFamily } from '@assay/testing/measure/cpu-clock.ts';
import type pg from 'pg';
import { openStatementCount } from '../measure/statement-count.ts';
import type { SubmissionBench } from '../submissions/submission-bench.ts';
import type { Cost } from './measured.ts';

/** Reads what has been used since the meter was opened. */
export type Meter = () => Promise<Cost>;

/** Starts a worker and measures it with all the other parts. */
export async function openMeter(bench: SubmissionBench): Promise<Meter> {
  const { api, clocks, db } = bench;
  const worker = await bench.start('worker');
  const countStatements = await openStatementCount(db);
  const readLog = await openLogReader(db);
  const millis = (clock: () => number) => clock() / 1000;
  return async () => {
    const { service, engine } = await countStatements();
    const byDatabase = await readStatementTotals(db);
    const log = await readLog();
    return {
      statements: service,
      engineStatements: engine,
      ...byDatabase,
      ...log,
      apiMillis: millis(() => cpuMicrosOfFamily(api.pid)),
      workerMillis: millis(() => cpuMicrosOfFamily(worker.pid)),
      postgresMillis: millis(clocks.postgres),
      temporalMillis: millis(clocks.temporal),
      storageMillis: millis(clocks.storage),
      redisMillis: millis(clocks.redis),
    };
  };
}

/** How long statements ran, and what they wrote to the log. */
async function readStatementTotals(db: pg.Pool) {
  const { rows } = await db.query(`
    select
      coalesce(sum(total_exec_time) filter (where not is_engine), 0)::float8 as "sqlMillis",
      coalesce(sum(total_exec_time) filter (where is_engine), 0)::float8 as "engineSqlMillis",
      coalesce(sum(wal_bytes) filter (where not is_engine), 0)::float8 as "statementWalBytes",
      coalesce(sum(wal_bytes) filter (where is_engine), 0)::float8 as "engineStatementWalBytes"
    from (
      select s.*, datname like 'temporal%' as is_engine
      from pg_stat_statements s join pg_database d on d.oid = dbid
      where userid <> current_user::regrole and (datname = current_database() or datname like 'temporal%')
    ) as statements`);
  return rows[0] as Pick<Cost, 'sqlMillis' | 'engineSqlMillis' | 'statementWalBytes' | 'engineStatementWalBytes'>;
}

/**
 * Reads the write-ahead log of the whole server, which is that of the service and of the engine. Images of whole pages
 * are counted apart: a page has one after each checkpoint, so a short run has more of them per submission.
 */
async function openLogReader(db: pg.Pool) {
  await db.query('create extension pg_walinspect');
  const readPosition = async () => (await db.query('select pg_current_wal_flush_lsn() as lsn')).rows[0].lsn as string;
  let readUntil = await readPosition();
  const total = { commits: 0, walBytes: 0, pageImageBytes: 0 };
  return async () => {
    const now = await readPosition();
    if (now === readUntil) return { ...total };
    const { rows } = await db.query(
      `select
        coalesce(sum(count) filter (where "resource_manager/record_type" = 'Transaction/COMMIT'), 0)::float8 as commits,
        coalesce(sum(record_size), 0)::float8 as "walBytes", coalesce(sum(fpi_size), 0)::float8 as "pageImageBytes"
      from pg_get_wal_stats($1, $2, true)`,
      [readUntil, now],
    );
    for (const name of ['commits', 'walBytes', 'pageImageBytes'] as const) total[name] += rows[0][name];
    readUntil = now;
    return { ...total };
  };
}
