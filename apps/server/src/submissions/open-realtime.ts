import { Refusal } from '@assay/contract/refusals.ts';
import type { Call, Reply } from '../access/caller.ts';
import type { Handles } from '../handles/handles.ts';
import { followEvents } from '../webhooks/follow-events.ts';
import { followSubmission } from './follow-submission.ts';

const shape = /^(submission|webhooks)\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** A channel that the caller may not follow is one that does not exist. */
export async function openRealtime(
  { caller, query, stream }: Call<'openRealtime'>,
  handles: Handles,
): Promise<Reply<'openRealtime'>> {
  const [, kind, id] = shape.exec(query.channel.toLowerCase()) ?? [];
  if (kind === 'submission' && id) return followSubmission(caller, id, stream, handles);
  const isOwn = kind === 'webhooks' && id === caller.workspaceId && caller.mode === 'sandbox';
  if (isOwn) return followEvents(caller.workspaceId, stream, handles);
  throw new Refusal('channel_not_found');
}
