import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';

const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, QUEUE } = process.env as Record<string, string>;

/** Polls the queue until it is stopped, with the settings of apps/server/src/platform/temporal/workers.ts. */
export async function runBareWorker(
  options: Pick<WorkerOptions, 'activities'> & Partial<WorkerOptions>,
): Promise<void> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
    shutdownSignals: ['SIGTERM'],
  });
  const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS as string });
  const worker = await Worker.create({
    connection,
    namespace: TEMPORAL_NAMESPACE as string,
    taskQueue: QUEUE as string,
    shutdownGraceTime: '5 seconds',
    ...options,
  });
  const running = worker.run();
  console.log('up');
  await running;
  await connection.close();
}
