import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { clientReferenceCharactersMax } from '@assay/contract/limits.ts';
import type { Mode, WorkspaceId } from '#call/caller.ts';
import { type PresentedPin, presentPin } from '#modules/profiles/find-profile.ts';
import { type EventSubject, failedEvent } from '#modules/webhooks/events/asset-event.ts';
import type { NewEvent } from '#modules/webhooks/events/event-store.ts';
import { finishedEvent, type SubmissionSubject } from '#modules/webhooks/events/submission-event.ts';
import type { SubmissionState } from './judgement.ts';
import { presentFailure } from './present.ts';
import { retryCount } from './status.ts';

/** The columns of an asset that its events contain. */
export type EventRow = { asset_id: string; version_group_id: string; version_number: number; attempt: number };

export function subjectOf(
  { workspaceId, submissionId }: { workspaceId: WorkspaceId; submissionId: string },
  row: EventRow,
  { mode, metadata }: { mode: Mode; metadata: Record<string, unknown> },
): EventSubject {
  return {
    workspaceId,
    submissionId,
    assetId: row.asset_id,
    versionGroupId: row.version_group_id,
    versionNumber: row.version_number,
    retryCount: retryCount(row),
    livemode: mode === 'live',
    clientReference: clientReferenceOf(metadata),
  };
}

/** The only part of the metadata that events contain. */
function clientReferenceOf({ clientReference }: Record<string, unknown>): string | undefined {
  const isSent = typeof clientReference === 'string' && [...clientReference].length <= clientReferenceCharactersMax;
  return isSent ? clientReference : undefined;
}

/** The event of a live submission that is finished; none as long as an asset is still to be processed. */
export function finishEvents(
  subject: SubmissionSubject,
  { status, completedAt, ...verdict }: SubmissionState,
  pin: PresentedPin,
): NewEvent[] {
  if (!completedAt || (status !== 'complete' && status !== 'failed')) return [];
  return [finishedEvent(subject, status, verdict, presentPin(pin), completedAt)];
}

/** §6: the event for a failed attempt, with its documented error type. */
export function failureEvent(
  subject: EventSubject,
  { attempt }: EventRow,
  errorType: AssetErrorType,
  pin: PresentedPin,
  at: Date,
): NewEvent {
  const mode = subject.livemode ? 'live' : 'sandbox';
  const { errorMessage, isRetryable } = presentFailure({ error_type: errorType, attempt, mode }, mode);
  const profile = presentPin(pin);
  return failedEvent(subject, { errorMessage: errorMessage ?? '', errorType, isRetryable, profile }, at);
}
