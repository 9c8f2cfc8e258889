/**
 * Every way to say no. A refusal is thrown by its code; its status and its text stand here alone,
 * so the wire, the document and the tests cannot disagree. A title is the kind, a detail says what to do.
 */
export const refusals = {
  malformed_request: {
    status: 400,
    title: 'Not an HTTP request',
    detail: 'What arrived cannot be read as an HTTP request.',
  },
  simulation_needs_sandbox_key: {
    status: 400,
    title: 'Sandbox key needed',
    detail: 'simulationDelaySeconds works with a sandbox key (sk_test_…) only. Leave it out, or use such a key.',
  },
  missing_api_key: {
    status: 401,
    title: 'API key missing',
    detail: 'Send a workspace API key in the X-API-Key header.',
  },
  // One text for unknown, revoked and expired: whoever guesses keys learns nothing.
  invalid_api_key: {
    status: 401,
    title: 'API key not valid',
    detail: 'The key in X-API-Key is not valid. Check it for typing errors or ask the operator for a new one.',
  },
  invalid_ticket: {
    status: 401,
    title: 'Ticket not valid',
    detail: 'A ticket opens the one channel that it was made for, within 60 seconds. Ask for a new one.',
  },
  invalid_filename: {
    status: 403,
    title: 'File name not allowed',
    detail:
      'A file name has at most 255 bytes in UTF-8, no slash, backslash, control or bidirectional formatting character, and no space or dot at either end.',
  },
  invalid_blob_path: {
    status: 403,
    title: 'Blob path not allowed',
    detail: 'Use a blobPath exactly as an upload of this workspace returned it.',
  },
  sandbox_only: {
    status: 403,
    title: 'Sandbox key needed',
    detail: 'This endpoint works with a sandbox key (sk_test_…) only.',
  },
  live_submission: {
    status: 403,
    title: 'Live submission',
    detail: 'A sandbox key may read live submissions but not change them. Use a live key of this workspace.',
  },
  live_subscription: {
    status: 403,
    title: 'Live subscription',
    detail:
      'A sandbox key may read subscriptions that a live key made, but not change them or send to them. Use a live key of this workspace, or make a subscription with the sandbox key.',
  },
  live_upload: {
    status: 403,
    title: 'Live upload',
    detail:
      'A sandbox key may submit a file that was uploaded with a live key, but not replace it. Use a live key of this workspace, or upload the file with the sandbox key.',
  },
  submission_not_found: {
    status: 404,
    title: 'No such submission',
    detail: 'There is no submission of this id in the workspace of the API key.',
  },
  asset_not_found: {
    status: 404,
    title: 'No such asset',
    detail: 'There is no asset of this id in this submission.',
  },
  previous_submission_not_found: {
    status: 404,
    title: 'No such previous submission',
    detail: 'previousSubmissionId names no submission in the workspace of the API key.',
  },
  asset_not_ready: {
    status: 404,
    title: 'Asset not finished',
    detail: 'This exists once the asset has finished processing. Poll the submission until its status is complete.',
  },
  asset_failed: {
    status: 404,
    title: 'Asset failed',
    detail: 'The asset failed, so it has no results; errorType and errorMessage of the asset say why.',
  },
  issue_not_found: {
    status: 404,
    title: 'No such issue',
    detail: 'There is no issue of this id on this asset.',
  },
  evidence_not_found: {
    status: 404,
    title: 'No such still',
    detail: 'This issue has no still of this number. Its `evidence` lists those that it has.',
  },
  sidekick_not_found: {
    status: 404,
    title: 'No such sidekick',
    detail: 'There is no sidekick of this id. GET sidekicks lists them.',
  },
  subscription_not_found: {
    status: 404,
    title: 'No such subscription',
    detail: 'There is no webhook subscription of this id in the workspace of the API key.',
  },
  delivery_not_found: {
    status: 404,
    title: 'No such delivery',
    detail: 'There is no delivery of this id to this subscription, or it is older than deliveries are kept.',
  },
  channel_not_found: {
    status: 404,
    title: 'No such channel',
    detail:
      'Use the realtimeChannel of a submission in the workspace of the API key; with a sandbox key also webhooks.<workspaceId> of that workspace.',
  },
  route_not_found: {
    status: 404,
    title: 'No such endpoint',
    detail: 'Nothing answers at this path. The endpoints are listed under /docs.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path answers other methods only; the Allow header names them.',
  },
  request_timeout: {
    status: 408,
    title: 'Request too slow',
    detail:
      'The request did not arrive whole in time. Send it again over a faster connection, or use the presigned-URL flow.',
  },
  asset_not_failed: {
    status: 409,
    title: 'Asset has not failed',
    detail: 'Only an asset whose status is failed can be retried. Poll the submission to see its status.',
  },
  asset_not_retryable: {
    status: 409,
    title: 'Asset not retryable',
    detail:
      'A retry would fail in the same way. errorType of the asset says why it failed; fix the file and submit it again.',
  },
  retry_limit_reached: {
    status: 409,
    title: 'No retries left',
    detail: 'An asset is retried at most 3 times. Submit the file anew.',
  },
  retry_in_flight: {
    status: 409,
    title: 'Retry in flight',
    detail: 'A retry of this asset was accepted before and has not ended yet. Poll the submission.',
  },
  submission_in_progress: {
    status: 409,
    title: 'Submission in progress',
    detail: 'A submission can be deleted once it is complete or failed. Wait for its end, or cancel it first.',
  },
  submission_settled: {
    status: 409,
    title: 'Submission is over',
    detail: 'The submission is complete or failed already, so there is nothing to cancel.',
  },
  subscription_limit_reached: {
    status: 409,
    title: 'Too many subscriptions',
    detail: 'A workspace has at most 20 webhook subscriptions. Delete one that is no longer needed.',
  },
  subscription_inactive: {
    status: 409,
    title: 'Subscription not active',
    detail: 'Nothing is sent to a subscription that is not active. PATCH it with isActive true first.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'Same request in flight',
    detail: 'A request with this Idempotency-Key is being answered. Wait a moment and send it again.',
  },
  direct_upload_too_large: {
    status: 413,
    title: 'File too large for direct upload',
    detail:
      'Direct upload takes at most 10 MB (10485760 bytes). Use the presigned-URL flow: POST uploads/url, then PUT the file to uploadUrl.',
  },
  asset_too_large: {
    status: 413,
    title: 'File too large',
    detail:
      'A video may have 5 GiB, audio 500 MiB, an image 50 MiB, a document 100 MiB. errors names each asset that has more.',
  },
  request_too_large: {
    status: 422,
    title: 'Request too large',
    detail: 'A JSON body has at most 1 MiB.',
  },
  unsupported_content_encoding: {
    status: 422,
    title: 'Content-Encoding not supported',
    detail: 'Send the body as it is, without a Content-Encoding.',
  },
  unsupported_request_media_type: {
    status: 415,
    title: 'Request media type not supported',
    detail: 'Send the body in the media type that this endpoint documents, and name it in the Content-Type header.',
  },
  content_type_not_allowed: {
    status: 415,
    title: 'Content type not allowed',
    detail: 'This content type is not accepted. The accepted types and extensions are listed under /docs.',
  },
  content_type_mismatch: {
    status: 415,
    title: 'Content type does not match',
    detail: 'The extension, the content type and the content of a file must be of the same format.',
  },
  validation_failed: {
    status: 422,
    title: 'Request not valid',
    detail: 'The request does not have the documented shape; errors lists each place that is wrong.',
  },
  blob_archived: {
    status: 422,
    title: 'File archived',
    detail:
      'The file is in the archive tier of the storage and cannot be read. Upload it again without an access tier.',
  },
  blob_not_uploaded: {
    status: 422,
    title: 'File not uploaded',
    detail: 'Nothing lies at a blobPath yet, or its upload still goes on. Finish the upload, then submit.',
  },
  duplicate_blob_path: {
    status: 422,
    title: 'Same file twice',
    detail: 'A submission names each blobPath once.',
  },
  ambiguous_previous_version: {
    status: 422,
    title: 'Previous version not clear',
    detail:
      'File name, category and position do not tell which asset of the previous submission is meant. errors lists its assets. Give the file the name of the asset that it replaces, or leave previousSubmissionId out.',
  },
  duplicate_previous_version: {
    status: 422,
    title: 'Two new versions of one asset',
    detail: 'Two assets of this submission would become the next version of the same asset. Submit them one by one.',
  },
  unknown_sidekick: {
    status: 422,
    title: 'Unknown sidekick',
    detail: 'sidekickIds names a sidekick that does not exist. GET sidekicks lists them.',
  },
  url_not_allowed: {
    status: 422,
    title: 'URL not allowed',
    detail:
      'A webhook URL is https, has no user info and no fragment, and its host resolves to public addresses only, or to networks that the operator allows.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key used before',
    detail: 'This Idempotency-Key came with another request before. Use a new key for a new request.',
  },
  request_headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    detail: 'The request line and headers are larger than 16 KiB together.',
  },
  internal_error: {
    status: 500,
    title: 'Server error',
    detail: 'Something failed on our side. Retry with backoff; if it stays, tell the operator the requestId.',
  },
  storage_unavailable: {
    status: 502,
    title: 'Object storage not available',
    detail: 'The object storage does not answer in time. Retry with backoff.',
  },
  service_unavailable: {
    status: 502,
    title: 'Service not available',
    detail: 'A part that this request needs does not answer in time. Retry with backoff.',
  },
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type RefusalCode = keyof typeof refusals;

/** `type` of a problem: a page of the documentation that the same service serves. */
export const problemTypeOf = (code: RefusalCode) => `/docs/errors/${code}`;

/** One place in a request that is wrong; `pointer` is a JSON Pointer (RFC 6901) into the body, query or path. */
export type FieldError = { pointer: string; code: string; detail: string };

/** The caller cannot have this. `internal` is for the log and never leaves the service. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: FieldError[] | undefined;
  /** Says more than the text of the code. */
  readonly detail: string | undefined;

  constructor(
    code: RefusalCode,
    context: { internal?: string; detail?: string; errors?: FieldError[]; cause?: unknown } = {},
  ) {
    super(context.internal ? `${code}: ${context.internal}` : code, { cause: context.cause });
    this.name = 'Refusal';
    this.code = code;
    this.errors = context.errors;
    this.detail = context.detail;
  }
}
