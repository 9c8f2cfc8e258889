import { assetFailures, retryAdvice } from '@assay/contract/asset-failures.ts';
import { type FiredEventType, firedErrorMessage } from '@assay/contract/schemas/event.ts';
import {
  type Asset,
  type AssetEnding,
  type ExpectedEvent,
  hasRetriesLeft,
  isRetryable,
  type Model,
  type ProcessingEvent,
  type Submission,
  type Subscription,
} from '../model.ts';
import { general } from './general-profile.ts';

/** §6: a live asset that ends causes one event. A simulated one causes none by itself. */
export function expectEnd(model: Model, submission: Submission, asset: Asset, ending: AssetEnding): void {
  if (submission.mode === 'sandbox') return;
  const isComplete = ending === 'complete';
  // Only a request cancels an asset, in the step in which the request was sent.
  const from = ending === 'cancelled' ? model.step : asset.begunAt;
  model.events.push({
    submission,
    asset,
    attempt: asset.attempt,
    type: isComplete ? 'asset.processing.completed' : 'asset.processing.failed',
    livemode: true,
    outcome: isComplete
      ? { issue_count: asset.ruleCodes?.length }
      : { error_message: messageOf(ending, asset), error_type: ending, is_retryable: isRetryable(asset) },
    from,
    until: asset.endedBy ?? model.step,
    isServed: ending !== 'cancelled',
    shown: undefined,
  });
}

function messageOf(ending: Exclude<AssetEnding, 'complete'>, asset: Asset): string {
  const { message, isRetryable: mayBeRetried } = assetFailures[ending];
  if (!mayBeRetried) return message;
  return `${message} ${retryAdvice[isRetryable(asset) ? 'retryable' : 'limit reached']}`;
}

/** §4.10: one event per asset, in any state. */
export function expectFired(
  model: Model,
  submission: Submission,
  { type, message, isServed }: { type: FiredEventType; message: string | undefined; isServed: boolean },
): ExpectedEvent[] {
  const fired = submission.assets.map((asset): ExpectedEvent => {
    const { attempt } = asset;
    const outcome =
      type === 'asset.processing.completed'
        ? { issue_count: null }
        : {
            error_message: message ?? firedErrorMessage,
            error_type: 'internal_error',
            is_retryable: hasRetriesLeft(attempt),
          };
    const { step } = model;
    const when = { from: step, until: step, isServed, shown: undefined };
    return { submission, asset, attempt, type, livemode: false, outcome, ...when };
  });
  model.events.push(...fired);
  return fired;
}

const noVerdict = {
  severity_counts: null,
  status_counts: null,
  blocking_count: null,
  review_count: null,
  waived_count: null,
};
/** No sequence names a profile or changes the default. */
const profile = { name: general.name, revision: general.revision, fail_on: general.failOn };

/** The verdict of an event; that of a result is taken from the event that was shown, and `checkPayload` checks it. */
function verdictOf({ livemode, type }: ExpectedEvent, { data }: ProcessingEvent) {
  if (!livemode) return { verdict: null, ...noVerdict, profile: null };
  if (type === 'asset.processing.failed') return { verdict: 'not_checked', ...noVerdict, profile };
  const { verdict, severity_counts, status_counts, blocking_count, review_count, waived_count } = data;
  return { verdict, severity_counts, status_counts, blocking_count, review_count, waived_count, profile };
}

/** The expected payload; id, timestamp and severities are taken from the event that was shown. */
export function payloadOf(event: ExpectedEvent, workspaceId: string, shown: ProcessingEvent) {
  const { id, timestamp } = shown;
  const { submission, asset, attempt, type, livemode, outcome } = event;
  const isComplete = type === 'asset.processing.completed';
  return {
    id,
    type,
    timestamp,
    livemode,
    data: {
      asset_id: asset.assetId,
      submission_id: submission.submissionId,
      workspace_id: workspaceId,
      status: isComplete ? 'complete' : 'failed',
      ...outcome,
      version_group_id: asset.versionGroupId,
      version_number: asset.versionNumber,
      retry_count: attempt - 1,
      ...verdictOf(event, shown),
      [isComplete ? 'completed_at' : 'failed_at']: timestamp,
    },
  };
}

/**
 * Whether a subscription matched an event during the whole time in which the event may have happened, or only during a
 * part of it.
 */
export function interestIn({ settings }: Subscription, event: ExpectedEvent): 'always' | 'sometimes' | 'never' {
  const { type, livemode, from, until } = event;
  const isThroughout = settings.some(({ since }) => since <= from);
  const during = settings.filter(
    ({ since }, i) => since <= until && (settings[i + 1]?.since ?? Number.POSITIVE_INFINITY) > from,
  );
  const interested = during.filter(
    ({ isActive, eventTypes, mode }) => isActive && eventTypes.includes(type) && (mode !== 'sandbox' || !livemode),
  );
  if (interested.length === 0) return 'never';
  return isThroughout && interested.length === during.length ? 'always' : 'sometimes';
}
