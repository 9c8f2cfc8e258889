import assert from 'node:assert/strict';
import type { Commands } from '../commands.ts';
import { observeSubmission } from '../expect/observe.ts';
import { type Follower, isCurrent, isDecided, isEnd, takeMessage } from '../follower.ts';
import type { Model } from '../model.ts';
import { nextMessage } from '../next-message.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { choose, isAwaited, selectSubmission } from '../targets.ts';
import { awaitEnd } from './perform-reads.ts';

/** If there were more followers, streams would stay open without being read. */
const followersMax = 4;

/** Opens the stream of a submission. Its first message is the current submission. */
export async function follow(command: Commands['follow'], model: Model, session: Session): Promise<void> {
  const { mode, isServed, hasUnknownId } = command;
  const { submission, submissionId, label } = selectSubmission(model, session, command.submission);
  const isThere = submission && !submission.isDeleted;
  const stream = await open('follow', `${label} by ${mode}`, [isThere ? '200' : '404 channel_not_found'], session, {
    client: (isServed ? session.served : session.idle)[mode],
    submissionId,
    lastEventId: hasUnknownId ? 'unknown' : undefined,
  });
  if (!isThere) return;
  if (session.followers.length >= followersMax) await session.followers.shift()?.stream?.close();
  const follower: Follower = { submission, mode, stream, seen: [] };
  session.followers.push(follower);
  await readToCurrent(follower, model, session);
}

/** Reads a stream to the current state. First waits for a submission that ends by itself: its stream must end too. */
export async function watch({ pick }: Commands['watch'], model: Model, session: Session): Promise<void> {
  const follower = await ensureFollower(pick, model, session);
  if (!follower) return;
  const { submission, mode } = follower;
  if (!submission.isDeleted && isAwaited(submission)) await awaitEnd(submission, mode, model, session);
  await readToCurrent(follower, model, session);
}

/** Opens a stream again after its last event: expects neither gaps nor duplicates, and 204 if there is nothing more. */
export async function resume({ pick, back, isServed }: Commands['resume'], model: Model, session: Session) {
  const follower = await ensureFollower(pick, model, session);
  if (!follower) return;
  const { submission, mode, seen } = follower;
  await follower.stream?.close();
  seen.length = Math.max(1, seen.length - back);
  const last = seen.at(-1);
  const isAllSeen = isCurrent(follower, last) && isEnd(last);
  // Two decisions may have changed it and changed it back since.
  const afterAll = isDecided(submission) ? ['200', '204'] : ['204'];
  const allowed = submission.isDeleted ? ['404 channel_not_found'] : isAllSeen ? afterAll : ['200'];
  const stream = await open('resume', `${submission.label} ${back} back by ${mode}`, allowed, session, {
    client: (isServed ? session.served : session.idle)[mode],
    submissionId: submission.submissionId,
    lastEventId: last?.id,
  });
  follower.stream = stream.status === 200 ? stream : undefined;
  if (follower.stream) return readToCurrent(follower, model, session);
  if (submission.isDeleted) leave(follower, session);
}

/** Returns a follower and starts one if there is none yet. Undefined if there is no submission to follow. */
async function ensureFollower(pick: number, model: Model, session: Session): Promise<Follower | undefined> {
  const rest = { mode: 'live', isServed: true, hasUnknownId: false } as const;
  const submission = { kind: 'unfinished', pick } as const;
  if (session.followers.length === 0) await follow({ submission, ...rest }, model, session);
  return choose(session.followers, pick);
}

/** Reads until the follower has seen the current state, and reopens the stream like a client. */
export async function readToCurrent(follower: Follower, model: Model, session: Session): Promise<void> {
  const { submission, seen } = follower;
  const begin = performance.now();
  const count = (what: string) => session.tally.count('watch', what, performance.now() - begin);
  while (submission.isDeleted || !isCurrent(follower, seen.at(-1))) {
    const message = follower.stream && (await nextMessage(follower.stream, submission.label));
    if (message) {
      takeMessage(follower, session.workspaceId, message);
      count(message.event);
      continue;
    }
    follower.stream = undefined;
    if (submission.isDeleted) return leave(follower, session);
    // The submission was finished when the stream ended, and was retried or decided on since.
    assert.ok(isEnd(seen.at(-1)), `the stream of ${submission.label} ended before the submission did`);
    await reopen(follower, session);
  }
  const last = seen.at(-1);
  observeSubmission(model, session.workspaceId, submission, follower.mode, last?.view);
  if (!isEnd(last) || !follower.stream) return;
  let further = await nextMessage(follower.stream, submission.label);
  while (further && isDecided(submission)) {
    takeMessage(follower, session.workspaceId, further);
    further = await nextMessage(follower.stream, submission.label);
  }
  assert.equal(further, undefined, `the stream of ${submission.label} continued after its end`);
  follower.stream = undefined;
  count('end');
}

async function reopen(follower: Follower, session: Session): Promise<void> {
  const { submission, mode, seen } = follower;
  follower.stream = await open('resume', `${submission.label} after its end by ${mode}`, ['200'], session, {
    client: session.idle[mode],
    submissionId: submission.submissionId,
    lastEventId: seen.at(-1)?.id,
  });
}

type Opening = { client: Session['idle']['live']; submissionId: string; lastEventId: string | undefined };

async function open(
  op: string,
  what: string,
  allowed: string[],
  session: Session,
  { client, submissionId, lastEventId }: Opening,
) {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const path = `/realtime?channel=submission.${submissionId}`;
  const { response } = await sendAndCheck(session, op, what, allowed, () => client.open(path, headers));
  return response;
}

function leave(follower: Follower, session: Session): void {
  session.followers = session.followers.filter((one) => one !== follower);
}
