import { randomUUIDv7 } from 'node:crypto';
import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Event } from '@assay/contract/schemas/event.ts';
import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { AssetResult } from '@assay/contract/schemas/result.ts';
import type { SeverityCounts, Verdict } from '@assay/contract/verdict.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { NewEvent } from './event-store.ts';

/** The asset that an event is about. */
export type EventSubject = {
  workspaceId: WorkspaceId;
  submissionId: string;
  assetId: string;
  versionGroupId: string;
  versionNumber: number;
  retryCount: number;
  livemode: boolean;
  /** The caller's own reference for the submission. */
  clientReference: string | undefined;
};

type StatusCounts = NonNullable<AssetResult['statusCounts']>;

/** The result of an analysis, which simulated and sample events lack. */
export type AssetCompletion = {
  issueCount: number;
  severityCounts: SeverityCounts;
  statusCounts: StatusCounts;
  verdict: Verdict;
  blockingCount: number;
  reviewCount: number;
  waivedCount: number;
  profile: PinnedProfile;
};

export function completedEvent(subject: EventSubject, completion: AssetCompletion | null, at: Date): NewEvent {
  return eventOf(subject, at, {
    type: 'asset.processing.completed',
    data: {
      ...idsOf(subject),
      status: 'complete',
      issue_count: completion?.issueCount ?? null,
      severity_counts: completion?.severityCounts ?? null,
      ...versionOf(subject),
      ...verdictOf(completion?.verdict ?? null, completion, completion?.profile ?? null),
      completed_at: at.toISOString(),
    },
  });
}

export type AnalysisFailure = {
  errorMessage: string;
  errorType: AssetErrorType;
  isRetryable: boolean;
  /** Null in simulated and sample events, which have no verdict. */
  profile: PinnedProfile | null;
};

export function failedEvent(
  subject: EventSubject,
  { errorMessage, errorType, isRetryable, profile }: AnalysisFailure,
  at: Date,
): NewEvent {
  return eventOf(subject, at, {
    type: 'asset.processing.failed',
    data: {
      ...idsOf(subject),
      status: 'failed',
      error_message: errorMessage,
      error_type: errorType,
      is_retryable: isRetryable,
      ...versionOf(subject),
      ...verdictOf(profile ? 'not_checked' : null, null, profile),
      failed_at: at.toISOString(),
    },
  });
}

function idsOf({ assetId, submissionId, workspaceId }: EventSubject) {
  return { asset_id: assetId, submission_id: submissionId, workspace_id: workspaceId };
}

function versionOf({ versionGroupId, versionNumber, retryCount, clientReference }: EventSubject) {
  return {
    version_group_id: versionGroupId,
    version_number: versionNumber,
    retry_count: retryCount,
    ...(clientReference !== undefined && { client_reference: clientReference }),
  };
}

function verdictOf(verdict: Verdict | null, counts: AssetCompletion | null, profile: PinnedProfile | null) {
  const statuses = counts?.statusCounts;
  return {
    verdict,
    status_counts: statuses
      ? {
          open: statuses.open,
          acknowledged: statuses.acknowledged,
          awaiting_human_input: statuses.awaitingHumanInput,
          resolved: statuses.resolved,
          dismissed: statuses.dismissed,
        }
      : null,
    blocking_count: counts?.blockingCount ?? null,
    review_count: counts?.reviewCount ?? null,
    waived_count: counts?.waivedCount ?? null,
    profile: profile && { name: profile.name, revision: profile.revision, fail_on: profile.failOn },
  };
}

type EventContent<One = Event> = One extends Event ? Pick<One, 'type' | 'data'> : never;

// Serialised once: these bytes are signed and sent, also in a replay.
function eventOf({ submissionId, assetId, livemode }: EventSubject, at: Date, { type, data }: EventContent): NewEvent {
  const eventId = randomUUIDv7();
  const event = { id: eventId, type, timestamp: at.toISOString(), livemode, data } as Event;
  return { eventId, type, livemode, submissionId, assetId, body: JSON.stringify(event) };
}
