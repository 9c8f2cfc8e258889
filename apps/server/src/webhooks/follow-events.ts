import type { RealtimeMessage } from '@assay/contract/realtime.ts';
import type { StreamPlace } from '@assay/contract/route.ts';
import type { Follower, WorkspaceId } from '../access/caller.ts';
import type { Db } from '../handles/db.ts';
import type { Handles } from '../handles/handles.ts';
import {
  type EventPlace,
  findEventPlace,
  isBefore,
  listEventIdsAfter,
  listEventsAfter,
  type StoredEvent,
} from './event-store.ts';
import { eventChannelOf } from './publish-events.ts';

const readAtOnceMax = 100;
const loadedAtOnceMax = 5000;
// An event is shown when nothing older can still appear. What holds it up notifies nobody when it ends.
const loadAgainMillis = 1000;

/** Each event of the workspace as it would be delivered: from now on, or from the place that the client has reached. */
export async function followEvents(
  workspaceId: WorkspaceId,
  { lastEventId, signal }: Follower,
  { db, realtime }: Handles,
): Promise<AsyncGenerator<RealtimeMessage | StreamPlace>> {
  const known = placeOf(lastEventId);
  const start = known ?? (await findEventPlace(db));
  // What is there already is not news, also where an older transaction that goes on still keeps it back.
  const old = new Set(known ? [] : await listEventIdsAfter(db, workspaceId, start));
  return (async function* () {
    let place = start;
    yield { id: idOf(place) };
    const makeLoad = () => createLoad(db, workspaceId);
    for await (const batch of realtime.follow(eventChannelOf(workspaceId), loadAgainMillis, makeLoad, signal)) {
      if (isBefore(place, batch.begin)) {
        // It has missed some: it came with an old place, or read so slowly that it was given only the newest.
        for await (const event of eventsBetween(db, workspaceId, place, batch.begin)) {
          if (!old.has(event.eventId)) yield messageOf(event);
        }
      }
      for (const event of batch.events) {
        if (isBefore(place, event) && !old.has(event.eventId)) yield messageOf(event);
      }
      place = batch.end;
    }
  })();
}

/** Loads what came since the last time. */
function createLoad(db: Db, workspaceId: WorkspaceId) {
  let place: EventPlace | undefined;
  return async () => {
    const begin = place ?? (await findEventPlace(db));
    const events: StoredEvent[] = [];
    let end = begin;
    for (let isAll = false; !isAll && events.length < loadedAtOnceMax; ) {
      const read = await listEventsAfter(db, workspaceId, end, readAtOnceMax);
      events.push(...read.events);
      end = read.end;
      isAll = read.events.length < readAtOnceMax;
    }
    place = end;
    return { begin, events, end };
  };
}

async function* eventsBetween(db: Db, workspaceId: WorkspaceId, begin: EventPlace, end: EventPlace) {
  for (let place = begin; isBefore(place, end); ) {
    const read = await listEventsAfter(db, workspaceId, place, readAtOnceMax);
    for (const event of read.events) if (!isBefore(end, event)) yield event;
    place = read.end;
  }
}

function messageOf(event: StoredEvent): RealtimeMessage {
  return { id: idOf(event), event: event.type, data: JSON.parse(event.body) };
}

function idOf({ writtenBy, eventId }: EventPlace): string {
  return `${writtenBy}.${eventId}`;
}

function placeOf(id: string | undefined): EventPlace | undefined {
  const [, writtenBy, eventId] = /^(\d{1,18})\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/.exec(id ?? '') ?? [];
  return writtenBy && eventId ? { writtenBy, eventId } : undefined;
}
