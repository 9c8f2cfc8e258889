import { proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { Run } from '#modules/submissions/runs/run-store.ts';
import type { SimulationActivities } from './sandbox.activities.ts';

const { beginRehearsal, endRehearsal } = proxyLocalActivities<SimulationActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '10 seconds' },
});

/** §8.3: nothing is analysed; the run completes after the delay, even if every worker is restarted before then. */
export async function rehearseSubmission({ delaySeconds, ...run }: Run): Promise<void> {
  await beginRehearsal(run);
  if (delaySeconds > 0) await sleep(delaySeconds * 1000);
  await endRehearsal(run);
}
