import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Agent } from 'undici';

// The least that a worker can do for a delivery: one POST, and nothing written down.
const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, QUEUE, RECEIVER, AT_ONCE } = process.env as Record<string, string>;
const agent = new Agent();
const body = JSON.stringify({ data: 'x'.repeat(500) });

async function post(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await agent.request({ origin: RECEIVER as string, path: '/bare', method: 'POST', headers, body });
  await answer.body.dump();
}

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
  activities: { post },
  shutdownGraceTime: '5 seconds',
  maxConcurrentActivityTaskExecutions: Number(AT_ONCE),
});
const running = worker.run();
console.log('up');
await running;
await Promise.all([connection.close(), agent.close()]);
