import { Client, Connection } from '@temporalio/client';
import type { VersionName } from './version.ts';

type Environment = Record<string, string>;

/** WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND: something arrived while the task was processed, so it is repeated. */
const overtakenCause = 1;
const goodEndings = ['COMPLETED', 'CANCELLED'];
const historiesAtOnce = 8;

export type EngineRuns = {
  runs: number;
  /** By the versions of the workers that processed it, in order: `previous → new`. */
  byVersions: Record<string, number>;
  /** Runs that did not end well, and workflow tasks that failed. */
  mistakes: string[];
};

/** Reads the history of every run on these queues. */
export async function readRuns(environment: Environment, workers: Map<number, VersionName>): Promise<EngineRuns> {
  const {
    TEMPORAL_ADDRESS: address = '',
    TEMPORAL_NAMESPACE: namespace = '',
    TEMPORAL_QUEUE_PREFIX: queuePrefix = '',
  } = environment;
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace }).workflow;
    const query = ['control', 'sandbox'].map((queue) => `TaskQueue = "${queuePrefix}${queue}"`).join(' or ');
    const found: EngineRuns = { runs: 0, byVersions: {}, mistakes: [] };
    const runs = await Array.fromAsync(client.list({ query }));
    const read = async () => {
      for (let run = runs.pop(); run; run = runs.pop()) {
        const { workflowId, runId, status } = run;
        const { events } = await client.getHandle(workflowId, runId).fetchHistory();
        const versions: string[] = [];
        for (const event of events ?? []) {
          const started = event.workflowTaskStartedEventAttributes ?? event.activityTaskStartedEventAttributes;
          const version = started && workers.get(Number.parseInt(started.identity ?? '', 10));
          if (version && versions.at(-1) !== version) versions.push(version);
          const failed = event.workflowTaskFailedEventAttributes;
          if (failed && failed.cause !== overtakenCause)
            found.mistakes.push(`${workflowId}: ${failed.failure?.message}`);
        }
        if (!goodEndings.includes(status.name)) found.mistakes.push(`${workflowId}: ${status.name}`);
        const key = versions.join(' → ') || 'none';
        found.byVersions[key] = (found.byVersions[key] ?? 0) + 1;
        found.runs++;
      }
    };
    await Promise.all(Array.from({ length: historiesAtOnce }, read));
    return found;
  } finally {
    await connection.close();
  }
}
