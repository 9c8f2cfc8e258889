import { proxyLocalActivities } from '@temporalio/workflow';
import type { BareActivities } from './bare-worker.ts';

const { begin, end } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '10 seconds' });

/** The structure of a simulated run, without its work. */
export async function bareRun(runId: string): Promise<void> {
  await begin(runId);
  await end(runId);
}
