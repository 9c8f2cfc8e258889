import { randomUUID } from 'node:crypto';
import { azureEnvironmentOf, openInstance, s3EnvironmentOf } from '@assay/stack/instance.ts';
import { openBlobService } from '@assay/stack/parts/azurite.ts';
import { openS3 } from '@assay/stack/parts/versitygw.ts';
import { createBucket } from '@assay/stack/provision/create-bucket.ts';
import { testEnvironment } from '@assay/testing/service/api.ts';
import { asOwner, copyDatabase, createDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '#config/config.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { stores } from '#platform/storage/stores.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run-doctor.ts';

const testInstance = openInstance('test');
const serverUrl = inject('environment').DATABASE_URL as string;

async function runDoctorWith(overrides: Record<string, string> = {}, ...args: string[]) {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const exitCode = await runDoctor(readConfig(testEnvironment(overrides)), [...args, '--json']);
  const findings = JSON.parse(print.mock.lastCall?.[0]) as Finding[];
  return { exitCode, findings, problems: findings.filter(({ status }) => status !== 'ok') };
}

/** Creates a database for one test, with the newest schema or empty. */
async function openDatabase(isMigrated = true) {
  const name = `assay_doctor_${randomUUID().replaceAll('-', '')}`;
  const url = isMigrated ? await copyDatabase(inject('templateUrl'), name) : await createDatabase(serverUrl, name);
  onTestFinished(() => dropDatabase(serverUrl, name));
  const client = new pg.Client({ connectionString: asOwner(url) });
  await client.connect();
  onTestFinished(() => client.end());
  return { url, client };
}

test('doctor reports no problem in a healthy installation', async () => {
  const { exitCode, findings, problems } = await runDoctorWith();
  const dependingOnHost = ['documentation', 'disk']; // on this host the pages may not be built, and the disk may be nearly full
  expect(problems.filter(({ part }) => !dependingOnHost.includes(part))).toEqual([]);
  expect(exitCode).toBe(0);
  const parts = findings.map(({ part }) => part);
  expect(parts).toEqual(
    expect.arrayContaining(['storage If-Match', 'storage deletion', 'storage upload URL', 'schema', 'clock', 'jail']),
  );
});

test('doctor --role api checks neither the jail nor the workflow code', async () => {
  const { findings } = await runDoctorWith({}, '--role', 'api');
  const parts = findings.map(({ part }) => part);
  expect(parts).toContain('schema');
  for (const part of ['jail', 'disk', 'workflow code']) expect(parts).not.toContain(part);
});

test.each([
  ['PostgreSQL is not running', 'postgres', { DATABASE_URL: 'postgres://assay@127.0.0.1:1/assay' }, 'DATABASE_URL'],
  ['Redis is not running', 'redis', { REDIS_URL: 'redis://127.0.0.1:1' }, 'REDIS_URL'],
  ['the engine has no such namespace', 'temporal', { TEMPORAL_NAMESPACE: 'nowhere' }, 'TEMPORAL_NAMESPACE'],
  ['the container does not exist', 'storage', { BLOB_CONTAINER: 'nowhere', S3_BUCKET: 'nowhere' }, 'container'],
])('doctor reports that %s, and what to check', async (_, part, overrides, fix) => {
  const { exitCode, problems } = await runDoctorWith(overrides as unknown as Record<string, string>);
  expect(exitCode).toBe(1);
  expect(problems).toContainEqual({
    part,
    status: 'failed',
    detail: expect.any(String),
    fix: expect.stringContaining(fix),
  });
});

test('doctor only warns if the upload URL is unreachable from the server, because callers may reach it', async () => {
  const setting = stores[readConfig(inject('environment')).OBJECT_STORE].urls.callers;
  const { exitCode, problems } = await runDoctorWith({ [setting]: 'http://127.0.0.1:1/account' }, '--role', 'api');
  expect(exitCode).toBe(0);
  expect(problems).toContainEqual(expect.objectContaining({ part: 'storage upload URL', status: 'warning' }));
});

test('doctor reports a bucket with versioning, in which deleted media would stay', async () => {
  const bucket = 'assay-versioned';
  const s3 = openS3(testInstance, s3EnvironmentOf(testInstance).S3_ENDPOINT as string);
  onTestFinished(() => s3.destroy());
  await createBucket(s3, bucket);
  for (const Status of ['Enabled', 'Suspended'] as const) {
    await s3.putBucketVersioning({ Bucket: bucket, VersioningConfiguration: { Status } });
    const settings = { OBJECT_STORE: 's3', ...s3EnvironmentOf(testInstance), S3_BUCKET: bucket };
    const { exitCode, problems } = await runDoctorWith(settings, '--role', 'api');
    expect(exitCode).toBe(1);
    expect(problems).toContainEqual(deletionFinding('versioning'));
  }
});

test('doctor reports an account with soft delete, in which deleted media would stay', async () => {
  const settings = { OBJECT_STORE: 'azure', ...azureEnvironmentOf(testInstance) };
  const service = openBlobService(testInstance);
  onTestFinished(() => service.setProperties({ deleteRetentionPolicy: { enabled: false } }).then(() => {}));
  await service.setProperties({ deleteRetentionPolicy: { enabled: true, days: 7 } });
  const { exitCode, problems } = await runDoctorWith(settings, '--role', 'api');
  expect(exitCode).toBe(1);
  expect(problems).toContainEqual(deletionFinding('soft delete'));
});

const deletionFinding = (keeper: string) => ({
  part: 'storage deletion',
  status: 'failed',
  detail: `${keeper} is on, so media stay readable after Assay has deleted them`,
  fix: expect.stringContaining(`without ${keeper}`),
});

test('doctor reports pending migrations as a warning, and migrations of a newer version as a failure', async () => {
  const { url, client } = await openDatabase();
  await client.query('delete from schema_migrations where version = (select max(version) from schema_migrations)');
  const pending = await runDoctorWith({ DATABASE_URL: url }, '--role', 'api');
  expect(pending.problems).toContainEqual(
    expect.objectContaining({ part: 'schema', status: 'warning', fix: 'Run the command migrate.' }),
  );
  await client.query("insert into schema_migrations values ('29991231000001')");
  const newer = await runDoctorWith({ DATABASE_URL: url }, '--role', 'api');
  expect(newer.problems).toContainEqual(expect.objectContaining({ part: 'schema', status: 'failed' }));
});

test('doctor reports an index that is not built', async () => {
  const { url, client } = await openDatabase();
  await client.query('drop index submissions_unfinished');
  const { problems } = await runDoctorWith({ DATABASE_URL: url }, '--role', 'api');
  expect(problems).toContainEqual(
    expect.objectContaining({
      part: 'schema',
      status: 'warning',
      detail: expect.stringContaining('the index submissions_unfinished'),
    }),
  );
});

test('doctor reports a database user without the right to create tables', async () => {
  const { url, client } = await openDatabase();
  await client.query('revoke create on schema public from pg_database_owner, public');
  const { problems } = await runDoctorWith({ DATABASE_URL: asOwner(url) }, '--role', 'api');
  expect(problems).toContainEqual(expect.objectContaining({ part: 'postgres rights', status: 'failed' }));
});

test('doctor warns if the service uses the role that owns the tables, which still works', async () => {
  const { url } = await openDatabase();
  const { exitCode, problems } = await runDoctorWith({ DATABASE_URL: asOwner(url) }, '--role', 'api');
  expect(problems).toContainEqual({
    part: 'postgres role',
    status: 'warning',
    detail: 'assay owns the tables, so the service can change what it records',
    fix: expect.stringContaining('docs/operate/database-roles.md'),
  });
  expect(exitCode).toBe(0);
});

test('doctor warns if the service uses a superuser', async () => {
  const { url } = await openDatabase();
  const superuserUrl = new URL(url);
  superuserUrl.username = 'postgres';
  const { problems } = await runDoctorWith({ DATABASE_URL: superuserUrl.href }, '--role', 'api');
  expect(problems).toContainEqual(
    expect.objectContaining({ part: 'postgres role', status: 'warning', detail: expect.stringContaining('superuser') }),
  );
});

test.each([
  ['failed', 'revoke insert on table admin_actions from assay_service', 'lacks 1 rights, such as insert on the table'],
  [
    'failed',
    'revoke execute on function make_months from assay_service',
    'such as execute on the function make_months',
  ],
  [
    'warning',
    'grant update on credit_entries to assay_service',
    'not need, such as update on the table credit_entries',
  ],
  ['warning', 'grant create on schema public to assay_service', 'may create tables'],
])('doctor reports wrong rights (%s after `%s`), which migrate corrects', async (status, change, detail) => {
  const { url, client } = await openDatabase();
  await client.query(change);
  const doctor = () => runDoctorWith({ DATABASE_URL: url }, '--role', 'api');
  expect((await doctor()).problems).toContainEqual(
    expect.objectContaining({ part: 'postgres rights', status, detail: expect.stringContaining(detail) }),
  );
  if (change.includes('schema')) return; // rights of the schema are those of its owner
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  await migrate(asOwner(url), url);
  print.mockRestore();
  expect((await doctor()).problems.filter(({ part }) => part.startsWith('postgres'))).toEqual([]);
});

test('a migration that is blocked by a long transaction is retried until the transaction ends', async () => {
  const { url, client } = await openDatabase(false);
  await client.query('create table schema_migrations (version varchar(128) primary key)');
  await client.query('begin; lock table schema_migrations in access exclusive mode');
  const notices = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => notices.mockRestore());
  const migrated = migrate(asOwner(url));
  await vi.waitFor(() => expect(notices).toHaveBeenCalledWith(expect.stringContaining('trying again')), 30_000);
  await client.query('rollback');
  await migrated;
  const { rows } = await client.query("select to_regclass('submissions') as found");
  expect(rows).toEqual([{ found: 'submissions' }]);
}, 90_000);
