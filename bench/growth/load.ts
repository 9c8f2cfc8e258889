import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadName } from './locks.ts';

export type Load = { requests: number; failures: string[]; slowestMillis: number };

/** As the service has it: a statement that waits longer for a lock fails. */
const statementMillisMax = 2500;
const pauseMillis = 5;

/** The first workspace owns a fifth of all rows. */
const workspace = `(select workspace_id from workspaces order by workspace_id limit 1)`;

/** What the first version does for each kind of request, in its columns: an older version runs beside a migration. */
const requests: Record<string, (client: pg.PoolClient) => Promise<unknown>> = {
  read: (client) =>
    client.query(
      `select s.*, a.* from (
         select * from submissions where workspace_id = ${workspace} and status = 'complete'
         order by submission_id desc limit 20
       ) s join assets a on a.submission_id = s.submission_id`,
    ),
  async create(client) {
    const [submissionId, assetId, blobId, groupId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
    await inTransaction(client, async () => {
      await client.query(
        `insert into blobs (blob_id, workspace_id, filename, content_type, account, container)
         values ($1, ${workspace}, 'a.mp4', 'video/mp4', 'account', 'media')`,
        [blobId],
      );
      await client.query(`insert into version_groups (version_group_id, workspace_id) values ($1, ${workspace})`, [
        groupId,
      ]);
      await client.query(
        `insert into submissions (submission_id, workspace_id, mode, status, profile, created_at)
         values ($1, ${workspace}, 'live', 'processing', 'general', now())`,
        [submissionId],
      );
      await client.query(
        `insert into assets (submission_id, asset_id, workspace_id, position, blob_id, filename, content_type, category,
           etag, size_bytes, version_group_id, version_number, status, created_at)
         values ($1, $2, ${workspace}, 1, $3, 'a.mp4', 'video/mp4', 'video', 'etag', 1, $4, 1, 'processing', now())`,
        [submissionId, assetId, blobId, groupId],
      );
      await client.query(
        `insert into asset_versions (version_group_id, version_number, workspace_id, submission_id, asset_id)
         values ($1, 1, ${workspace}, $2, $3)`,
        [groupId, submissionId, assetId],
      );
    });
  },
  async settle(client) {
    await inTransaction(client, async () => {
      const { rows } = await client.query(
        `select submission_id as id from submissions
         where workspace_id = ${workspace} and status = 'processing' and metadata = '{}' -- created by this load
         order by submission_id desc limit 1 for update skip locked`,
      );
      const submissionId = rows[0]?.id;
      if (!submissionId) return;
      const { rows: assets } = await client.query(
        `update assets set status = 'complete', issue_count = 1, progress_percent = 100, completed_at = now()
         where submission_id = $1 and status = 'processing' returning asset_id as id`,
        [submissionId],
      );
      for (const { id } of assets) {
        await client.query(
          `insert into issues (submission_id, asset_id, issue_id, workspace_id, reference_number, rule_code, subject,
             sidekick_id, summary, severity, severity_reasoning, severity_reasoning_headline, status, confidence,
             precedents, locations, created_at, updated_at)
           values ($1, $2, $3, ${workspace}, 1, 'LOUD-001', 'a', $3, 'a', 'MAJOR', 'a', 'a', 'OPEN', 1, '[]', '[]',
             now(), now())`,
          [submissionId, id, randomUUIDv7()],
        );
        await client.query(
          `insert into credit_entries (workspace_id, asset_id, attempt, credits) values (${workspace}, $1, 1, 1)`,
          [id],
        );
        await client.query(
          `insert into events (event_id, workspace_id, type, livemode, submission_id, asset_id, body)
           values ($1, ${workspace}, 'asset.processing.completed', true, $2, $3, '{}')`,
          [randomUUIDv7(), submissionId, id],
        );
      }
      await client.query(`update submissions set status = 'complete', completed_at = now() where submission_id = $1`, [
        submissionId,
      ]);
    });
  },
};

async function inTransaction(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Sends requests of each kind, one after another, until it is stopped. */
export async function startLoad(databaseUrl: string): Promise<{ stop(): Promise<Load> }> {
  const names = Object.keys(requests);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: names.length,
    statement_timeout: statementMillisMax,
    application_name: loadName,
  });
  const load: Load = { requests: 0, failures: [], slowestMillis: 0 };
  let isStopped = false;
  const send = async (name: string) => {
    const client = await pool.connect();
    while (!isStopped) {
      const began = performance.now();
      await requests[name]?.(client).catch((error) => load.failures.push(`${name}: ${error.message}`));
      load.slowestMillis = Math.max(load.slowestMillis, performance.now() - began);
      load.requests++;
      await sleep(pauseMillis);
    }
    client.release();
  };
  const sending = names.map(send);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(sending);
      await pool.end();
      return load;
    },
  };
}
