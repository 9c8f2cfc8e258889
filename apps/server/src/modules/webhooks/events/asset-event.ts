import type { AssetErrorType } from '@assay/contract/asset-failures.ts';
import { noVerdict } from '@assay/contract/no-verdict.ts';
import type { IssueDecision } from '@assay/contract/schemas/issue.ts';
import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import type { Verdict } from '@assay/contract/verdict.ts';
import type { WorkspaceId } from '#call/caller.ts';
import { eventOf, referenceOf, verdictOf } from './event-body.ts';
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

/** The result of an analysis, which simulated and sample events lack. */
export type AssetCompletion = { issueCount: number; judgement: AssetVerdict; profile: PinnedProfile };

export function completedEvent(subject: EventSubject, completion: AssetCompletion | null, at: Date): NewEvent {
  return eventOf(subject, at, {
    type: 'asset.processing.completed',
    data: {
      ...idsOf(subject),
      status: 'complete',
      issue_count: completion?.issueCount ?? null,
      ...versionOf(subject),
      ...verdictOf(completion?.judgement ?? noVerdict, completion?.profile ?? null),
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
      ...verdictOf({ ...noVerdict, verdict: profile ? 'not_checked' : null }, profile),
      failed_at: at.toISOString(),
    },
  });
}

/** What changed the verdict on a complete asset. */
export type VerdictChange = {
  previousVerdict: Verdict | null;
  judgement: AssetVerdict;
  issueId: string;
  actor: IssueDecision['actor'];
  /** Null in sample events. */
  profile: PinnedProfile | null;
};

export function verdictChangedEvent(
  subject: EventSubject,
  { previousVerdict, judgement, issueId, actor, profile }: VerdictChange,
  at: Date,
): NewEvent {
  return eventOf(subject, at, {
    type: 'asset.verdict.changed',
    data: {
      ...idsOf(subject),
      ...versionOf(subject),
      previous_verdict: previousVerdict,
      ...verdictOf(judgement, profile),
      cause: 'decision',
      issue_id: issueId,
      actor: { kind: actor.kind, id: actor.id },
      changed_at: at.toISOString(),
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
    ...referenceOf(clientReference),
  };
}
