import { openTestApi } from '@assay/testing/service/api.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

const { db } = (await openTestApi()).handles;

test('a statement on the tables of many months is planned once, and is not compiled each time it runs', async () => {
  const { rows } = await sql<{ plans: string; compiles: string }>`
    select current_setting('plan_cache_mode') as plans, current_setting('jit') as compiles`.execute(db);
  expect(rows).toEqual([{ plans: 'force_generic_plan', compiles: 'off' }]);
});
