import { idempotencyKeptHours, idempotencyKeyCharactersMax } from './limits.ts';
import {
  exampleAssetId,
  exampleDeliveryId,
  exampleEventId,
  exampleIssueId,
  exampleKeyId,
  exampleProfileId,
  exampleSidekickId,
  exampleSubmissionId,
  exampleSubscriptionId,
} from './schemas/examples.ts';

type Json = Record<string, unknown>;
type ParameterDescription = { description: string; schema: Json };

const describeUuid = (description: string, example: string): ParameterDescription => ({
  description,
  schema: { type: 'string', format: 'uuid', examples: [example] },
});
const describeString = (description: string, example: string, rest: Json = {}): ParameterDescription => ({
  description,
  schema: { type: 'string', ...rest, examples: [example] },
});

/** Every path parameter of the route table, by name. */
const pathParameters: Record<string, ParameterDescription> = {
  submission_id: describeUuid('`submissionId` of the submission.', exampleSubmissionId),
  asset_id: describeUuid('`assetId` of an asset in the submission.', exampleAssetId),
  issue_id: describeUuid('`id` of an issue of the asset.', exampleIssueId),
  sidekick_id: describeUuid('`sidekickId` of the check.', exampleSidekickId),
  profile_id: describeUuid('`profileId` of the delivery profile.', exampleProfileId),
  subscription_id: describeUuid('`subscriptionId` of the subscription.', exampleSubscriptionId),
  delivery_id: describeUuid('`deliveryId` of a delivery to the subscription.', exampleDeliveryId),
  key_id: describeUuid('`keyId` of the API key.', exampleKeyId),
  n: {
    description: 'Number of the still image in `evidence` of the issue, counted from 1.',
    schema: { type: 'integer', minimum: 1, maximum: 999, examples: [1] },
  },
};

export function pathParameter(name: string): Json {
  const described = pathParameters[name];
  if (!described) throw new Error(`the path parameter ${name} is not described in parameters.ts`);
  return { name, in: 'path', required: true, ...described };
}

const headerParameter = (name: string, described: ParameterDescription): Json => ({
  name,
  in: 'header',
  required: false,
  ...described,
});

const exampleEtag = 'W/"7.1.processing.live"';

export const requestHeaders = {
  idempotencyKey: headerParameter(
    'Idempotency-Key',
    describeString(
      `Any string you choose. Repeating the same request with the same key within ${idempotencyKeptHours} hours returns the first response, with \`Idempotency-Replayed: true\`.`,
      'order-1042',
      { minLength: 1, maxLength: idempotencyKeyCharactersMax },
    ),
  ),
  ifNoneMatch: headerParameter(
    'If-None-Match',
    describeString(
      'The `ETag` of the last response. If nothing has changed, the response is 304 without a body.',
      exampleEtag,
    ),
  ),
  lastEventId: headerParameter(
    'Last-Event-ID',
    describeString('The `id` of the last message received. An unknown value is ignored.', '7.3'),
  ),
};

export const responseHeaders = {
  requestId: describeString('Quote this ID when you report a problem.', '0190a5c4-88a1-7d31-9d0b-6f5c1c6a2b7e'),
  replayed: {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'], examples: ['true'] },
  },
  location: (example: string) => describeString('Path of the created resource.', example, { format: 'uri-reference' }),
  etag: describeString(
    'Identifies this state of the resource. Weak: the same state can have a different byte representation.',
    exampleEtag,
  ),
  retryAfter: {
    description: 'Seconds to wait.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [12] },
  },
};

/** Standard Webhooks 1.0.0: the headers of each request to a subscription. */
export const signatureHeaders: Record<string, ParameterDescription> = {
  'webhook-id': describeString(
    'ID of the event, the same for every attempt. Use it to ignore duplicates.',
    exampleEventId,
  ),
  'webhook-timestamp': describeString(
    'When this attempt was signed, in seconds since 1970. Reject events older than 5 minutes.',
    '1767605472',
  ),
  'webhook-signature': describeString(
    '`v1,` followed by a base64 HMAC-SHA-256. Two signatures, separated by a space, while a secret is being rotated.',
    'v1,…',
  ),
};
