import {
  assetBytesMax,
  directUploadBytesMax,
  filenameBytesMax,
  GiB,
  jsonBodyBytesMax,
  keysPerWorkspaceMax,
  MiB,
  partBytesMin,
  retriesPerAssetMax,
  sentFilenameBytesMax,
  subscriptionsPerWorkspaceMax,
  ticketLifetimeSeconds,
} from './limits.ts';
import { profilesPerWorkspaceMax, revisionsPerProfileMax } from './schemas/profiles/built-in.ts';

/**
 * Every refusal by its code. Status and text are defined only here, so that the API, OpenAPI and the tests agree. The
 * title is the kind of error, the detail says what to do.
 */
export const refusals = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    detail: 'The request is not valid HTTP. Check the client or the proxy that sent it.',
  },
  simulation_needs_sandbox_key: {
    status: 400,
    title: 'Sandbox key required',
    detail: 'simulationDelaySeconds requires a sandbox key (sk_test_…). Remove the parameter, or use a sandbox key.',
  },
  missing_api_key: {
    status: 401,
    title: 'API key missing',
    detail: 'Send a workspace API key in the X-API-Key header.',
  },
  // Unknown, revoked and expired keys have the same text, so that guessing keys reveals nothing.
  invalid_api_key: {
    status: 401,
    title: 'Invalid API key',
    detail: 'The API key in X-API-Key is not valid. Check it for typos, or ask your operator for a new one.',
  },
  invalid_ticket: {
    status: 401,
    title: 'Invalid ticket',
    detail: `The ticket is not valid for this channel, or is older than ${ticketLifetimeSeconds} seconds. Request a new one.`,
  },
  invalid_filename: {
    status: 403,
    title: 'Invalid file name',
    detail: `File names can be up to ${filenameBytesMax} bytes in UTF-8, and up to ${sentFilenameBytesMax.toLocaleString('en-US')} bytes before they are normalised to NFC. They cannot contain slashes, backslashes, control characters or bidirectional formatting characters, and cannot start or end with a space or a dot. Rename the file.`,
  },
  invalid_blob_path: {
    status: 403,
    title: 'Invalid blob path',
    detail:
      'This blobPath was not issued to this workspace, or its file was deleted. Use blobPath exactly as the upload returned it, or upload the file again.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    detail:
      'The API key lacks the scope that this request requires. Use a key that has it: GET /me lists the scopes of a key, and those who manage the keys of the workspace can create another.',
  },
  sandbox_only: {
    status: 403,
    title: 'Sandbox key required',
    detail: 'This endpoint requires a sandbox key (sk_test_…).',
  },
  live_submission: {
    status: 403,
    title: 'Live submission is read-only for sandbox keys',
    detail: 'Sandbox keys can read live submissions, but not change them. Use a live key of this workspace.',
  },
  live_subscription: {
    status: 403,
    title: 'Live subscription is read-only for sandbox keys',
    detail:
      'Sandbox keys can read subscriptions that were created with a live key, but not change them or send events to them. Use a live key, or create a subscription with the sandbox key.',
  },
  live_upload: {
    status: 403,
    title: 'Live upload cannot be replaced with a sandbox key',
    detail:
      'Sandbox keys can submit a file that was uploaded with a live key, but not replace it. Use a live key, or upload the file with the sandbox key.',
  },
  live_profile: {
    status: 403,
    title: 'Live profile is read-only for sandbox keys',
    detail:
      'Sandbox keys can use every profile of the workspace, but can change only profiles that were created with a sandbox key, and not the default profile. Use a live key of this workspace.',
  },
  live_key: {
    status: 403,
    title: 'Live key is read-only for sandbox keys',
    detail:
      'Sandbox keys can list all keys of the workspace, but create, change and revoke only sandbox keys. Use a live key of this workspace.',
  },
  submission_not_found: {
    status: 404,
    title: 'Submission not found',
    detail: 'Submission not found in this workspace. Check the submission ID and the API key.',
  },
  asset_not_found: {
    status: 404,
    title: 'Asset not found',
    detail: 'Asset not found in this submission. Check the asset ID.',
  },
  previous_submission_not_found: {
    status: 404,
    title: 'Previous submission not found',
    detail: 'Previous submission not found in this workspace. Check previousSubmissionId and the API key.',
  },
  asset_not_ready: {
    status: 404,
    title: 'Asset not ready',
    detail: 'The asset has not finished processing. Poll the submission until its status is complete, then try again.',
  },
  asset_failed: {
    status: 404,
    title: 'Asset failed',
    detail: 'The asset failed, so it has no results. See errorType and errorMessage of the asset.',
  },
  issue_not_found: {
    status: 404,
    title: 'Issue not found',
    detail: 'Issue not found on this asset. Check the issue ID.',
  },
  evidence_not_found: {
    status: 404,
    title: 'Still image not found',
    detail:
      'This still image does not exist. `evidence` of the issue and `media.poster` of the asset list the available images.',
  },
  sidekick_not_found: {
    status: 404,
    title: 'Sidekick not found',
    detail: 'No sidekick has this ID. GET /sidekicks lists the available sidekicks.',
  },
  profile_not_found: {
    status: 404,
    title: 'Profile not found',
    detail: 'No delivery profile of this workspace has this ID and revision. GET /profiles lists the profiles.',
  },
  subscription_not_found: {
    status: 404,
    title: 'Subscription not found',
    detail: 'Webhook subscription not found in this workspace. Check the subscription ID and the API key.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    detail: 'Delivery not found for this subscription. It may be older than the retention period for deliveries.',
  },
  key_not_found: {
    status: 404,
    title: 'Key not found',
    detail: 'API key not found in this workspace. GET /keys lists the keys with their IDs.',
  },
  channel_not_found: {
    status: 404,
    title: 'Channel not found',
    detail:
      'Channel not found in this workspace. Use the realtimeChannel of a submission or, with a sandbox key, webhooks.<workspaceId>.',
  },
  route_not_found: {
    status: 404,
    title: 'Endpoint not found',
    detail: 'There is no endpoint at this path. See /docs for all endpoints.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path does not support the method. The Allow header lists the allowed methods.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    detail:
      'The request did not arrive completely in time. Send it again over a faster connection, or use the presigned-URL flow for files.',
  },
  asset_not_failed: {
    status: 409,
    title: 'Asset has not failed',
    detail: 'Only assets with the status failed can be retried. Poll the submission to see the status of this asset.',
  },
  asset_not_retryable: {
    status: 409,
    title: 'Asset not retryable',
    detail: 'A retry would fail in the same way. See errorType of the asset, fix the file and submit it again.',
  },
  retry_limit_reached: {
    status: 409,
    title: 'Retry limit reached',
    detail: `An asset can be retried up to ${retriesPerAssetMax} times. Submit the file again.`,
  },
  retry_in_flight: {
    status: 409,
    title: 'Retry in progress',
    detail: 'A retry of this asset is already in progress. Poll the submission for its result.',
  },
  submission_in_progress: {
    status: 409,
    title: 'Submission in progress',
    detail:
      'A submission can only be deleted when it is complete or failed. Wait until it is finished, or cancel it first.',
  },
  submission_settled: {
    status: 409,
    title: 'Submission already finished',
    detail: 'The submission is already complete or failed, so it cannot be cancelled.',
  },
  subscription_limit_reached: {
    status: 409,
    title: 'Subscription limit reached',
    detail: `A workspace can have up to ${subscriptionsPerWorkspaceMax} webhook subscriptions. Delete one that is no longer needed.`,
  },
  subscription_inactive: {
    status: 409,
    title: 'Subscription inactive',
    detail: 'Nothing is sent to an inactive subscription. Set isActive to true first.',
  },
  key_limit_reached: {
    status: 409,
    title: 'Key limit reached',
    detail: `A workspace can have up to ${keysPerWorkspaceMax} API keys that are neither expired nor revoked. Revoke one that is no longer needed.`,
  },
  key_revoked: {
    status: 409,
    title: 'Key revoked',
    detail: 'A revoked API key cannot be changed. Create another one.',
  },
  profile_limit_reached: {
    status: 409,
    title: 'Profile limit reached',
    detail: `A workspace can have up to ${profilesPerWorkspaceMax} delivery profiles of its own. Delete one that is no longer needed.`,
  },
  revision_limit_reached: {
    status: 409,
    title: 'Revision limit reached',
    detail: `A delivery profile can have up to ${revisionsPerProfileMax} revisions. Create a profile with the changed content, and use that one.`,
  },
  profile_name_taken: {
    status: 409,
    title: 'Profile name taken',
    detail: 'A built-in profile or another profile of this workspace has this name. Choose another name.',
  },
  profile_is_default: {
    status: 409,
    title: 'Profile is the default',
    detail: 'The default profile of the workspace cannot be deleted. Set isDefault of another profile to true first.',
  },
  built_in_profile: {
    status: 409,
    title: 'Built-in profile',
    detail:
      'Built-in profiles cannot be changed or deleted. Create a profile that extends it. Only isDefault can be set.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'Request in progress',
    detail: 'A request with this Idempotency-Key is still in progress. Wait a second, then send the request again.',
  },
  direct_upload_too_large: {
    status: 413,
    title: 'File too large for direct upload',
    detail: `Direct uploads can be up to ${directUploadBytesMax / MiB} MB (${directUploadBytesMax.toLocaleString('en-US')} bytes). Use the presigned-URL flow: POST /uploads/url, then PUT the file to uploadUrl.`,
  },
  asset_too_large: {
    status: 413,
    title: 'File too large',
    detail: `Videos can be up to ${assetBytesMax.video / GiB} GiB, audio files ${assetBytesMax.audio / MiB} MiB, images ${assetBytesMax.image / MiB} MiB and documents ${assetBytesMax.document / MiB} MiB. See \`errors\` for the files that are larger.`,
  },
  request_too_large: {
    status: 422,
    title: 'Request too large',
    detail: `JSON bodies can be up to ${jsonBodyBytesMax / MiB} MiB. Send a smaller body.`,
  },
  unsupported_content_encoding: {
    status: 422,
    title: 'Content-Encoding not supported',
    detail: 'Compressed request bodies are not supported. Send the body without a Content-Encoding.',
  },
  unsupported_request_media_type: {
    status: 415,
    title: 'Request media type not supported',
    detail: 'This endpoint accepts multipart/form-data only. Set Content-Type to multipart/form-data with a boundary.',
  },
  content_type_not_allowed: {
    status: 415,
    title: 'Content type not allowed',
    detail: 'This type of file is not accepted. Convert the file to an accepted one.',
  },
  content_type_mismatch: {
    status: 415,
    title: 'Content type does not match',
    detail: 'The extension, the content type and the content of a file must have the same format.',
  },
  validation_failed: {
    status: 422,
    title: 'Invalid request',
    detail: 'The request is invalid. See `errors` for details.',
  },
  blob_archived: {
    status: 422,
    title: 'File archived',
    detail:
      'The file is in the archive tier of the object storage and cannot be read. Upload it again without an access tier.',
  },
  blob_not_uploaded: {
    status: 422,
    title: 'File not uploaded',
    detail: 'No file found at this blobPath. Finish the upload, then submit.',
  },
  size_mismatch: {
    status: 422,
    title: 'Size mismatch',
    detail: 'The size of the stored file differs from the declared `sizeBytes`. Upload the file again, then submit.',
  },
  storage_quota_reached: {
    status: 422,
    title: 'Storage quota reached',
    detail:
      'The workspace has no room for this file. Delete submissions that are no longer needed, wait until unfinished uploads expire, or ask your operator for a larger quota. An upload without `sizeBytes` counts with the largest size of its category until its file is stored.',
  },
  parts_missing: {
    status: 422,
    title: 'Parts missing',
    detail:
      'Not all parts of the file are stored. Upload the parts that `errors` lists, then complete the upload again.',
  },
  part_too_small: {
    status: 422,
    title: 'Part too small',
    detail: `Every part except the last must have at least ${partBytesMin / 1024 / 1024} MiB. Upload the file in larger parts.`,
  },
  duplicate_blob_path: {
    status: 422,
    title: 'Duplicate blob path',
    detail: 'A blobPath can be used once per submission. See `errors` for the duplicates.',
  },
  ambiguous_previous_version: {
    status: 422,
    title: 'Previous version not identified',
    detail:
      'File name, category and position match no asset of the previous submission, or more than one; `errors` lists the assets of the previous submission. Give the file the same name as the asset that it replaces, or leave out previousSubmissionId.',
  },
  duplicate_previous_version: {
    status: 422,
    title: 'Duplicate previous version',
    detail: 'Two assets of this submission would become the next version of the same asset. Submit them one at a time.',
  },
  unknown_sidekick: {
    status: 422,
    title: 'Unknown sidekick',
    detail: 'sidekickIds contains an unknown sidekick. GET /sidekicks lists the available sidekicks.',
  },
  unknown_profile: {
    status: 422,
    title: 'Unknown profile',
    detail: 'No delivery profile of this workspace has this ID or name. See `errors` for the known names.',
  },
  note_required: {
    status: 422,
    title: 'Note required',
    detail:
      'The delivery profile of this submission requires a note to dismiss an issue. Say in `note` why it can be dismissed.',
  },
  url_not_allowed: {
    status: 422,
    title: 'URL not allowed',
    detail:
      'Webhook URLs must be https, without credentials or a fragment, and must resolve to public addresses or to networks that the operator allows.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key reused',
    detail: 'This Idempotency-Key was already used for a different request. Use a new key for each request.',
  },
  request_headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    detail: 'The request line and headers can be up to 16 KiB together. Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal server error',
    detail: 'An internal error occurred. Retry with backoff; if it persists, send the requestId to your operator.',
  },
  storage_unavailable: {
    status: 502,
    title: 'Object storage unavailable',
    detail: 'The object storage is not responding. Retry with backoff.',
  },
  service_unavailable: {
    status: 502,
    title: 'Service unavailable',
    detail: 'A service that this request depends on is not responding. Retry with backoff.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type RefusalCode = keyof typeof refusals;

/** `type` of a problem: a page of the documentation served by the same service. */
export const problemTypeOf = (code: RefusalCode) => `/docs/errors/${code}`;

/** One invalid field of a request; `pointer` is a JSON Pointer (RFC 6901) into the body, query or path. */
export type FieldError = { pointer: string; code: string; detail: string };

/** Thrown to refuse a request. `internal` is for the log and never leaves the service. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: FieldError[] | undefined;
  /** The number of further errors, which are not listed. */
  readonly omittedCount: number;
  /** A more specific text than the default of the code. */
  readonly detail: string | undefined;

  constructor(
    code: RefusalCode,
    context: { internal?: string; detail?: string; errors?: FieldError[]; omittedCount?: number; cause?: unknown } = {},
  ) {
    super(context.internal ? `${code}: ${context.internal}` : code, { cause: context.cause });
    this.name = 'Refusal';
    this.code = code;
    this.errors = context.errors;
    this.omittedCount = context.omittedCount ?? 0;
    this.detail = context.detail;
  }
}
