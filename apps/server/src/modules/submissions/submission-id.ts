import { randomUUIDv7 } from 'node:crypto';
import { timeOfId } from '#platform/postgres/id-floor.ts';

/** Creates an id, and returns it with the time that it contains, which becomes `createdAt`. */
export function newSubmissionId(): { submissionId: string; createdAt: Date } {
  const submissionId = randomUUIDv7();
  return { submissionId, createdAt: timeOfId(submissionId) };
}
