import { randomUUIDv7 } from 'node:crypto';
import { momentOfId } from '#platform/postgres/id-floor.ts';

/** A new id and the time that it contains, which becomes `createdAt`. */
export function newSubmissionId(): { submissionId: string; createdAt: Date } {
  const submissionId = randomUUIDv7();
  return { submissionId, createdAt: momentOfId(submissionId) };
}
