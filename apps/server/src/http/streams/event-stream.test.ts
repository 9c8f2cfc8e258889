import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { follow } from '@assay/testing/service/follow.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';

const ownerDb = openOwnerDb();

test('a stream that fails because of a bug is logged with its error and request ID', async () => {
  const { makeWorkspace } = await openTestApi(liftedLimits);
  const { workspaceId, sandboxKey } = await makeWorkspace();
  const entries: Record<string, unknown>[] = [];
  const server = await startServerProcess('api', testEnvironment(), { onEntry: (entry) => entries.push(entry) });
  onTestFinished(async () => void (await server.stop()));
  const stream = await follow(server.url, sandboxKey, `webhooks.${workspaceId}`);
  expect(stream.status).toBe(200);

  await sql`alter table events rename to events_elsewhere`.execute(ownerDb);
  expect(await Array.fromAsync(stream.messages)).toEqual([]); // it ends
  const entryOfStream = () => entries.find(({ msg }) => msg === 'a stream ended unexpectedly');
  await expect.poll(entryOfStream).toMatchObject({
    level: 'error',
    requestId: stream.headers.get('x-request-id'),
    err: { message: expect.stringContaining('relation "events" does not exist') },
  });
});
