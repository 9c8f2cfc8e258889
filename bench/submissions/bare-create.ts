import { randomUUID } from 'node:crypto';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { fastify } from '../measure/fastify-of-server.ts';

// The least work that accepting a submission with one asset takes: HEAD the blob, read its first bytes, commit one
// transaction, start one workflow. The baseline for POST /submissions.
const settings = process.env as Record<string, string>;
const setting = (name: string) => settings[name] as string;

const pool = new pg.Pool({
  connectionString: setting('DATABASE_URL'),
  max: Number(setting('DATABASE_CONNECTIONS_MAX')),
});
const credential = new StorageSharedKeyCredential(setting('BLOB_ACCOUNT'), setting('BLOB_ACCOUNT_KEY'));
const container = new BlobServiceClient(setting('BLOB_URL'), credential).getContainerClient(setting('BLOB_CONTAINER'));
const connection = await Connection.connect({ address: setting('TEMPORAL_ADDRESS') });
const client = new Client({ connection, namespace: setting('TEMPORAL_NAMESPACE') });

type Body = { assets: { blobPath: string }[] };

const server = fastify();
server.post<{ Body: Body }>('/submissions', async ({ body }, reply) => {
  const blobPath = body.assets[0]?.blobPath as string;
  const blob = container.getBlobClient(blobPath);
  const { etag } = await blob.getProperties();
  const { readableStreamBody } = await blob.download(0, 64 * 1024);
  let sizeBytes = 0;
  for await (const chunk of readableStreamBody ?? []) sizeBytes += chunk.length;

  const [submissionId, assetId] = [randomUUID(), randomUUID()];
  await commit([
    ['insert into bare_submissions (submission_id) values ($1)', [submissionId]],
    [
      'insert into bare_assets (asset_id, submission_id, blob_path, etag, size_bytes) values ($1, $2, $3, $4, $5)',
      [assetId, submissionId, blobPath, etag, sizeBytes],
    ],
    ['insert into bare_outbox (submission_id) values ($1)', [submissionId]],
  ]);
  await client.workflow.start('bareRun', {
    workflowId: `bare:${submissionId}`,
    taskQueue: setting('QUEUE'),
    args: [submissionId],
  });
  reply.code(201);
  return { submissionId, status: 'submitted', assets: [{ assetId }] };
});

async function commit(statements: [text: string, values: unknown[]][]): Promise<void> {
  const one = await pool.connect();
  try {
    await one.query('begin');
    for (const [text, values] of statements) await one.query({ name: text.slice(0, 40), text, values });
    await one.query('commit');
  } finally {
    one.release();
  }
}

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));

process.once('SIGTERM', () => process.exit(0));
