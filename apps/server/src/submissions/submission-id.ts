import { randomUUIDv7 } from 'node:crypto';

/** A new id, and the moment that it carries: what is created then has that moment as its `createdAt`. */
export function newSubmissionId(): { submissionId: string; createdAt: Date } {
  const submissionId = randomUUIDv7();
  return { submissionId, createdAt: new Date(Number.parseInt(submissionId.replace('-', '').slice(0, 12), 16)) };
}

/** The least id of a moment, so that a range of time is a range of ids. */
export function idFloor(moment: Date): string {
  const millis = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${millis.slice(0, 8)}-${millis.slice(8, 12)}-0000-0000-000000000000`;
}
