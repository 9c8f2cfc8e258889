import assert from 'node:assert/strict';
import type { Answer, Client } from '../support/client.ts';
import type { EventLog } from './event-log.ts';
import type { Follower } from './follower.ts';
import type { Mode } from './model.ts';
import type { Foreign, Service } from './service.ts';
import type { Tally } from './tally.ts';

/** One sequence against the real service: a workspace of its own, and what was said so far. */
export type Session = {
  service: Service;
  foreign: Foreign;
  workspaceId: string;
  /** By an API whose queues a worker serves, and by one whose queues nobody serves. */
  served: Record<Mode, Client>;
  idle: Record<Mode, Client>;
  /** Runs of which the engine still thinks that somebody will serve them. */
  waitingRuns: string[];
  eventLog: EventLog;
  /** Those who follow a submission, whether their stream is open or has ended. */
  followers: Follower[];
  /** What was asked and answered, to be read when something is wrong. */
  transcript: string[];
  tally: Tally;
};

/** Asks, notes what was answered, and holds it against what would be right. */
export async function ask<Answered extends Answer>(
  { transcript, tally }: Session,
  op: string,
  what: string,
  allowed: string[],
  send: () => Promise<Answered>,
): Promise<{ answer: Answered; said: string }> {
  transcript.push(`${op} ${what}`);
  const begin = performance.now();
  const answer = await send();
  const said = sayingOf(answer);
  transcript.push(`${transcript.pop()} → ${said}`);
  tally.count(op, said, performance.now() - begin);
  assert.ok(allowed.includes(said), `it was answered ${said}, and may be ${allowed.join(' or ')}`);
  return { answer, said };
}

/** `201`, `201 replayed` or `409 submission_settled`. */
function sayingOf({ status, headers, body }: Answer): string {
  if (status >= 400) return `${status} ${body.code}`;
  return headers.get('idempotency-replayed') === 'true' ? `${status} replayed` : String(status);
}
