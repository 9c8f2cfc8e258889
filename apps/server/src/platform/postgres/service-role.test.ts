import { randomBytes } from 'node:crypto';
import { asOwner, copyDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { migrate } from './migrate.ts';

const serverUrl = inject('environment').DATABASE_URL as string;

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the database is dropped at the end
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A database with the newest schema, and the URL of a role that does not exist. */
async function openFixture() {
  const [id, password] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
  const url = await copyDatabase(inject('templateUrl'), `assay_role_${id}`);
  onTestFinished(() => dropDatabase(serverUrl, `assay_role_${id}`));
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  const urlOf = (user: string, secret?: string) => {
    const changed = new URL(url);
    changed.username = user;
    if (secret) changed.password = secret;
    return changed.href;
  };
  const role = `assay_new_${id}`;
  return { url, role, superuserUrl: urlOf('postgres'), newUrl: urlOf(role, password), print };
}

test('migrate creates the role of the service with its password, and gives it exactly its rights', async () => {
  const { role, superuserUrl, newUrl, print } = await openFixture();
  const superuser = await open(superuserUrl);
  onTestFinished(() => superuser.query(`drop owned by ${role}; drop role ${role}`).then(() => {}));
  await migrate(superuserUrl, newUrl);
  expect(print).toHaveBeenCalledWith(`Created the role ${role}`);
  const service = await open(newUrl);
  await service.query("select make_months(now(), 1); select drop_empty_month_table('2000-01-01')");
  await service.query(`insert into workspaces values (gen_random_uuid(), 'a', 'pro')`);
  for (const statement of [
    'delete from workspaces',
    'update credit_totals set credits = 0',
    'truncate assets',
    'create table more (id int)',
    'drop function remove_decisions',
    'alter table admin_actions disable trigger all',
  ]) {
    await expect(service.query(statement), statement).rejects.toThrow(/permission denied|must be owner/);
  }
  print.mockClear();
  await migrate(superuserUrl, newUrl);
  expect(print).not.toHaveBeenCalled();
});

test('migrate says how to create the role if it may not, and changes nothing for a role that has all rights', async () => {
  const { url, role, superuserUrl, newUrl } = await openFixture();
  await expect(migrate(asOwner(url), newUrl)).rejects.toThrow(`create role "${role}" login`);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  await migrate(asOwner(url), superuserUrl);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('cannot be limited'));
});

test('only the role of the service may call functions with the rights of the owner', async () => {
  const { url, role, superuserUrl, newUrl } = await openFixture();
  const superuser = await open(superuserUrl);
  await superuser.query(`create role ${role} login password '${new URL(newUrl).password}'`);
  onTestFinished(() => superuser.query(`drop role ${role}`).then(() => {}));
  const stranger = await open(newUrl);
  for (const call of [
    'make_months(now(), 1)',
    'drop_empty_month_table(now())',
    'remove_decisions(gen_random_uuid(), gen_random_uuid())',
  ]) {
    await expect(stranger.query(`select ${call}`), call).rejects.toThrow('permission denied');
  }
  const { rows } = await (await open(url)).query(
    `select proname from pg_proc where prosecdef and not coalesce(proconfig::text ~ 'search_path=public, pg_temp', false)`,
  );
  expect(rows).toEqual([]);
});

test('names in functions with the rights of the owner cannot be redirected by temporary tables', async () => {
  const { url } = await openFixture();
  const service = await open(url);
  await service.query(`insert into workspaces values (gen_random_uuid(), 'a', 'pro')`);
  await service.query(`create temporary table credit_totals (workspace_id uuid, shard int, credits bigint)`);
  await service.query(`insert into credit_entries select workspace_id, gen_random_uuid(), 1, 1 from workspaces`);
  const { rows } = await service.query('select sum(credits)::int as credits from public.credit_totals');
  expect(rows).toEqual([{ credits: 1 }]);
});
