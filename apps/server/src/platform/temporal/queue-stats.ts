import type { Workflows } from './workflows.ts';

export type QueueStats = { queue: string; waiting: number; oldestSeconds: number };

const queryMillisMax = 2000;
// Values of the engine's protocol: a queue holds workflow tasks (1) and activity tasks (2).
const taskQueueTypes = [1, 2];

/** Number of waiting tasks and age of the oldest one, per queue. */
export async function readQueueStats(workflows: Workflows, queues: readonly string[]): Promise<QueueStats[]> {
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
