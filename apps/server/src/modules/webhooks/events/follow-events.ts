import type { StreamPosition } from '@assay/contract/route.ts';
import type { RealtimeMessage } from '@assay/contract/schemas/realtime.ts';
import type { Follower } from '#call/call.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import type { Db } from '#platform/postgres/db.ts';
import {
  type EventPosition,
  findEventPosition,
  isPositionBefore,
  listEventIdsAfter,
  listEventsAfter,
  type StoredEvent,
} from './event-store.ts';
import { eventChannelOf } from './publish-events.ts';

const readAtOnceMax = 100;
const loadedAtOnceMax = 5000;
// An event is sent only when no older one can still appear. The end of the transaction that delayed it causes no
// notification, so events are also loaded at this interval.
const loadIntervalMillis = 1000;

/** Streams the events of the workspace as they would be delivered: from now on, or from the client's position. */
export async function followEvents(
  workspaceId: WorkspaceId,
  { lastEventId, signal }: Follower,
  { db, realtime }: Handles,
): Promise<AsyncGenerator<RealtimeMessage | StreamPosition>> {
  const known = parsePosition(lastEventId);
  const start = known ?? (await findEventPosition(db));
  // Events that already exist are not sent, even if an older transaction in progress still delays them.
  const old = new Set(known ? [] : await listEventIdsAfter(db, workspaceId, start));
  return (async function* () {
    let position = start;
    yield { id: positionId(position) };
    const makeLoad = () => createEventLoader(db, workspaceId);
    for await (const batch of realtime.follow(eventChannelOf(workspaceId), loadIntervalMillis, makeLoad, signal)) {
      if (isPositionBefore(position, batch.begin)) {
        // The client has missed events: it resumed from an old position, or read so slowly that it got only the latest
        // batch.
        for await (const event of eventsBetween(db, workspaceId, position, batch.begin)) {
          if (!old.has(event.eventId)) yield messageOf(event);
        }
      }
      for (const event of batch.events) {
        if (isPositionBefore(position, event) && !old.has(event.eventId)) yield messageOf(event);
      }
      position = batch.end;
    }
  })();
}

/** Returns a function that loads the events since the previous load. */
function createEventLoader(db: Db, workspaceId: WorkspaceId) {
  let position: EventPosition | undefined;
  return async () => {
    const begin = position ?? (await findEventPosition(db));
    const events: StoredEvent[] = [];
    let end = begin;
    for (let isAll = false; !isAll && events.length < loadedAtOnceMax; ) {
      const read = await listEventsAfter(db, workspaceId, end, readAtOnceMax);
      events.push(...read.events);
      end = read.end;
      isAll = read.events.length < readAtOnceMax;
    }
    position = end;
    return { begin, events, end };
  };
}

async function* eventsBetween(db: Db, workspaceId: WorkspaceId, begin: EventPosition, end: EventPosition) {
  for (let position = begin; isPositionBefore(position, end); ) {
    const read = await listEventsAfter(db, workspaceId, position, readAtOnceMax);
    for (const event of read.events) if (!isPositionBefore(end, event)) yield event;
    position = read.end;
  }
}

function messageOf(event: StoredEvent): RealtimeMessage {
  return { id: positionId(event), event: event.type, data: JSON.parse(event.body) };
}

function positionId({ writtenBy, eventId }: EventPosition): string {
  return `${writtenBy}.${eventId}`;
}

function parsePosition(id: string | undefined): EventPosition | undefined {
  const [, writtenBy, eventId] = /^(\d{1,18})\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/.exec(id ?? '') ?? [];
  return writtenBy && eventId ? { writtenBy, eventId } : undefined;
}
