import assert from 'node:assert/strict';
import type { Event } from '@assay/contract/schemas/event.ts';
import { Webhook } from 'standardwebhooks';
import type { Commands } from '../commands.ts';
import { expectFired, interestIn } from '../expect/expect-events.ts';
import { formatEvent } from '../expect/observe-deliveries.ts';
import { observeEvents } from '../expect/observe-events.ts';
import { checkFinishedEvents } from '../expect/observe-verdicts.ts';
import { type ExpectedEvent, existingSubmissions, existingSubscriptions, type Model } from '../model.ts';
import { nextMessage } from '../next-message.ts';
import { type Session, sendAndCheck } from '../session.ts';
import { choose, selectSubmission } from '../targets.ts';

/** An event is shown once no older transaction is open, which the stream checks every second. */
const shownMillisMax = 30_000;

export async function fire(command: Commands['fire'], model: Model, session: Session): Promise<void> {
  const { mode, isServed, eventType, message } = command;
  const { submission, submissionId, label } = selectSubmission(model, session, command.submission);
  const isThere = submission && !submission.isDeleted;
  const { response, outcome } = await sendAndCheck(
    session,
    'fire',
    `${eventType} for ${label} by ${isServed ? 'served' : 'idle'} ${mode}`,
    [mode === 'live' ? '403 sandbox_only' : isThere ? '200' : '404 submission_not_found'],
    () =>
      (isServed ? session.served : session.idle)[mode].post('/sandbox/events/fire', {
        eventType,
        submissionId,
        errorMessage: message,
      }),
  );
  if (outcome !== '200' || !submission) return;
  const fired = expectFired(model, submission, { type: eventType, message, isServed });
  const isWanted = existingSubscriptions(model).flatMap((one) =>
    fired.map((event) => interestIn(one, event) === 'always'),
  );
  assert.equal(response.body.dispatched, isWanted.filter(Boolean).length, 'dispatched');
}

/** A sandbox key may resume after any event that was shown: the others follow in the same order, without deleted ones. */
export async function events({ mode, isServed, pick }: Commands['events'], model: Model, session: Session) {
  observeEvents(model, session);
  const { workspaceId, eventLog } = session;
  const known = eventLog.messages.slice();
  const last = choose(known, pick);
  const { response: stream } = await sendAndCheck(
    session,
    'events',
    `after ${last ? known.indexOf(last) + 1 : 0} of ${known.length} by ${mode}`,
    [mode === 'sandbox' ? '200' : '404 channel_not_found'],
    () =>
      (isServed ? session.served : session.idle)[mode].open(
        `/realtime?channel=webhooks.${workspaceId}`,
        last && { 'last-event-id': last.id },
      ),
  );
  const missed = known
    .slice(last ? known.indexOf(last) + 1 : known.length)
    .filter(({ data }) => !isDeleted(model, data.data.submission_id));
  if (stream.status === 200) {
    for (const message of missed) assert.deepEqual(await nextMessage(stream, 'events'), message);
  }
  await stream.close();
}

/**
 * Checks that the stream has shown every event: an event that is fired now is shown after all others. Also checks that
 * every request to the receiver contains one of these events, signed with the secret of its subscription.
 */
export async function checkEvents(model: Model, session: Session): Promise<void> {
  const knownCount = model.events.length;
  if (existingSubmissions(model).length > 0) {
    const rest = { isServed: false, eventType: 'asset.processing.completed', message: undefined } as const;
    await fire({ mode: 'sandbox', submission: { kind: 'any', pick: 0 }, ...rest }, model, session);
  }
  await untilShown(model.events.slice(knownCount), model, session);
  const lost = model.events.filter((event) => !event.shown && !event.submission.isDeleted);
  assert.deepEqual(lost.map(formatEvent), [], 'missing events in the stream');
  checkFinishedEvents(model);
  checkReceived(model, session);
}

async function untilShown(expected: ExpectedEvent[], model: Model, session: Session): Promise<void> {
  const begin = performance.now();
  for (;;) {
    observeEvents(model, session);
    if (expected.every(({ shown }) => shown)) return;
    const millis = shownMillisMax - (performance.now() - begin);
    assert.ok(millis > 0, `an event was not shown within ${shownMillisMax / 1000} s`);
    await session.eventLog.untilMore(millis);
  }
}

function checkReceived(model: Model, { service, workspaceId }: Session): void {
  for (const { path, headers, body } of service.receivedBy(workspaceId)) {
    const subscription = model.subscriptions.find(({ url }) => url === service.receiver.url + path);
    assert.ok(subscription, `unexpected request to ${path}`);
    const payload = new Webhook(subscription.secret).verify(body, headers) as Event;
    assert.equal(headers['webhook-id'], payload.id);
    const event = model.events.find(({ shown }) => shown?.id === payload.id);
    // An event that was deleted before it was shown is never shown.
    if (!event && isDeleted(model, payload.data.submission_id)) continue;
    assert.ok(event, `nothing could have caused ${body}`);
    assert.deepEqual(payload, event.shown, 'a receiver gets the same payload as the stream');
    assert.ok(event.isServed && interestIn(subscription, event) !== 'never', `not subscribed to ${formatEvent(event)}`);
  }
}

function isDeleted({ submissions }: Model, submissionId: string): boolean {
  return submissions.some((one) => one.isDeleted && one.submissionId === submissionId);
}
