import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { Outage } from '../outage.ts';
import type { DB } from './database.generated.ts';

export type Db = Kysely<DB>;

// pg waits for ever by default. These limits keep a request under 5 s when packets are lost:
// at most one wait for a connection and one for the statement that then fails.
const connectMillisMax = 2000;
const statementMillisMax = 2500;
const namedStatementsMax = 500;

export function openDb(url: string, connectionsMax: number, log: Log): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMillisMax,
    query_timeout: statementMillisMax,
    statement_timeout: statementMillisMax,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    application_name: 'assay',
    // Every statement uses an index whatever its values are. By default PostgreSQL would plan statements on the
    // monthly partitions again for each execution, because it estimates them as expensive: most of the time of a read.
    // For the same reason it would compile them to machine code, again for each execution: up to two seconds for a
    // statement that takes a millisecond.
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke; the pool opens a new one'));
  // A connection in use may break between two statements, for example in a transaction of a paused process. Without a
  // listener that would end the process; the next statement fails anyway.
  pool.on('connect', (client) => client.on('error', () => {}));
  const nameOf = createStatementNames();
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { connect: () => connectOrRefuse(pool, nameOf), end: () => pool.end(), options: {} },
    }),
  });
  return { db, pool };
}

/** Runs the work in a transaction: the open one if there is one, else a new one. */
export function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** Health check: resolves when the database responds. */
export async function checkDb(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/**
 * Names statements, so that each connection parses and plans each of them once. The number of names is limited, because
 * that of statements that depend on a caller's query is not.
 */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    if (!names.has(text) && names.size < namedStatementsMax) names.set(text, `statement_${names.size}`);
    return names.get(text);
  };
}

async function connectOrRefuse(pool: pg.Pool, nameOf: (text: string) => string | undefined) {
  const client = await pool.connect().catch((error) => {
    throw outageOf(error) ?? error;
  });
  let outage: Outage | undefined;
  return {
    // The dialect calls this with exactly (sql, parameters). A client that lost its server, or that is still busy with
    // an abandoned statement, must not return to the pool. It is not used again either: a transaction's rollback would
    // wait as long as the statement that failed.
    query: async (text: string, values: unknown[]) => {
      if (outage) throw outage;
      return client.query({ name: nameOf(text), text, values }).catch((error) => {
        outage ??= outageOf(error);
        throw outage ?? error;
      });
    },
    release: () => client.release(outage !== undefined),
    processID: 0,
  } as never;
}

function outageOf(error: unknown): Outage | undefined {
  return isOutage(error) ? new Outage('postgres', error) : undefined;
}

// SQLSTATE classes: 08 connection, 53 resources (too many clients), 57 operator (shutdown, statement timeout); 25006 is
// a read-only standby. Any other code comes from a socket or from TLS (ECONNREFUSED, CERT_HAS_EXPIRED, …). Timeouts of
// pg and its refusal of a server without TLS have no code; only their message identifies them.
function isOutage(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code && /^[0-9A-Z]{5}$/.test(code)) return /^(08|53|57)/.test(code) || code === '25006';
  if (code) return true;
  return /timeout|terminated|Connection ended|not queryable|SSL connection/i.test(message);
}
