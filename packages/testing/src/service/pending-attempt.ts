import type { WorkflowClient } from '@temporalio/client';

/** The engine's current attempt at the one activity of a run; 0 if none is pending. It increases when a try times out. */
export async function pendingAttemptOf(engine: WorkflowClient, workflowId: string): Promise<number> {
  const { raw } = await engine.getHandle(workflowId).describe();
  return raw.pendingActivities?.[0]?.attempt ?? 0;
}
