import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import type { EventSubject } from './asset-event.ts';
import { eventOf, referenceOf, verdictOf } from './event-body.ts';
import type { NewEvent } from './event-store.ts';

/** The submission that an event is about. */
export type SubmissionSubject = Pick<EventSubject, 'workspaceId' | 'submissionId' | 'livemode' | 'clientReference'>;

export function finishedEvent(
  { workspaceId, submissionId, livemode, clientReference }: SubmissionSubject,
  status: 'complete' | 'failed',
  verdict: AssetVerdict,
  /** Null in sample events. */
  profile: PinnedProfile | null,
  at: Date,
): NewEvent {
  return eventOf({ submissionId, assetId: null, livemode }, at, {
    type: 'submission.processing.finished',
    data: {
      submission_id: submissionId,
      workspace_id: workspaceId,
      ...referenceOf(clientReference),
      status,
      ...verdictOf(verdict, profile),
      finished_at: at.toISOString(),
    },
  });
}
