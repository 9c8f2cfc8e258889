import { realtimePulseSeconds } from '@assay/contract/limits.ts';
import type { RealtimeMessage } from '@assay/contract/realtime.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller, Follower, Mode } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { channelOf, presentSubmission } from './present.ts';
import { isOver } from './status.ts';
import { findSubmission, type SubmissionRow } from './store.ts';

/** How far somebody has seen a submission: which revision, and in it up to which asset. After the last comes the submission itself. */
type Place = { revision: number; position: number };

/**
 * What changed of a submission since the place where the client stands. Each message carries the state as it is now, so
 * whatever was missed, by anyone and for however long, the next message makes up for it. Nothing when it is over and
 * the client has seen its end.
 */
export async function followSubmission(
  { workspaceId, mode: viewer }: Pick<Caller, 'workspaceId' | 'mode'>,
  submissionId: string,
  { lastEventId, signal }: Follower,
  { db, realtime }: Handles,
): Promise<AsyncGenerator<RealtimeMessage> | undefined> {
  const rows = await findSubmission(db, workspaceId, submissionId);
  if (rows.length === 0) throw new Refusal('channel_not_found');
  const seen = placeOf(lastEventId, rows);
  if (seen && isSame(seen, endOf(rows)) && hasEnded(rows)) return undefined;

  const channel = channelOf(submissionId);
  return (async function* () {
    let place = seen;
    const makeLoad = () => () => findSubmission(db, workspaceId, submissionId);
    for await (const now of realtime.follow(channel, realtimePulseSeconds * 1000, makeLoad, signal)) {
      if (now.length === 0) return; // deleted
      yield* place ? changesSince(place, now, viewer) : [snapshotOf(now, viewer)];
      place = endOf(now);
      if (hasEnded(now)) return;
    }
  })();
}

function* changesSince(place: Place, rows: SubmissionRow[], viewer: Mode): Generator<RealtimeMessage> {
  const end = endOf(rows);
  if (isSame(place, end)) return;
  const { assets, ...submission } = presentSubmission(rows, viewer);
  const changed = assets
    .map((asset, i) => ({ asset, place: { revision: rows[i]?.asset_revision ?? 0, position: i + 1 } }))
    .filter((one) => isBefore(place, one.place))
    .sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
  for (const one of changed) {
    const data = { submissionId: submission.submissionId, ...one.asset };
    yield { id: idOf(one.place), event: 'asset.updated', data };
  }
  yield { id: idOf(end), event: 'submission.updated', data: submission };
}

function snapshotOf(rows: SubmissionRow[], viewer: Mode): RealtimeMessage {
  return { id: idOf(endOf(rows)), event: 'snapshot', data: presentSubmission(rows, viewer) };
}

function hasEnded(rows: SubmissionRow[]): boolean {
  return isOver(rows.map((row) => row.asset_status));
}

function endOf(rows: SubmissionRow[]): Place {
  return { revision: rows[0]?.revision ?? 0, position: rows.length + 1 };
}

function isSame(a: Place, b: Place): boolean {
  return a.revision === b.revision && a.position === b.position;
}

function isBefore(a: Place, b: Place): boolean {
  return a.revision < b.revision || (a.revision === b.revision && a.position < b.position);
}

function idOf({ revision, position }: Place): string {
  return `${revision}.${position}`;
}

/** Undefined, and so a new snapshot, for an id that is none of this submission. */
function placeOf(id: string | undefined, rows: SubmissionRow[]): Place | undefined {
  const [, revision, position] = /^(\d{1,9})\.(\d{1,3})$/.exec(id ?? '') ?? [];
  const place = { revision: Number(revision), position: Number(position) };
  return revision && !isBefore(endOf(rows), place) ? place : undefined;
}
