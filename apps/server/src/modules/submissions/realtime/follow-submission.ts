import { realtimePulseSeconds } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { RealtimeMessage } from '@assay/contract/schemas/realtime.ts';
import type { Follower } from '#call/call.ts';
import type { Caller, Mode } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import { channelOf, presentSubmission } from '../present.ts';
import type { StoredSubmission } from '../select-store.ts';
import { isFinished } from '../status.ts';
import { findSubmission } from '../store.ts';

/** The last message that a client has seen: its revision and its position (assets in order, then the submission). */
type Cursor = { revision: number; position: number };

/**
 * Streams the changes of a submission since the client's cursor. Each message carries the current state, so the next
 * message makes up for any that were missed. Undefined when the submission has finished and the client has seen its
 * final state.
 */
export async function followSubmission(
  { workspaceId, mode: viewer }: Pick<Caller, 'workspaceId' | 'mode'>,
  submissionId: string,
  { lastEventId, signal }: Follower,
  { db, realtime }: Handles,
): Promise<AsyncGenerator<RealtimeMessage> | undefined> {
  const found = await findSubmission(db, workspaceId, submissionId);
  if (!found) throw new Refusal('channel_not_found');
  const seen = parseCursor(lastEventId, found);
  if (seen && isSamePosition(seen, endCursorOf(found)) && hasEnded(found)) return undefined;

  const channel = channelOf(submissionId);
  return (async function* () {
    let cursor = seen;
    const makeLoad = () => () => findSubmission(db, workspaceId, submissionId);
    for await (const now of realtime.follow(channel, realtimePulseSeconds * 1000, makeLoad, signal)) {
      if (!now) return; // deleted
      yield* cursor ? changesSince(cursor, now, viewer) : [snapshotOf(now, viewer)];
      cursor = endCursorOf(now);
      if (hasEnded(now)) return;
    }
  })();
}

function* changesSince(cursor: Cursor, now: StoredSubmission, viewer: Mode): Generator<RealtimeMessage> {
  const end = endCursorOf(now);
  if (isSamePosition(cursor, end)) return;
  const { assets, ...submission } = presentSubmission(now, viewer);
  const changed = assets
    .map((asset, i) => ({ asset, cursor: { revision: now.assets[i]?.revision ?? 0, position: i + 1 } }))
    .filter((one) => isBefore(cursor, one.cursor))
    .sort((a, b) => (isBefore(a.cursor, b.cursor) ? -1 : 1));
  for (const one of changed) {
    const data = { submissionId: submission.submissionId, ...one.asset };
    yield { id: eventIdOf(one.cursor), event: 'asset.updated', data };
  }
  yield { id: eventIdOf(end), event: 'submission.updated', data: submission };
}

function snapshotOf(now: StoredSubmission, viewer: Mode): RealtimeMessage {
  return { id: eventIdOf(endCursorOf(now)), event: 'snapshot', data: presentSubmission(now, viewer) };
}

function hasEnded({ assets }: StoredSubmission): boolean {
  return isFinished(assets.map(({ status }) => status));
}

function endCursorOf({ revision, assets }: StoredSubmission): Cursor {
  return { revision, position: assets.length + 1 };
}

function isSamePosition(a: Cursor, b: Cursor): boolean {
  return a.revision === b.revision && a.position === b.position;
}

function isBefore(a: Cursor, b: Cursor): boolean {
  return a.revision < b.revision || (a.revision === b.revision && a.position < b.position);
}

function eventIdOf({ revision, position }: Cursor): string {
  return `${revision}.${position}`;
}

/** Undefined for an id of another submission: the client then gets a new snapshot. */
function parseCursor(id: string | undefined, now: StoredSubmission): Cursor | undefined {
  const [, revision, position] = /^(\d{1,9})\.(\d{1,3})$/.exec(id ?? '') ?? [];
  const cursor = { revision: Number(revision), position: Number(position) };
  return revision && !isBefore(endCursorOf(now), cursor) ? cursor : undefined;
}
