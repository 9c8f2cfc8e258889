import pg from 'pg';
import { runBareWorker } from './run-bare-worker.ts';

// The least work that a run of two steps takes: one update by primary key in each.
export type BareActivities = Record<'begin' | 'end', (runId: string) => Promise<void>>;

const { DATABASE_URL, DATABASE_CONNECTIONS_MAX, BUNDLE } = process.env as Record<string, string>;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_CONNECTIONS_MAX) });
const update = (name: string, status: string) => async (runId: string) => {
  const text = `update bare_runs set status = '${status}' where run_id = $1`;
  await pool.query({ name, text, values: [runId] });
};
const activities: BareActivities = { begin: update('begin', 'processing'), end: update('end', 'complete') };

await runBareWorker({ activities, workflowBundle: { codePath: BUNDLE as string }, workflowThreadPoolSize: 1 });
await pool.end();
