import assert from 'node:assert/strict';
import type { Event } from '@assay/contract/schemas/event.ts';
import type { ExpectedEvent, Model, ProcessingEvent } from '../model.ts';
import type { Session } from '../session.ts';
import { payloadOf } from './expect-events.ts';
import { learnEnd } from './learn.ts';
import { checkCounts, observeVerdictEvent } from './observe-verdicts.ts';

/** Checks the new events of the stream: each must have a cause, and the causes must be in order. */
export function observeEvents(model: Model, { workspaceId, eventLog }: Session): void {
  for (const { event, data } of eventLog.takeNew()) {
    assert.equal(event, data.type);
    if (isAboutProcessing(data)) observeEvent(model, workspaceId, data);
    else observeVerdictEvent(model, workspaceId, data);
  }
}

/** The other types are checked by themselves: subscriptions of the model are not to them. */
const isAboutProcessing = (event: Event): event is ProcessingEvent =>
  event.type === 'asset.processing.completed' || event.type === 'asset.processing.failed';

function observeEvent(model: Model, workspaceId: string, shown: ProcessingEvent): void {
  assert.ok(!model.events.some((one) => one.shown?.id === shown.id), `event ${shown.id} is shown twice`);
  const event = findEvent(model, shown) ?? learnEvent(model, shown);
  assert.ok(event, `nothing could have caused ${JSON.stringify(shown)}`);
  checkPayload(event, workspaceId, shown);
  event.shown = shown;
  model.eventStep = Math.max(model.eventStep, event.from);
  assert.ok(model.eventStep <= event.until, `an event of step ${event.until} is shown after one of ${model.eventStep}`);
}

export function checkPayload(event: ExpectedEvent, workspaceId: string, shown: ProcessingEvent): void {
  assert.deepEqual(shown, payloadOf(event, workspaceId, shown));
  if (shown.type !== 'asset.processing.completed') return;
  const { severity_counts, issue_count } = shown.data;
  const sum = severity_counts && Object.values(severity_counts).reduce((total, count) => total + count, 0);
  assert.equal(sum, issue_count, 'the sum of the severities');
  if (shown.livemode) checkVerdict(shown.data);
}

function checkVerdict(data: Extract<Event, { type: 'asset.processing.completed' }>['data']): void {
  const { verdict, blocking_count, review_count, waived_count, status_counts, issue_count } = data;
  checkCounts({
    verdict,
    blockingCount: blocking_count,
    reviewCount: review_count,
    waivedCount: waived_count,
    issueCount: issue_count,
  });
  const sum = status_counts && Object.values(status_counts).reduce((total, count) => total + count, 0);
  assert.equal(sum, issue_count, 'the sum of the statuses');
}

function findEvent({ events }: Model, { type, livemode, data }: ProcessingEvent): ExpectedEvent | undefined {
  return events.find(
    (one) =>
      one.shown === undefined &&
      one.type === type &&
      one.livemode === livemode &&
      one.asset.assetId === data.asset_id &&
      one.attempt === data.retry_count + 1,
  );
}

/** An event may show that an asset has ended, which the model did not know yet. */
function learnEvent(model: Model, shown: ProcessingEvent): ExpectedEvent | undefined {
  if (!shown.livemode) return undefined;
  const end = shown.data.status === 'failed' ? shown.data.error_type : 'complete';
  for (const submission of model.submissions) {
    const asset = submission.assets.find(({ assetId }) => assetId === shown.data.asset_id);
    const isMeant = asset?.state === 'running' && asset.attempt === shown.data.retry_count + 1;
    if (isMeant) learnEnd(model, submission, asset, (possible) => possible === end);
  }
  return findEvent(model, shown);
}
