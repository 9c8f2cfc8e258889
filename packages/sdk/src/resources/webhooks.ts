import type { Call, CallOptions, WriteOptions } from '../call.ts';
import { followEvents } from '../follow.ts';
import { listing } from '../listing.ts';
import { testHeaders, unwrap } from '../webhook-signature.ts';
import type {
  FireRequest,
  Operations,
  RangeReplayRequest,
  RotationRequest,
  SubscriptionChange,
  SubscriptionRequest,
} from '../wire.generated.ts';

type ListQuery = Operations['listSubscriptions']['query'];
type DeliveryQuery = Operations['listDeliveries']['query'];

export const webhooks = (call: Call) => ({
  unwrap,
  testHeaders,
  /** Only this response contains the secret. */
  create: (body: SubscriptionRequest, options?: WriteOptions) =>
    call('createSubscription', { params: [], body }, options),
  list: (query: ListQuery = {}, options?: CallOptions) =>
    listing(
      (cursor = query.cursor) => call('listSubscriptions', { params: [], query: { ...query, cursor } }, options),
      (page) => page.subscriptions,
    ),
  get: (subscriptionId: string, options?: CallOptions) =>
    call('getSubscription', { params: [subscriptionId] }, options),
  update: (subscriptionId: string, body: SubscriptionChange, options?: CallOptions) =>
    call('updateSubscription', { params: [subscriptionId], body }, options),
  delete: (subscriptionId: string, options?: CallOptions) =>
    call('deleteSubscription', { params: [subscriptionId] }, options),
  rotateSecret: (subscriptionId: string, body: RotationRequest = {}, options?: CallOptions) =>
    call('rotateSecret', { params: [subscriptionId], body }, options),
  /** Sends a sample event now and returns the result. */
  test: (subscriptionId: string, options?: CallOptions) =>
    call('testSubscription', { params: [subscriptionId], body: {} }, options),
  eventTypes: (options?: CallOptions) => call('listEventTypes', { params: [] }, options),
  /** With a sandbox key: all new events of the workspace, for development without a public address. */
  events: (options?: Parameters<typeof followEvents>[1]) => followEvents(call, options),
  deliveries: {
    list: (subscriptionId: string, query: DeliveryQuery = {}, options?: CallOptions) =>
      listing(
        (cursor = query.cursor) =>
          call('listDeliveries', { params: [subscriptionId], query: { ...query, cursor } }, options),
        (page) => page.deliveries,
      ),
    get: (subscriptionId: string, deliveryId: string, options?: CallOptions) =>
      call('getDelivery', { params: [subscriptionId, deliveryId] }, options),
    replay: (subscriptionId: string, deliveryId: string, options?: WriteOptions) =>
      call('replayDelivery', { params: [subscriptionId, deliveryId], body: {} }, options),
    replayRange: (subscriptionId: string, body: RangeReplayRequest, options?: WriteOptions) =>
      call('replayDeliveries', { params: [subscriptionId], body }, options),
  },
});

export const sandbox = (call: Call) => ({
  /** Sends synthetic events for a submission; nothing is analysed. */
  fire: (body: FireRequest, options?: CallOptions) => call('fireEvents', { params: [], body }, options),
});
