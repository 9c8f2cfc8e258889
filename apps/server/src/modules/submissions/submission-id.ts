import { randomUUIDv7 } from 'node:crypto';

/** A new id and the time that it contains, which becomes `createdAt`. */
export function newSubmissionId(): { submissionId: string; createdAt: Date } {
  const submissionId = randomUUIDv7();
  return { submissionId, createdAt: new Date(Number.parseInt(submissionId.replace('-', '').slice(0, 12), 16)) };
}
