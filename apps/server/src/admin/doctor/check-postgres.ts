import type { Handles } from '#platform/handles.ts';
import { checkClock } from '#platform/postgres/database-time.ts';
import type { Db } from '#platform/postgres/db.ts';
import { compareSchema } from '#platform/postgres/migrate.ts';
import { type Finding, failedFinding, okFinding, warningFinding } from './finding.ts';
import { type DatabaseFacts, findWrongRights, readDatabaseFacts } from './store.ts';

const postgresMajorMin = 15;
/** A migration waits for older transactions that use the same tables. */
const longTransactionSeconds = 60;

export async function checkPostgres(handles: Pick<Handles, 'db' | 'clock'>): Promise<Finding[]> {
  const facts = await readDatabaseFacts(handles.db, longTransactionSeconds);
  return [
    checkVersion(facts),
    ...(await checkRole(handles.db, facts)),
    ...checkLoad(facts),
    await checkSchema(handles.db),
  ];
}

/** Fails if the clock of this host differs from the database's. */
export async function checkClocks(handles: Pick<Handles, 'db' | 'clock'>): Promise<Finding[]> {
  await checkClock(handles);
  return [okFinding('clock', 'agrees with the database')];
}

function checkVersion({ version, versionNumber }: DatabaseFacts): Finding {
  if (versionNumber >= postgresMajorMin) return okFinding('postgres version', version);
  return failedFinding('postgres version', version, `Upgrade PostgreSQL to version ${postgresMajorMin} or later.`);
}

const rolesAdvice = 'Give the service a role of its own: docs/operate/database-roles.md.';
const grantAdvice = 'Run migrate with the URL of the owner in MIGRATION_DATABASE_URL.';

async function checkRole(db: Db, facts: DatabaseFacts): Promise<Finding[]> {
  const { user, isSuperuser, isOwner, canCreate } = facts;
  if (isSuperuser) {
    const detail = `${user} is a superuser: a process that is taken over could read and change the whole server`;
    return [warningFinding('postgres role', detail, rolesAdvice)];
  }
  if (isOwner !== false) return [checkRights(facts), ...(isOwner ? [ownerFinding(user)] : [])];
  const part = 'postgres rights';
  const wrong = await findWrongRights(db, user);
  const missing = wrong.filter(({ isMissing }) => isMissing);
  const needless = wrong.filter(({ isMissing }) => !isMissing);
  const describe = ([first]: typeof wrong) => `such as ${first?.right} on the ${first?.kind} ${first?.name}`;
  if (missing.length > 0)
    return [failedFinding(part, `${user} lacks ${missing.length} rights, ${describe(missing)}`, grantAdvice)];
  if (needless.length > 0) {
    const detail = `${user} has ${needless.length} rights that the service does not need, ${describe(needless)}`;
    return [warningFinding(part, detail, grantAdvice)];
  }
  if (canCreate) {
    const fix = 'As the owner of the database: revoke create on schema public from public';
    return [warningFinding(part, `${user} may create tables, which the service does not need`, fix)];
  }
  return [okFinding(part, `${user} has the rights that the service needs, and no others`)];
}

const ownerFinding = (user: string) =>
  warningFinding('postgres role', `${user} owns the tables, so the service can change what it records`, rolesAdvice);

function checkRights({ user, canCreate }: DatabaseFacts): Finding {
  if (canCreate) return okFinding('postgres rights', `${user} may create tables`);
  const fix = `As the owner of the database: grant create on schema public to "${user}". With two roles, run migrate first.`;
  return failedFinding('postgres rights', `${user} may not create tables, so it cannot migrate`, fix);
}

function checkLoad({ connectionsMax, connectionsUsed, longTransactions }: DatabaseFacts): Finding[] {
  const used = `${connectionsUsed} of ${connectionsMax} connections are in use`;
  const isNearlyFull = connectionsUsed > connectionsMax * 0.9;
  return [
    isNearlyFull
      ? warningFinding(
          'postgres load',
          used,
          'Raise max_connections, or lower DATABASE_CONNECTIONS_MAX of the processes.',
        )
      : okFinding('postgres load', used),
    ...(longTransactions > 0
      ? [
          warningFinding(
            'postgres load',
            `${longTransactions} transactions are older than ${longTransactionSeconds} s`,
            'A migration may have to wait for them and give up. Let them end first; pg_stat_activity lists them.',
          ),
        ]
      : []),
  ];
}

async function checkSchema(db: Db): Promise<Finding> {
  const { pending, unknown } = await compareSchema(db);
  if (unknown.length > 0) {
    const detail = `the database has ${unknown.length} migrations that this version does not know, such as ${unknown[0]}`;
    return failedFinding('schema', detail, 'Run the version that made them, or a newer one.');
  }
  if (pending.length === 0) return okFinding('schema', 'is up to date');
  return warningFinding(
    'schema',
    `${pending.length} migrations are pending, the first is ${pending[0]}`,
    'Run the command migrate.',
  );
}
