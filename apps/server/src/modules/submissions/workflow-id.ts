/** The workflow id in the engine, where operators can look it up. */
export function workflowIdOf({ submissionId, run }: { submissionId: string; run: number }): string {
  return `submission:${submissionId}:${run}`;
}
