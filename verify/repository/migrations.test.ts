import { describe, expect, test } from 'vitest';
import { findBlockingSql } from './blocking-sql.ts';
import { files, textOf } from './sources.ts';

const folder = 'apps/server/migrations/';
const earlier = {
  name: '1_first.sql',
  text: '-- migrate:up\ncreate table a (x int) partition by range (x);\ncreate table b (y int);\n-- migrate:down\n',
};
const objectionsTo = (up: string, options = '') =>
  findBlockingSql([earlier, { name: '2_second.sql', text: `-- migrate:up${options}\n${up}\n-- migrate:down\n` }]).map(
    ({ reason }) => reason,
  );
const apart = ' transaction:false';

const migrations = files
  .filter((file) => file.startsWith(folder) && /\/\d+_\w+\.sql$/.test(file))
  .toSorted()
  .map((file) => ({ name: file.slice(folder.length), text: textOf.get(file) ?? '' }));

describe('migrations', () => {
  test('have different numbers, by which the database remembers them', () => {
    const numbers = migrations.map(({ name }) => name.split('_')[0]);
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
  });

  test('block no request on a large table', () => {
    expect(migrations.length).toBeGreaterThan(20);
    expect(findBlockingSql(migrations)).toEqual([]);
  });

  test.each([
    ['an index', 'create index i on a (x);', '', 'indexes.sql'],
    ['an index of the partitioned table alone', 'create index i on only a (x);', '', 'indexes.sql'],
    ['a concurrent index in a transaction', 'create index concurrently i on b (y);', '', 'indexes.sql'],
    ['a column with a check', 'alter table a add column z int check (z > 0);', '', 'without it'],
    ['a column with a reference', 'alter table a add column z int references b;', '', 'without it'],
    ['a column without a value', 'alter table a add column z int not null;', '', 'needs a default'],
    ['a column with a value per row', 'alter table a add column z uuid default gen_random_uuid();', '', 'rewrites'],
    ['a constraint that reads all rows', 'alter table a add constraint c check (x > 0);', '', '`not valid`'],
    ['a check without a name', 'alter table b add column z int, add check (y > 0) not valid;', '', 'name'],
    [
      'a constraint that nothing validates',
      'alter table a add constraint c check (x > 0) not valid;',
      '',
      'afterwards',
    ],
    [
      'a validation in the transaction of the constraint',
      'alter table a add constraint c check (x > 0) not valid; alter table a validate constraint c;',
      '',
      'of its own',
    ],
    ['a unique constraint', 'alter table b add constraint u unique (y);', '', 'index first'],
    ['a column that becomes required', 'alter table b alter column y set not null;', '', 'check'],
    ['another type', 'alter table b alter y type bigint;', '', 'type'],
    ['a lock', 'lock table b in share mode;', '', 'lock'],
    ['two tables', 'alter table a add column z int; alter table b add column z int;', '', 'one existing table'],
    ['what may take long beside a change', 'alter table a add column z int; update b set y = 1;', '', 'of its own'],
    ['a column without the word', 'alter table a add z int;', '', 'add column'],
    ['a file without transactions', 'alter table a add column z int; select 1;', apart, 'begin and commit'],
  ])('are refused with %s', (_what, up, options, reason) => {
    expect(objectionsTo(up, options)).toEqual([expect.stringContaining(reason)]);
  });

  test.each([
    [
      'columns',
      "alter table a add column z int not null default 1, add column u timestamptz default now() + '1 h';",
      '',
    ],
    ['what belongs to a new table', 'create table c (z int check (z > 0)); create index i on c (z);', ''],
    [
      'a constraint and its validation, each in its transaction',
      'begin; alter table a add constraint c check (x > 0) not valid; commit; begin; alter table a validate constraint c; commit;',
      apart,
    ],
    [
      'two tables, each in its transaction',
      'begin; alter table a add column z int; commit; begin; alter table b add column z int; commit;',
      apart,
    ],
    ['the body of a function', 'create function f() returns void language sql as $$ create index i on a (x); $$;', ''],
  ])('may contain %s', (_what, up, options) => {
    expect(objectionsTo(up, options)).toEqual([]);
  });
});
