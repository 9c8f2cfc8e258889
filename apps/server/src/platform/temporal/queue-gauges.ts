import { Gauge } from 'prom-client';
import { sharedFor } from '../mechanisms/shared-for.ts';
import type { Metrics } from '../metrics.ts';
import type { Workflows } from './workflows.ts';

type QueueStats = { queue: string; waiting: number; oldestSeconds: number };

const cacheMillis = 5000;
const queryMillisMax = 2000;
// Task types in the engine's protocol: a queue holds workflow tasks (1) and activity tasks (2).
const taskQueueTypes = [1, 2];

/**
 * Gauges of the tasks that wait in these queues, read when scraped and cached for a few seconds. If the engine does not
 * respond, they are left out; readiness shows why.
 */
export function addQueueGauges(metrics: Metrics, workflows: Workflows, queues: readonly string[]): void {
  const read = sharedFor(cacheMillis, () => readQueueStats(workflows, queues).catch(() => []));
  const add = (name: string, help: string, select: (stats: QueueStats) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [metrics],
      async collect() {
        this.reset();
        for (const stats of await read()) this.set({ queue: stats.queue }, select(stats));
      },
    });
  add('assay_queue_waiting', 'Tasks waiting for a worker, by queue', ({ waiting }) => waiting);
  add('assay_queue_oldest_seconds', 'How long the oldest waiting task has waited', (stats) => stats.oldestSeconds);
}

/** Number of waiting tasks and age of the oldest one, per queue. */
async function readQueueStats(workflows: Workflows, queues: readonly string[]): Promise<QueueStats[]> {
  const { connection, namespace, queuePrefix } = workflows;
  const describe = async (queue: string, taskQueueType: number) => {
    const taskQueue = { name: queuePrefix + queue };
    const { stats } = await connection.withDeadline(Date.now() + queryMillisMax, () =>
      connection.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType, reportStats: true }),
    );
    const age = stats?.approximateBacklogAge;
    return {
      waiting: Number(stats?.approximateBacklogCount ?? 0),
      oldestSeconds: Number(age?.seconds ?? 0) + Number(age?.nanos ?? 0) / 1e9,
    };
  };
  return Promise.all(
    queues.map(async (queue) => {
      const parts = await Promise.all(taskQueueTypes.map((type) => describe(queue, type)));
      return {
        queue,
        waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
        oldestSeconds: Math.max(...parts.map(({ oldestSeconds }) => oldestSeconds)),
      };
    }),
  );
}
