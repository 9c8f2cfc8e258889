import { CompiledQuery, sql } from 'kysely';
import type { Db } from '#platform/postgres/db.ts';
import { type WrongRight, wrongRights, wrongRightsParameters } from '#platform/postgres/service-role.ts';

export type DatabaseFacts = {
  version: string;
  versionNumber: number;
  user: string;
  isSuperuser: boolean;
  /** Null if there are no tables yet. */
  isOwner: boolean | null;
  canCreate: boolean;
  connectionsMax: number;
  connectionsUsed: number;
  longTransactions: number;
};

/** `longTransactions` is the number of transactions in this database that are older than `longTransactionSeconds`. */
export async function readDatabaseFacts(db: Db, longTransactionSeconds: number): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version,
           current_setting('server_version_num')::int / 10000 as "versionNumber",
           current_user as "user",
           (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
           (select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('workspaces')) as "isOwner",
           has_schema_privilege('public', 'create') as "canCreate",
           current_setting('max_connections')::int as "connectionsMax",
           (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsUsed",
           (select count(*)::int from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid()
               and xact_start < now() - make_interval(secs => ${longTransactionSeconds})) as "longTransactions"
  `.execute(db);
  return rows[0] as DatabaseFacts;
}

/** The rights of this user that differ from those that the service needs. */
export async function findWrongRights(db: Db, user: string): Promise<WrongRight[]> {
  const { rows } = await db.executeQuery<WrongRight>(CompiledQuery.raw(wrongRights, wrongRightsParameters(user)));
  return rows;
}
