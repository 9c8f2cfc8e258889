import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';

// The least that a worker can do for a run of two steps: one update by primary key in each.
export type BareActivities = Record<'begin' | 'end', (runId: string) => Promise<void>>;

const { DATABASE_URL, DATABASE_CONNECTIONS_MAX, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, QUEUE, BUNDLE } =
  process.env as Record<string, string>;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_CONNECTIONS_MAX) });
const update = (name: string, status: string) => async (runId: string) => {
  const text = `update bare_runs set status = '${status}' where run_id = $1`;
  await pool.query({ name, text, values: [runId] });
};
const activities: BareActivities = { begin: update('begin', 'processing'), end: update('end', 'complete') };

// The settings of apps/server/src/handles/workers.ts.
Runtime.install({
  logger: new DefaultLogger('WARN'),
  telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
  shutdownSignals: ['SIGTERM'],
});
const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS as string });
const worker = await Worker.create({
  connection,
  namespace: TEMPORAL_NAMESPACE as string,
  taskQueue: QUEUE as string,
  activities,
  shutdownGraceTime: '5 seconds',
  workflowBundle: { codePath: BUNDLE as string },
  workflowThreadPoolSize: 1,
});
const running = worker.run();
console.log('up');
await running;
await Promise.all([connection.close(), pool.end()]);
