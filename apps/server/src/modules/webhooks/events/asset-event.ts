import { randomUUIDv7 } from 'node:crypto';
import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Event, SeverityCounts } from '@assay/contract/schemas/event.ts';
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

export type AssetCompletion = { issueCount: number | null; severityCounts: SeverityCounts | null };

export function completedEvent(
  subject: EventSubject,
  { issueCount, severityCounts }: AssetCompletion,
  at: Date,
): NewEvent {
  return eventOf(subject, at, {
    type: 'asset.processing.completed',
    data: {
      ...idsOf(subject),
      status: 'complete',
      issue_count: issueCount,
      severity_counts: severityCounts,
      ...versionOf(subject),
      completed_at: at.toISOString(),
    },
  });
}

export type AnalysisFailure = { errorMessage: string; errorType: AssetErrorType; isRetryable: boolean };

export function failedEvent(
  subject: EventSubject,
  { errorMessage, errorType, isRetryable }: AnalysisFailure,
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

type EventContent<One = Event> = One extends Event ? Pick<One, 'type' | 'data'> : never;

// Serialised once: these bytes are signed and sent, also in a replay.
function eventOf({ submissionId, assetId, livemode }: EventSubject, at: Date, { type, data }: EventContent): NewEvent {
  const eventId = randomUUIDv7();
  const event = { id: eventId, type, timestamp: at.toISOString(), livemode, data } as Event;
  return { eventId, type, livemode, submissionId, assetId, body: JSON.stringify(event) };
}
