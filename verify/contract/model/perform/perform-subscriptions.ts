import assert from 'node:assert/strict';
import { firedEventTypes } from '@assay/contract/schemas/event.ts';
import type { CommandOf, Commands } from '../commands.ts';
import {
  existingSubscriptions,
  type Mode,
  type Model,
  remember,
  rememberedUnder,
  type Settings,
  type Subscription,
} from '../model.ts';
import { readPages, type Session, sendAndCheck } from '../session.ts';
import { type SubscriptionTarget, selectSubscription } from '../targets.ts';

export const subscriptionsPath = '/webhooks/subscriptions';
/** The maximum per sequence, because the engine gets each event once per subscription. */
const subscriptionsMax = 3;

// The client has already checked every response against the contract.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any;

/** Creates a subscription. If there are enough already, lists them instead. */
export async function subscribe(command: Commands['subscribe'], model: Model, session: Session): Promise<void> {
  const { by, isAllowed, mode, key } = command;
  if (existingSubscriptions(model).length >= subscriptionsMax) return subscriptions({ by, limit: 100 }, model, session);
  const { receiver } = session.service;
  const number = model.subscriptions.length + 1;
  // A receiver on another machine must use HTTPS.
  const url = isAllowed ? `${receiver.url}/${session.workspaceId}/${number}` : 'http://192.0.2.1/';
  const json = { url, eventTypes: command.eventTypes, mode };
  const known = rememberedUnder(model, by, 'subscribe', key);
  const isSame = JSON.stringify(known?.json) === JSON.stringify(json);
  const first = isAllowed ? '201' : '422 url_not_allowed';
  const { response, outcome } = await sendAndCheck(
    session,
    'subscribe',
    `${formatSettings(json)}${isAllowed ? '' : ' elsewhere'} by ${by}${key ? ` under ${key}` : ''}`,
    [known ? (isSame ? '201 replayed' : '422 idempotency_key_reused') : first],
    () => session.idle[by].post(subscriptionsPath, json, { headers: key ? { 'idempotency-key': key } : {} }),
  );
  if (outcome === '201 replayed') assert.deepEqual(response.body, known?.body);
  if (outcome !== '201') return;
  const { secret, ...body } = response.body;
  const { subscriptionId, createdAt, updatedAt } = body;
  const subscription: Subscription = {
    label: `subscription ${number}`,
    createdWith: by,
    subscriptionId,
    url,
    secret,
    settings: [{ since: model.step, isActive: true, eventTypes: json.eventTypes, mode }],
    isDeleted: false,
    createdAt,
    updatedAt,
    disabledAt: null,
    deliveries: new Map(),
    replays: [],
  };
  assert.ok(!model.subscriptions.some((one) => one.subscriptionId === subscriptionId), 'its id is new');
  model.subscriptions.push(subscription);
  observeSubscription(session, subscription, body);
  session.transcript.push(`${session.transcript.pop()} ${subscription.label}`);
  if (key)
    remember(model, 'subscribe', { mode: by, path: subscriptionsPath, key, json, status: 201, body: response.body });
}

export async function change(command: Commands['change'], model: Model, session: Session): Promise<void> {
  const { by, change: changed } = command;
  const { subscription, subscriptionId, label } = await ensureSubscription(command, model, session);
  const { response, outcome } = await sendAndCheck(
    session,
    'change',
    `${label} to ${formatSettings(changed)} by ${by}`,
    responsesToChange(subscription, by, '200'),
    () => session.idle[by].patch(`${subscriptionsPath}/${subscriptionId}`, changed),
  );
  if (!subscription || outcome !== '200') return;
  const before = subscription.settings.at(-1) as Settings;
  const now = { ...before, ...changed, since: model.step };
  subscription.settings.push(now);
  const { updatedAt, disabledAt } = response.body;
  assert.ok(updatedAt >= subscription.updatedAt, 'updatedAt went back');
  subscription.updatedAt = updatedAt;
  // A subscription that is stopped again keeps the first timestamp.
  if (before.isActive || now.isActive) subscription.disabledAt = disabledAt;
  observeSubscription(session, subscription, response.body);
}

export async function unsubscribe(command: Commands['unsubscribe'], model: Model, session: Session): Promise<void> {
  const { by } = command;
  const { subscription, subscriptionId, label } = await ensureSubscription(command, model, session);
  const { outcome } = await sendAndCheck(
    session,
    'unsubscribe',
    `${label} by ${by}`,
    responsesToChange(subscription, by, '204'),
    () => session.idle[by].delete(`${subscriptionsPath}/${subscriptionId}`),
  );
  if (!subscription || outcome !== '204') return;
  subscription.settings.push({ ...(subscription.settings.at(-1) as Settings), isActive: false, since: model.step });
  subscription.isDeleted = true;
}

export async function subscription(command: Commands['subscription'], model: Model, session: Session): Promise<void> {
  const { by } = command;
  const { subscription: known, subscriptionId, label } = await ensureSubscription(command, model, session);
  const { response, outcome } = await sendAndCheck(
    session,
    'subscription',
    `${label} by ${by}`,
    responsesFor(known, '200'),
    () => session.idle[by].get(`${subscriptionsPath}/${subscriptionId}`),
  );
  if (known && outcome === '200') observeSubscription(session, known, response.body);
}

/** Reads the whole list page by page. It must contain every subscription once, oldest first. */
export async function subscriptions(
  { by, limit }: Commands['subscriptions'],
  model: Model,
  session: Session,
): Promise<void> {
  const bodies = await readPages(
    session,
    { op: 'subscriptions', what: `?limit=${limit} by ${by}`, allowed: ['200'] },
    { client: session.idle[by], path: `${subscriptionsPath}?limit=${limit}`, member: 'subscriptions', limit },
  );
  assert.ok(bodies);
  const expected = existingSubscriptions(model);
  const idsOf = (all: { subscriptionId: string }[]) => all.map(({ subscriptionId }) => subscriptionId);
  assert.deepEqual(idsOf(bodies), idsOf(expected), 'the subscriptions of the workspace');
  for (const [i, one] of expected.entries()) observeSubscription(session, one, bodies[i]);
}

/** Returns the subscription of a command; a caller without one subscribes first. */
export async function ensureSubscription(
  { by, subscription: selector }: Pick<CommandOf<'subscription'>, 'by' | 'subscription'>,
  model: Model,
  session: Session,
): Promise<SubscriptionTarget> {
  const isOwn = ['any', 'used', 'inactive'].includes(selector.kind);
  if (isOwn && existingSubscriptions(model).length === 0) {
    const rest = { isAllowed: true, mode: 'all', key: undefined } as const;
    await subscribe({ by, eventTypes: [...firedEventTypes], ...rest }, model, session);
  }
  return selectSubscription(model, session, selector);
}

export function responsesFor(subscription: Subscription | undefined, success: string): string[] {
  return [!subscription || subscription.isDeleted ? '404 subscription_not_found' : success];
}

/** A sandbox key changes only what a sandbox key created. */
export function responsesToChange(subscription: Subscription | undefined, by: Mode, success: string): string[] {
  const isRefused = by === 'sandbox' && subscription?.createdWith === 'live';
  return responsesFor(subscription, isRefused ? '403 live_subscription' : success);
}

/** Checks a subscription. The receiver accepts everything, so no delivery has failed. */
function observeSubscription({ workspaceId }: Session, subscription: Subscription, body: Body): void {
  const { since: _, ...settings } = subscription.settings.at(-1) as Settings;
  const { subscriptionId, createdWith, url, createdAt, updatedAt, disabledAt } = subscription;
  assert.deepEqual(body, {
    subscriptionId,
    workspaceId,
    url,
    description: null,
    createdWith,
    ...settings,
    maxRequestsPerSecond: null,
    disabledReason: settings.isActive ? null : 'manual',
    disabledAt,
    consecutiveFailureCount: 0,
    lastDeliveryAt: body.lastDeliveryAt,
    lastSuccessAt: body.lastDeliveryAt,
    createdAt,
    updatedAt,
  });
  assert.equal(disabledAt === null, settings.isActive, 'disabledAt is set exactly while it is not active');
}

function formatSettings({ eventTypes, mode, isActive }: Partial<Settings>): string {
  const types = eventTypes?.map((type) => type.replace('asset.processing.', '')).join(' and ');
  const active = isActive === undefined ? undefined : isActive ? 'active' : 'inactive';
  return [active, mode && `mode ${mode}`, types].filter(Boolean).join(', ');
}
