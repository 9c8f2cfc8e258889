import type { WorkflowClient } from '@temporalio/client';

/**
 * The number of the current try at the first pending activity of a run. Increases after a timeout; 0 if none is
 * pending.
 */
export async function pendingAttemptOf(engine: WorkflowClient, workflowId: string): Promise<number> {
  const { raw } = await engine.getHandle(workflowId).describe();
  return raw.pendingActivities?.[0]?.attempt ?? 0;
}
