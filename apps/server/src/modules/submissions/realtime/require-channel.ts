import { Refusal } from '@assay/contract/refusals.ts';
import type { Caller } from '#call/caller.ts';
import type { Db } from '#platform/postgres/db.ts';
import { findRevision } from '../store.ts';

const channelShape = /^(submission|webhooks)\.([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** The subject of a channel; undefined for an unknown format. */
export function parseChannel(channel: string): { kind: 'submission' | 'webhooks'; id: string } | undefined {
  const [, kind, id] = channelShape.exec(channel.toLowerCase()) ?? [];
  return id ? { kind: kind as 'submission' | 'webhooks', id } : undefined;
}

/** The events of the caller's workspace, which only a sandbox key may follow. */
export function isOwnEvents(caller: Caller, { kind, id }: { kind: string; id: string }): boolean {
  return kind === 'webhooks' && id === caller.workspaceId && caller.mode === 'sandbox';
}

/** 404 for a channel that the caller may not follow, as for one that does not exist. */
export async function requireChannel(db: Db, caller: Caller, channel: string): Promise<void> {
  const parsed = parseChannel(channel);
  if (parsed && isOwnEvents(caller, parsed)) return;
  const isOwnSubmission = parsed?.kind === 'submission' && (await findRevision(db, caller.workspaceId, parsed.id));
  if (!isOwnSubmission) throw new Refusal('channel_not_found');
}
