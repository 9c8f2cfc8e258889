import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';

const grpcAlreadyExists = 6;

/** Registers a namespace if it is missing, and waits until workers can use it. */
export async function registerNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  // Retention of one day: visibility costs 26 KB per execution, and our own tables are the system of record.
  const request = { namespace, workflowExecutionRetentionPeriod: msToTs('1 day') };
  await workflowService.registerNamespace(request).catch((error) => {
    if (error.code !== grpcAlreadyExists) throw error;
  });
  // The server caches its namespaces: wait until a worker would find this one.
  for (let attempt = 1; ; attempt++) {
    try {
      await workflowService.describeTaskQueue({ namespace, taskQueue: { name: 'control' } });
      return;
    } catch (error) {
      if (attempt === 60) throw error;
      await sleep(500);
    }
  }
}
