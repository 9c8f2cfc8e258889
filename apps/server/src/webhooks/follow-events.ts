import type { RealtimeMessage } from '@assay/contract/realtime.ts';
import type { StreamPlace } from '@assay/contract/route.ts';
import type { Follower, WorkspaceId } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { type EventPlace, findEventPlace, listEventsAfter } from './event-store.ts';
import { eventChannelOf } from './publish-events.ts';

const readAtOnceMax = 100;
// An event is shown when nothing older can still appear. What holds it up tells nobody when it ends.
const lookAgainMillis = 1000;

/** Each event of the workspace as it would be delivered: from now on, or from where the client stands. */
export async function followEvents(
  workspaceId: WorkspaceId,
  { lastEventId, signal }: Follower,
  { db, realtime }: Handles,
): Promise<AsyncGenerator<RealtimeMessage | StreamPlace>> {
  const start = placeOf(lastEventId) ?? (await findEventPlace(db));
  const channel = eventChannelOf(workspaceId);
  return (async function* () {
    let place = start;
    yield { id: idOf(place) };
    for await (const _ of realtime.news(channel, lookAgainMillis, signal)) {
      for (let isAll = false; !isAll && !signal.aborted; ) {
        const load = () => listEventsAfter(db, workspaceId, place, readAtOnceMax);
        const events = await realtime.read(`${channel} ${idOf(place)}`, load, signal);
        for (const event of events) {
          place = event;
          yield { id: idOf(place), event: event.type, data: JSON.parse(event.body) };
        }
        isAll = events.length < readAtOnceMax;
      }
    }
  })();
}

function idOf({ writtenBy, eventId }: EventPlace): string {
  return `${writtenBy}.${eventId}`;
}

function placeOf(id: string | undefined): EventPlace | undefined {
  const [, writtenBy, eventId] = /^(\d{1,18})\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/.exec(id ?? '') ?? [];
  return writtenBy && eventId ? { writtenBy, eventId } : undefined;
}
