import type { WorkflowClient } from '@temporalio/client';

/** Which attempt at the one activity of a run the engine is at; 0 when it waits for none. It rises when a try timed out. */
export async function pendingAttemptOf(engine: WorkflowClient, workflowId: string): Promise<number> {
  const { raw } = await engine.getHandle(workflowId).describe();
  return raw.pendingActivities?.[0]?.attempt ?? 0;
}
