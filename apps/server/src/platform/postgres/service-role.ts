import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { DB } from './database.generated.ts';

type Right = 'select' | 'insert' | 'update' | 'delete';
const readOnly: Right[] = ['select'];
const append: Right[] = ['select', 'insert'];
const appendAndChange: Right[] = ['select', 'insert', 'update'];
const appendAndRemove: Right[] = ['select', 'insert', 'delete'];
const readAndRemove: Right[] = ['select', 'delete'];
const everything: Right[] = ['select', 'insert', 'update', 'delete'];

/**
 * What the service may do with each table. What it must not change is changed by triggers, by functions, or never. The
 * previous version still runs while `migrate` takes rights: one that it uses stays until the version after this.
 */
export const tableRights: Record<keyof DB | 'schema_migrations', Right[]> = {
  admin_actions: append,
  api_keys: appendAndChange,
  asset_versions: appendAndRemove,
  assets: everything,
  blobs: everything,
  credit_entries: append,
  credit_totals: readOnly,
  deliveries: everything,
  events: appendAndRemove,
  examination_tries: everything,
  examinations: everything,
  idempotency_keys: everything,
  issue_decisions: append,
  issues: everything,
  measurements: everything,
  profile_revisions: appendAndRemove, // a trigger keeps those of profiles that exist
  profiles: everything,
  runs_to_cancel: everything,
  runs_to_start: everything,
  schema_migrations: readOnly,
  stills: appendAndRemove,
  storage_totals: appendAndChange,
  submissions: everything,
  submissions_to_judge: readAndRemove,
  subscriptions: everything,
  version_groups: appendAndChange,
  workspaces: appendAndChange,
};

/** What the service calls with the rights of the owner. Nobody else may call it. */
const ownersFunctions = [
  'make_months(timestamptz, int)',
  'drop_empty_month_table(timestamptz)',
  'remove_decisions(uuid, uuid)',
];

/** A right that a role lacks, or has and should not have. */
export type WrongRight = { kind: 'table' | 'function'; name: string; right: string; isMissing: boolean };

/**
 * Selects the rights of the role $1 that differ from those that the service needs. What does not exist yet is left out.
 * The other parameters are those of `wrongRightsParameters`.
 */
export const wrongRights = `
  with wanted as (
    select 'table' as kind, name, "right", "right" = any(string_to_array(rights, ',')) as is_wanted,
      has_table_privilege($1, to_regclass(name), "right") as is_granted
    from unnest($2::text[], $3::text[]) as tables (name, rights),
      unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as "right"
    union all
    select 'function', name, 'execute', true, has_function_privilege($1, to_regprocedure(name), 'execute')
    from unnest($4::text[]) as functions (name)
  )
  select kind, name, "right", is_wanted as "isMissing" from wanted where is_granted <> is_wanted order by 1, 2, 3`;

export const wrongRightsParameters = (role: string): unknown[] => [
  role,
  Object.keys(tableRights),
  Object.values(tableRights).map((rights) => rights.join(',')),
  ownersFunctions,
];

/** The user of a database URL. */
export const userOf = (databaseUrl: string): string => decodeURIComponent(new URL(databaseUrl).username);

/**
 * Gives the role of this URL the rights that the service needs, and takes all others. Creates the role if it does not
 * exist. Can be repeated.
 */
export async function grantToService(owner: pg.Client, serviceUrl: string): Promise<void> {
  const role = userOf(serviceUrl);
  await createRole(owner, role, decodeURIComponent(new URL(serviceUrl).password));
  const { rows: memberships } = await owner.query(`select pg_has_role($1, current_user, 'member') as "isOwner"`, [
    role,
  ]);
  if (memberships[0].isOwner) {
    console.warn(`The role ${role} has the rights of the owner or is a superuser, so they cannot be limited`);
    return;
  }
  const { rows } = await owner.query<WrongRight>(wrongRights, wrongRightsParameters(role));
  const to = owner.escapeIdentifier(role);
  const changes = rows.map(({ kind, name, right, isMissing }) =>
    isMissing ? `grant ${right} on ${kind} ${name} to ${to}` : `revoke ${right} on ${kind} ${name} from ${to}`,
  );
  // In one transaction: the service never lacks what it had.
  await owner.query(
    ['begin', `grant usage on schema ${await currentSchema(owner)} to ${to}`, ...changes, 'commit'].join(';\n'),
  );
  if (changes.length > 0) console.log(`Changed ${changes.length} rights of the role ${role}`);
}

async function currentSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query('select current_schema()::regnamespace::text as name');
  return rows[0].name;
}

const insufficientPrivilege = '42501';

async function createRole(owner: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount) return;
  const secret = password ? ` password ${owner.escapeLiteral(scramVerifier(password))}` : '';
  try {
    await owner.query(`create role ${owner.escapeIdentifier(role)} login${secret}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== insufficientPrivilege) throw error;
    const advice = `Create the role of DATABASE_URL as a superuser: create role "${role}" login password '…'`;
    throw new Error(`the role "${role}" does not exist, and this user may not create it. ${advice}`, { cause: error });
  }
  console.log(`Created the role ${role}`);
}

/** What PostgreSQL stores of a password. Sent instead of it, so that no log of the server contains the password. */
function scramVerifier(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`;
}
