import { Client, Connection, type WorkflowClient, type WorkflowExecutionInfo } from '@temporalio/client';
import type { VersionName } from './version.ts';

/**
 * WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND: an event arrived while the task was being processed, so the task is
 * repeated.
 */
const overtakenCause = 1;
const goodEndings = ['COMPLETED', 'CANCELLED'];
const historiesAtOnce = 8;

type RunRead = {
  /** The versions of the workers that processed the run, in order: `previous → new`. */
  versions: string;
  /** How the run ended, if not well, and its failed workflow tasks, for example if a worker cannot replay it. */
  mistakes: string[];
};

/** Reads every run on the queues of this service. */
export async function readRuns(
  environment: Record<string, string>,
  workers: Map<number, VersionName>,
): Promise<RunRead[]> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_QUEUE_PREFIX: prefix } = environment;
  const connection = await Connection.connect({ address: address as string });
  try {
    const client = new Client({ connection, namespace: namespace as string }).workflow;
    const query = ['control', 'sandbox'].map((queue) => `TaskQueue = "${prefix}${queue}"`).join(' or ');
    const left = await Array.fromAsync(client.list({ query }));
    const all: RunRead[] = [];
    const reader = async () => {
      for (let run = left.pop(); run; run = left.pop()) all.push(await readRun(client, run, workers));
    };
    await Promise.all(Array.from({ length: historiesAtOnce }, reader));
    return all;
  } finally {
    await connection.close();
  }
}

async function readRun(
  client: WorkflowClient,
  { workflowId, runId, status }: WorkflowExecutionInfo,
  workers: Map<number, VersionName>,
): Promise<RunRead> {
  const { events } = await client.getHandle(workflowId, runId).fetchHistory();
  const versions: VersionName[] = [];
  const mistakes = goodEndings.includes(status.name) ? [] : [`${workflowId}: ${status.name}`];
  for (const event of events ?? []) {
    const started = event.workflowTaskStartedEventAttributes ?? event.activityTaskStartedEventAttributes;
    const version = workers.get(Number.parseInt(started?.identity ?? '', 10)); // an identity is pid@host
    if (version && versions.at(-1) !== version) versions.push(version);
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed && failed.cause !== overtakenCause) mistakes.push(`${workflowId}: ${failed.failure?.message}`);
  }
  return { versions: versions.join(' → '), mistakes };
}
