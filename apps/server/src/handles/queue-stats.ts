import type { Workflows } from './workflows.ts';

export type QueueStats = { queue: string; waiting: number; oldestSeconds: number };

const askMillisMax = 2000;
// Of the engine's protocol: what waits in a queue is either a step of a story or an activity.
const taskQueueTypes = [1, 2];

/** How much waits in each queue of the engine, and for how long. */
export async function readQueueStats(workflows: Workflows, queues: readonly string[]): Promise<QueueStats[]> {
  const { connection, namespace, queuePrefix } = workflows;
  const describe = async (queue: string, taskQueueType: number) => {
    const taskQueue = { name: queuePrefix + queue };
    const { stats } = await connection.withDeadline(Date.now() + askMillisMax, () =>
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
