import { randomUUIDv7 } from 'node:crypto';
import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import type { Event, SeverityCounts } from '@assay/contract/schemas/event.ts';
import type { WorkspaceId } from '#call/caller.ts';
import type { NewEvent } from './event-store.ts';

/** The asset that an event is about. */
export type Subject = {
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

export type Completion = { issueCount: number | null; severityCounts: SeverityCounts | null };

export function completedEvent(subject: Subject, { issueCount, severityCounts }: Completion, at: Date): NewEvent {
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

export type Failure = { errorMessage: string; errorType: AssetErrorType; isRetryable: boolean };

export function failedEvent(subject: Subject, { errorMessage, errorType, isRetryable }: Failure, at: Date): NewEvent {
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

function idsOf({ assetId, submissionId, workspaceId }: Subject) {
  return { asset_id: assetId, submission_id: submissionId, workspace_id: workspaceId };
}

function versionOf({ versionGroupId, versionNumber, retryCount, clientReference }: Subject) {
  return {
    version_group_id: versionGroupId,
    version_number: versionNumber,
    retry_count: retryCount,
    ...(clientReference !== undefined && { client_reference: clientReference }),
  };
}

type Content<One = Event> = One extends Event ? Pick<One, 'type' | 'data'> : never;

// Serialised once: these bytes are signed and sent, also in a replay.
function eventOf({ submissionId, assetId, livemode }: Subject, at: Date, { type, data }: Content): NewEvent {
  const eventId = randomUUIDv7();
  const event = { id: eventId, type, timestamp: at.toISOString(), livemode, data } as Event;
  return { eventId, type, livemode, submissionId, assetId, body: JSON.stringify(event) };
}
