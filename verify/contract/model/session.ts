import assert from 'node:assert/strict';
import type { ApiResponse, Client } from '@assay/testing/service/client.ts';
import type { EventLog } from './event-log.ts';
import type { Follower } from './follower.ts';
import type { Mode } from './model.ts';
import type { ForeignResources, Service } from './service.ts';
import type { Tally } from './tally.ts';

/** The run of one sequence against the real service, in a workspace of its own. */
export type Session = {
  service: Service;
  foreign: ForeignResources;
  workspaceId: string;
  /** Clients of the API whose queues a worker polls, and of the one without a worker. */
  served: Record<Mode, Client>;
  idle: Record<Mode, Client>;
  /** Runs that are still waiting for a worker in the engine. */
  waitingRuns: string[];
  eventLog: EventLog;
  /** Followers of submissions, with open or ended streams. */
  followers: Follower[];
  /** Requests and responses, printed after a failure. */
  transcript: string[];
  tally: Tally;
};

/** Sends a request, records the response, and checks it against the allowed ones. */
export async function sendAndCheck<Received extends ApiResponse>(
  { transcript, tally }: Session,
  op: string,
  what: string,
  allowed: string[],
  send: () => Promise<Received>,
): Promise<{ response: Received; outcome: string }> {
  transcript.push(`${op} ${what}`);
  const begin = performance.now();
  const response = await send();
  const outcome = formatOutcome(response);
  transcript.push(`${transcript.pop()} → ${outcome}`);
  tally.count(op, outcome, performance.now() - begin);
  assert.ok(allowed.includes(outcome), `the response was ${outcome} instead of ${allowed.join(' or ')}`);
  return { response, outcome };
}

/** Reads a list page by page; undefined if it is refused. */
export async function readPages(
  session: Session,
  { op, what, allowed }: { op: string; what: string; allowed: string[] },
  { client, path, member, limit }: { client: Client; path: string; member: string; limit: number },
): Promise<ApiResponse['body'][] | undefined> {
  const items: ApiResponse['body'][] = [];
  for (let cursor = ''; ; ) {
    const { response, outcome } = await sendAndCheck(session, op, what, allowed, () => client.get(path + cursor));
    if (outcome !== '200') return undefined;
    items.push(...response.body[member]);
    assert.ok(response.body[member].length <= limit);
    if (!response.body.hasMore) return items;
    cursor = `&cursor=${encodeURIComponent(response.body.nextCursor)}`;
  }
}

/** `201`, `201 replayed` or `409 submission_settled`. */
function formatOutcome({ status, headers, body }: ApiResponse): string {
  if (status >= 400) return `${status} ${body.code}`;
  return headers.get('idempotency-replayed') === 'true' ? `${status} replayed` : String(status);
}
