import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '#call/call.ts';
import { followEvents } from '#modules/webhooks/events/follow-events.ts';
import type { Handles } from '#platform/handles.ts';
import { followSubmission } from './follow-submission.ts';
import { isOwnEvents, parseChannel } from './require-channel.ts';

/** A channel that the caller may not follow is reported as not found. */
export async function openRealtime(
  { caller, query, stream }: Call<'openRealtime'>,
  handles: Handles,
): Promise<Reply<'openRealtime'>> {
  const channel = parseChannel(query.channel);
  if (channel?.kind === 'submission') return followSubmission(caller, channel.id, stream, handles);
  if (channel && isOwnEvents(caller, channel)) return followEvents(caller.workspaceId, stream, handles);
  throw new Refusal('channel_not_found');
}
