// Made from the contract by `pnpm sdk-wire`.

export type AssetResult = {
  assetId: string;
  submissionId: string;
  filename: string;
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  issues: CompactIssue[];
  mimeType: string | null;
  issueCount: number | null;
  versionNumber: number;
  versionGroupId: string | null;
  sizeBytes: number;
  progressPercent: number;
  errorMessage: string | null;
  errorType: string | null;
  isRetryable: boolean;
  retryCount: number;
  createdAt: string;
  completedAt: string | null;
  checks: Check[];
};

export type AssetStatus = {
  assetId: string;
  /** Shared by all versions of one asset. */
  versionGroupId: string;
  versionNumber: number;
  filename: string;
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  progressPercent: number;
  /** Null until results exist. */
  issueCount: number | null;
  errorMessage: string | null;
  errorType: string | null;
  isRetryable: boolean;
  retryCount: number;
};

export type AssetUpdate = {
  assetId: string;
  /** Shared by all versions of one asset. */
  versionGroupId: string;
  versionNumber: number;
  filename: string;
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  progressPercent: number;
  /** Null until results exist. */
  issueCount: number | null;
  errorMessage: string | null;
  errorType: string | null;
  isRetryable: boolean;
  retryCount: number;
  submissionId: string;
};

export type Changes = {
  assetId: string;
  submissionId: string;
  versionNumber: number;
  /** The newest earlier version that is complete. Null if there is none: all issues are new. */
  previous: {
    submissionId: string;
    assetId: string;
    versionNumber: number;
  } | null;
  newIssues: CompactIssue[];
  goneIssues: CompactIssue[];
  keptIssues: CompactIssue[];
};

export type Check = {
  sidekickId: string;
  /** Name of the check, or its ID if this service no longer has the check. */
  sidekickName: string;
  version: string;
  profile: string;
  outcome: 'ran' | 'not_applicable';
  /** Number of issues left out, because an asset can have up to 1,000. */
  omittedCount: number;
};

export type CompactIssue = {
  id: string;
  /** Counts up within a version group; never reused. */
  referenceNumber: number;
  ruleCode: string;
  summary: string;
  severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
};

export type CompletedEvent = {
  /** ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header. */
  id: string;
  /** When the event occurred. */
  timestamp: string;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  type: 'asset.processing.completed';
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    version_group_id: string;
    version_number: number;
    retry_count: number;
    /** `metadata.clientReference` of the submission, if it is a string of up to 200 characters. */
    client_reference?: string | undefined;
    status: 'complete';
    /** Null for an event fired in the sandbox, because nothing was analysed. */
    issue_count: number | null;
    severity_counts: {
      critical: number;
      major: number;
      minor: number;
      info: number;
    } | null;
    completed_at: string;
  };
};

export type CreatedSubmission = {
  submissionId: string;
  workflowId: string;
  realtimeChannel: string;
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** In the order of the request. */
  assets: ({
    assetId: string;
    /** Shared by all versions of one asset. */
    versionGroupId: string;
    versionNumber: number;
    /** The asset in `previousSubmissionId` that this asset is a new version of. Also null for assets created before this field was recorded. */
    previousAssetId: string | null;
    /** How the previous asset was matched: by file name, category or position. */
    matchedBy: 'name' | 'category' | 'position' | null;
  })[];
};

export type CreatedSubscription = {
  subscriptionId: string;
  workspaceId: string;
  url: string;
  description: string | null;
  eventTypes: ('asset.processing.completed' | 'asset.processing.failed')[];
  isActive: boolean;
  mode: 'all' | 'live' | 'sandbox';
  /** The kind of key that created the subscription. Sandbox keys cannot change subscriptions created with a live key. */
  createdWith: 'live' | 'sandbox';
  maxRequestsPerSecond: number | null;
  /** Why the subscription is inactive. */
  disabledReason: 'manual' | 'consecutive_failures' | 'gone' | 'blocked_address' | null;
  disabledAt: string | null;
  /** Number of failed attempts since the last success. */
  consecutiveFailureCount: number;
  lastDeliveryAt: string | null;
  lastSuccessAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Signs every event (`whsec_…`). Shown only once: store it. */
  secret: string;
};

export type Delivery = {
  deliveryId: string;
  eventId: string;
  eventType: 'asset.processing.completed' | 'asset.processing.failed';
  subscriptionId: string;
  /** Null for a test event. */
  submissionId: string | null;
  assetId: string | null;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  attemptCount: number;
  maxAttempts: number;
  nextAttemptAt: string | null;
  lastResponseStatus: number | null;
  isReplay: boolean;
  livemode: boolean;
  createdAt: string;
  completedAt: string | null;
};

export type DeliveryAttempt = {
  attemptNumber: number;
  trigger: 'automatic' | 'manual' | 'test';
  url: string;
  startedAt: string;
  durationMs: number;
  responseStatus: number | null;
  /** The first 4 KiB of the response. */
  responseBody: string | null;
  /** Null if the attempt succeeded. */
  errorCode: 'http_status' | 'timeout' | 'dns' | 'connect' | 'tls' | 'redirect' | 'blocked_address' | 'cancelled' | null;
  errorMessage: string | null;
};

export type DeliveryDetail = {
  deliveryId: string;
  eventId: string;
  eventType: 'asset.processing.completed' | 'asset.processing.failed';
  subscriptionId: string;
  /** Null for a test event. */
  submissionId: string | null;
  assetId: string | null;
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  attemptCount: number;
  maxAttempts: number;
  nextAttemptAt: string | null;
  lastResponseStatus: number | null;
  isReplay: boolean;
  livemode: boolean;
  createdAt: string;
  completedAt: string | null;
  payload: Event;
  attempts: DeliveryAttempt[];
};

export type DeliveryList = {
  deliveries: Delivery[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

export type DirectUpload = {
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
  sizeBytes: number;
  contentType: string;
};

export type Event = CompletedEvent | FailedEvent;

export type EventTypeList = {
  eventTypes: ({
    eventType: 'asset.processing.completed' | 'asset.processing.failed';
    description: string;
  })[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

export type FailedEvent = {
  /** ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header. */
  id: string;
  /** When the event occurred. */
  timestamp: string;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  type: 'asset.processing.failed';
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    version_group_id: string;
    version_number: number;
    retry_count: number;
    /** `metadata.clientReference` of the submission, if it is a string of up to 200 characters. */
    client_reference?: string | undefined;
    status: 'failed';
    error_message: string;
    error_type: 'unsupported_codec' | 'corrupt_media' | 'encrypted_media' | 'media_too_long' | 'resource_limit_exceeded' | 'blob_missing' | 'blob_changed' | 'analysis_rejected' | 'analysis_timeout' | 'engine_unavailable' | 'internal_error' | 'cancelled';
    is_retryable: boolean;
    failed_at: string;
  };
};

export type FireRequest = {
  eventType: 'asset.processing.completed' | 'asset.processing.failed';
  submissionId: string;
  /** Only for `asset.processing.failed`. Default: `Sandbox simulated failure`. */
  errorMessage?: string | null | undefined;
};

export type FireResult = {
  /** Number of subscriptions notified, across all assets. */
  dispatched: number;
};

export type Issue = {
  id: string;
  /** Counts up within a version group; never reused. */
  referenceNumber: number;
  ruleCode: string;
  summary: string;
  severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  createdAt: string;
  updatedAt: string;
  sidekickId: string;
  severityReasoning: string;
  severityReasoningHeadline: string;
  precedents: Precedent[];
  confidence: number;
  measured: number | null;
  limit: number | null;
  unit: string | null;
  standard: Standard | null;
  locations: Location[];
  evidence: IssueEvidence[];
  statusNote: string | null;
  statusReason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  statusChangedAt: string | null;
  /** The decision on the same issue in the previous version, if it was not carried over. */
  previousDecision: PreviousDecision | null;
};

export type IssueDecision = {
  decidedAt: string;
  /** Who decided; `unknown` for decisions made before actors were recorded. */
  actor: {
    kind: 'api_key' | 'unknown';
    id: string | null;
  };
  /** Status before the decision; null if it was not recorded. */
  from: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED' | null;
  to: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  reason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  note: string | null;
  carriesOver: boolean;
  /** The issue in an earlier version on which this decision was made; null if it was made on this issue. */
  carriedFrom: {
    submissionId: string;
    assetId: string;
    issueId: string;
    versionNumber: number;
  } | null;
};

export type IssueDetail = {
  id: string;
  /** Counts up within a version group; never reused. */
  referenceNumber: number;
  ruleCode: string;
  summary: string;
  severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  createdAt: string;
  updatedAt: string;
  sidekickId: string;
  severityReasoning: string;
  severityReasoningHeadline: string;
  precedents: Precedent[];
  confidence: number;
  measured: number | null;
  limit: number | null;
  unit: string | null;
  standard: Standard | null;
  locations: Location[];
  evidence: IssueEvidence[];
  statusNote: string | null;
  statusReason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  statusChangedAt: string | null;
  /** The decision on the same issue in the previous version, if it was not carried over. */
  previousDecision: PreviousDecision | null;
  /** Newest first; up to 200. */
  decisions: IssueDecision[];
};

export type IssueEvidence = {
  kind: 'image';
  /** Path on this service to a JPEG of up to 640 pixels per side. Read it with the same API key. */
  url: string;
  timeMs?: number | undefined;
  page?: number | undefined;
};

export type IssueList = {
  assetId: string;
  submissionId: string;
  issues: Issue[];
  /** Number of issues that match the filters, on all pages. */
  totalCount: number;
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

export type IssueStatusRequest = {
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  /** Reason for the decision; must match the status: fix_required (ACKNOWLEDGED); creative_intent, best_available, risk_accepted, false_alarm (DISMISSED); fixed (RESOLVED); reopened (OPEN). */
  reason?: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null | undefined;
  /** Free-text note. If left out, the previous note is cleared. */
  note?: string | null | undefined;
  /** Whether the decision also applies to the same issue in the next version, unless the issue is worse there. Only for ACKNOWLEDGED and DISMISSED. Default: true. */
  carriesOver?: boolean | undefined;
};

export type Location = {
  kind: 'timeRange' | 'region' | 'page' | 'text';
  startMs?: number | undefined;
  endMs?: number | undefined;
  page?: number | undefined;
  /** Position and size as fractions (0 to 1) of the width and height of the frame, image or page. */
  box?: {
    x: number;
    y: number;
    width: number;
    height: number;
  } | undefined;
  text?: string | undefined;
};

export type Me = {
  workspaceId: string;
  mode: 'live' | 'sandbox';
  tier: 'free' | 'starter' | 'pro' | 'enterprise';
  /** The first characters of the API key in use. */
  keyPrefix: string;
  credits: {
    /** Credits spent by this workspace so far. */
    used: number;
  };
};

export type Measurements = {
  assetId: string;
  submissionId: string;
  durationMs: number | null;
  series: ({
    name: 'loudnessMomentary' | 'loudnessShortTerm' | 'soundLevel' | 'silence' | 'luminance' | 'flashes';
    unit: string;
    /** Interval between values: value n (from 0) starts at n × stepMs. */
    stepMs: number;
    /** Null where nothing can be measured, such as the loudness of digital silence. */
    values: (number | null)[];
  })[];
};

/** Free-form object: up to 50 keys of 1 to 64 characters, 5 levels of nesting and 16 KiB as JSON. The key `assay` is reserved: `{profile}` selects the delivery profile (ebu-r128, atsc-a85). */
export type Metadata = Record<string, unknown>;

export type PlanRefusal = {
  error_code: 'tier_not_authorized_for_integrations_api';
  message: string;
  bucket: 'upload' | 'submission_write' | 'submission_read' | 'webhook_write' | 'webhook_read' | 'sandbox';
};

export type Precedent = {
  url: string;
  title: string;
  decision: string;
  date: string;
};

export type PreviousDecision = {
  submissionId: string;
  assetId: string;
  issueId: string;
  versionNumber: number;
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  reason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  note: string | null;
  decidedAt: string;
  notCarriedOverBecause: ('severity' | 'measured' | 'extent' | 'content' | 'by_choice')[];
};

export type Problem = {
  /** Documentation of this error, as a path on this service. */
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  errors?: {
    pointer: string;
    code: string;
    detail: string;
  }[] | undefined;
  /** Number of errors left out: `errors` lists up to 100. */
  errorsOmitted?: number | undefined;
};

export type RangeReplayRequest = {
  /** Deliveries created at or after this time. */
  since: string;
  /** Deliveries created before this time. Default: now. */
  until?: string | null | undefined;
  /** Default: `["failed"]`. */
  statuses?: ('succeeded' | 'failed' | 'cancelled')[] | null | undefined;
  /** Default: all event types. */
  eventTypes?: ('asset.processing.completed' | 'asset.processing.failed')[] | null | undefined;
};

export type RangeReplayResult = {
  /** Number of events queued to be sent again, each once; up to 10000, oldest first. */
  enqueued: number;
};

export type RateLimitRefusal = {
  error: string;
};

export type ReplayRequest = Record<string, never>;

export type RetryRequest = Record<string, never>;

export type RotatedSecret = {
  subscriptionId: string;
  /** Signs every event (`whsec_…`). Shown only once: store it. */
  secret: string;
  previousSecretExpiresAt: string;
};

export type RotationRequest = {
  /** How long events are also signed with the old secret: 0 to 604800 seconds. Default: 86400. */
  graceSeconds?: number | null | undefined;
};

export type Sidekick = {
  sidekickId: string;
  name: string;
  /** A stable name such as `loudness`. The CLI and the SDK accept it in place of the ID; `sidekickIds` accepts IDs only. */
  shortName: string;
  version: string;
  description: string;
  appliesTo: ('video' | 'audio' | 'image' | 'document')[];
  /** Whether the check runs when a submission does not specify `sidekickIds`. */
  isDefault: boolean;
  rules: ({
    ruleCode: string;
    headline: string;
    severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    standard: Standard | null;
  })[];
};

export type SidekickList = {
  sidekicks: Sidekick[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

export type Standard = {
  name: string;
  clause: string;
};

export type Submission = {
  submissionId: string;
  /** ID of the latest run in the workflow engine. */
  workflowId: string;
  workspaceId: string;
  mode: 'live' | 'sandbox';
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  progressPercent: number;
  createdAt: string;
  completedAt: string | null;
  errorMessage: string | null;
  isRetryable: boolean;
  metadata: Record<string, unknown>;
  assets: AssetStatus[];
};

export type SubmissionList = {
  submissions: Submission[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

export type SubmissionRequest = {
  assets: ({
    /** The `blobPath` that the upload returned. */
    blobPath: string;
    /** The submission that contains the previous version of this asset. */
    previousSubmissionId?: string | null | undefined;
  })[];
  /** Checks to run. Default: all default checks that apply to the file. An empty list runs no checks. */
  sidekickIds?: string[] | null | undefined;
  metadata?: Metadata | null | undefined;
};

export type SubmissionUpdate = {
  submissionId: string;
  /** ID of the latest run in the workflow engine. */
  workflowId: string;
  workspaceId: string;
  mode: 'live' | 'sandbox';
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  progressPercent: number;
  createdAt: string;
  completedAt: string | null;
  errorMessage: string | null;
  isRetryable: boolean;
  metadata: Record<string, unknown>;
};

export type Subscription = {
  subscriptionId: string;
  workspaceId: string;
  url: string;
  description: string | null;
  eventTypes: ('asset.processing.completed' | 'asset.processing.failed')[];
  isActive: boolean;
  mode: 'all' | 'live' | 'sandbox';
  /** The kind of key that created the subscription. Sandbox keys cannot change subscriptions created with a live key. */
  createdWith: 'live' | 'sandbox';
  maxRequestsPerSecond: number | null;
  /** Why the subscription is inactive. */
  disabledReason: 'manual' | 'consecutive_failures' | 'gone' | 'blocked_address' | null;
  disabledAt: string | null;
  /** Number of failed attempts since the last success. */
  consecutiveFailureCount: number;
  lastDeliveryAt: string | null;
  lastSuccessAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type SubscriptionChange = {
  url?: string | null | undefined;
  eventTypes?: ('asset.processing.completed' | 'asset.processing.failed')[] | null | undefined;
  description?: string | null | undefined;
  mode?: 'all' | 'live' | 'sandbox' | null | undefined;
  maxRequestsPerSecond?: number | null | undefined;
  /** True reactivates the subscription. */
  isActive?: boolean | null | undefined;
};

export type SubscriptionList = {
  subscriptions: Subscription[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

export type SubscriptionRequest = {
  /** An https URL without credentials that resolves to public addresses, or to networks the operator allows. */
  url: string;
  eventTypes: ('asset.processing.completed' | 'asset.processing.failed')[];
  description?: string | null | undefined;
  /** Default: `all`. */
  mode?: 'all' | 'live' | 'sandbox' | null | undefined;
  /** Default: no limit. */
  maxRequestsPerSecond?: number | null | undefined;
};

export type TestRequest = Record<string, never>;

export type Ticket = {
  /** Send it as `ticket` together with `channel`. Keep it secret, like an API key. */
  ticket: string;
  channel: string;
  /** The stream must be opened before this time; it can stay open longer. */
  expiresAt: string;
};

export type TicketRequest = {
  /** `realtimeChannel` of a submission or, with a sandbox key, `webhooks.<workspaceId>`, which streams every event as it would be delivered. */
  channel: string;
};

export type Topics = {
  assetId: string;
  topics: ({
    id: string;
    title: string;
    summary: string;
    severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    issueCount: number;
    issueIds: string[];
    issues: CompactIssue[];
    ruleCodes: string[];
    sidekickIds: string[];
  })[];
  orphanIssues: CompactIssue[];
  metadata: {
    generatedAt: string;
    algorithm: string;
    algorithmVersion: string;
    totalIssueCount: number;
    topicCount: number;
    clusteredIssueCount: number;
    orphanIssueCount: number;
  };
};

export type UploadRenewRequest = {
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
};

export type UploadUrl = {
  /** PUT the file here with the header `x-ms-blob-type: BlockBlob`. */
  uploadUrl: string;
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
  expiresAt: string;
};

export type UploadUrlRequest = {
  /** Original file name, up to 255 bytes in UTF-8. */
  filename: string;
  /** MIME type of the file; parameters and case are ignored. */
  contentType: string;
};

export type VersionList = {
  submissionId: string;
  versions: ({
    assetId: string;
    /** Shared by all versions of one asset. */
    versionGroupId: string;
    versionNumber: number;
    submissionId: string;
    mode: 'live' | 'sandbox';
    filename: string;
    status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
    issueCount: number | null;
    createdAt: string;
    completedAt: string | null;
  })[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
};

/** Every code that a refusal may carry; 402 and 429 have no code on the wire, and these here. */

export type RefusalCode =
  | 'malformed_request'
  | 'simulation_needs_sandbox_key'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'invalid_ticket'
  | 'invalid_filename'
  | 'invalid_blob_path'
  | 'sandbox_only'
  | 'live_submission'
  | 'live_subscription'
  | 'live_upload'
  | 'submission_not_found'
  | 'asset_not_found'
  | 'previous_submission_not_found'
  | 'asset_not_ready'
  | 'asset_failed'
  | 'issue_not_found'
  | 'evidence_not_found'
  | 'sidekick_not_found'
  | 'subscription_not_found'
  | 'delivery_not_found'
  | 'channel_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'asset_not_failed'
  | 'asset_not_retryable'
  | 'retry_limit_reached'
  | 'retry_in_flight'
  | 'submission_in_progress'
  | 'submission_settled'
  | 'subscription_limit_reached'
  | 'subscription_inactive'
  | 'idempotency_in_flight'
  | 'direct_upload_too_large'
  | 'asset_too_large'
  | 'request_too_large'
  | 'unsupported_content_encoding'
  | 'unsupported_request_media_type'
  | 'content_type_not_allowed'
  | 'content_type_mismatch'
  | 'validation_failed'
  | 'blob_archived'
  | 'blob_not_uploaded'
  | 'duplicate_blob_path'
  | 'ambiguous_previous_version'
  | 'duplicate_previous_version'
  | 'unknown_sidekick'
  | 'url_not_allowed'
  | 'idempotency_key_reused'
  | 'request_headers_too_large'
  | 'internal_error'
  | 'storage_unavailable'
  | 'service_unavailable'
  | 'tier_not_authorized_for_integrations_api'
  | 'rate_limited';

/** Every endpoint: what fills its path in order, what it takes and what it answers. */

export type Operations = {
  createUploadUrl: {
    params: [];
    body: UploadUrlRequest;
    answer: UploadUrl;
  };
  renewUploadUrl: {
    params: [];
    body: UploadRenewRequest;
    answer: UploadUrl;
  };
  uploadDirect: {
    params: [];
    body: FormData;
    answer: DirectUpload;
  };
  createSubmission: {
    params: [];
    query: {
      /** Sandbox key only: seconds until the submission is complete. */
      simulationDelaySeconds?: number | null | undefined;
    };
    body: SubmissionRequest;
    answer: CreatedSubmission;
  };
  listSubmissions: {
    params: [];
    query: {
      status?: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed' | ('uploading' | 'submitted' | 'processing' | 'complete' | 'failed')[] | undefined;
      /** Live or sandbox submissions, or `all`. Default: the mode of the API key. */
      mode?: 'live' | 'sandbox' | 'all' | undefined;
      /** Created after this time. */
      createdAfter?: string | undefined;
      /** Created before this time. */
      createdBefore?: string | undefined;
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    answer: SubmissionList;
  };
  getSubmission: {
    params: [submissionId: string];
    answer: Submission;
  };
  deleteSubmission: {
    params: [submissionId: string];
    answer: undefined;
  };
  cancelSubmission: {
    params: [submissionId: string];
    answer: Submission;
  };
  retryAsset: {
    params: [submissionId: string, assetId: string];
    body: RetryRequest;
    answer: CreatedSubmission;
  };
  listVersions: {
    params: [submissionId: string];
    query: {
      /** Items per page: 1 to 1000. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    answer: VersionList;
  };
  getAsset: {
    params: [submissionId: string, assetId: string];
    answer: AssetResult;
  };
  listIssues: {
    params: [submissionId: string, assetId: string];
    query: {
      severity?: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO' | ('CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO')[] | undefined;
      status?: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED' | ('OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED')[] | undefined;
      sidekickId?: string | string[] | undefined;
      ruleCode?: string | string[] | undefined;
      /** Items per page: 1 to 1000. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    answer: IssueList;
  };
  getIssue: {
    params: [submissionId: string, assetId: string, issueId: string];
    answer: IssueDetail;
  };
  updateIssue: {
    params: [submissionId: string, assetId: string, issueId: string];
    body: IssueStatusRequest;
    answer: Issue;
  };
  getEvidence: {
    params: [submissionId: string, assetId: string, issueId: string, n: number];
    answer: Uint8Array;
  };
  getMeasurements: {
    params: [submissionId: string, assetId: string];
    answer: Measurements;
  };
  getTopics: {
    params: [submissionId: string, assetId: string];
    answer: Topics;
  };
  getChanges: {
    params: [submissionId: string, assetId: string];
    answer: Changes;
  };
  openRealtime: {
    params: [];
    query: {
      /** `realtimeChannel` of a submission or, with a sandbox key, `webhooks.<workspaceId>`, which streams every event as it would be delivered. */
      channel: string;
      /** Replaces the `X-API-Key` header for clients that cannot send headers. */
      ticket?: string | undefined;
    };
    answer: ReadableStream<Uint8Array>;
  };
  createTicket: {
    params: [];
    body: TicketRequest;
    answer: Ticket;
  };
  listSidekicks: {
    params: [];
    answer: SidekickList;
  };
  getSidekick: {
    params: [sidekickId: string];
    answer: Sidekick;
  };
  createSubscription: {
    params: [];
    body: SubscriptionRequest;
    answer: CreatedSubscription;
  };
  listSubscriptions: {
    params: [];
    query: {
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    answer: SubscriptionList;
  };
  getSubscription: {
    params: [subscriptionId: string];
    answer: Subscription;
  };
  updateSubscription: {
    params: [subscriptionId: string];
    body: SubscriptionChange;
    answer: Subscription;
  };
  deleteSubscription: {
    params: [subscriptionId: string];
    answer: undefined;
  };
  rotateSecret: {
    params: [subscriptionId: string];
    body: RotationRequest;
    answer: RotatedSecret;
  };
  testSubscription: {
    params: [subscriptionId: string];
    body: TestRequest;
    answer: DeliveryAttempt;
  };
  listDeliveries: {
    params: [subscriptionId: string];
    query: {
      status?: 'pending' | 'succeeded' | 'failed' | 'cancelled' | ('pending' | 'succeeded' | 'failed' | 'cancelled')[] | undefined;
      eventType?: 'asset.processing.completed' | 'asset.processing.failed' | ('asset.processing.completed' | 'asset.processing.failed')[] | undefined;
      /** Created after this time. */
      createdAfter?: string | undefined;
      /** Created before this time. */
      createdBefore?: string | undefined;
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    answer: DeliveryList;
  };
  getDelivery: {
    params: [subscriptionId: string, deliveryId: string];
    answer: DeliveryDetail;
  };
  replayDelivery: {
    params: [subscriptionId: string, deliveryId: string];
    body: ReplayRequest;
    answer: Delivery;
  };
  replayDeliveries: {
    params: [subscriptionId: string];
    body: RangeReplayRequest;
    answer: RangeReplayResult;
  };
  listEventTypes: {
    params: [];
    answer: EventTypeList;
  };
  fireEvents: {
    params: [];
    body: FireRequest;
    answer: FireResult;
  };
  getMe: {
    params: [];
    answer: Me;
  };
};

/** Method, path, and whether it takes an `Idempotency-Key`. */

export const operations = {
  createUploadUrl: ['POST', '/uploads/url'],
  renewUploadUrl: ['POST', '/uploads/renew'],
  uploadDirect: ['POST', '/uploads/direct'],
  createSubmission: ['POST', '/submissions', true],
  listSubmissions: ['GET', '/submissions'],
  getSubmission: ['GET', '/submissions/{}'],
  deleteSubmission: ['DELETE', '/submissions/{}'],
  cancelSubmission: ['POST', '/submissions/{}/cancel'],
  retryAsset: ['POST', '/submissions/{}/assets/{}/retry', true],
  listVersions: ['GET', '/submissions/{}/versions'],
  getAsset: ['GET', '/submissions/{}/assets/{}'],
  listIssues: ['GET', '/submissions/{}/assets/{}/issues'],
  getIssue: ['GET', '/submissions/{}/assets/{}/issues/{}'],
  updateIssue: ['PATCH', '/submissions/{}/assets/{}/issues/{}'],
  getEvidence: ['GET', '/submissions/{}/assets/{}/issues/{}/evidence/{}'],
  getMeasurements: ['GET', '/submissions/{}/assets/{}/measurements'],
  getTopics: ['GET', '/submissions/{}/assets/{}/topics'],
  getChanges: ['GET', '/submissions/{}/assets/{}/changes'],
  openRealtime: ['GET', '/realtime'],
  createTicket: ['POST', '/realtime/tickets'],
  listSidekicks: ['GET', '/sidekicks'],
  getSidekick: ['GET', '/sidekicks/{}'],
  createSubscription: ['POST', '/webhooks/subscriptions', true],
  listSubscriptions: ['GET', '/webhooks/subscriptions'],
  getSubscription: ['GET', '/webhooks/subscriptions/{}'],
  updateSubscription: ['PATCH', '/webhooks/subscriptions/{}'],
  deleteSubscription: ['DELETE', '/webhooks/subscriptions/{}'],
  rotateSecret: ['POST', '/webhooks/subscriptions/{}/rotate-secret'],
  testSubscription: ['POST', '/webhooks/subscriptions/{}/test'],
  listDeliveries: ['GET', '/webhooks/subscriptions/{}/deliveries'],
  getDelivery: ['GET', '/webhooks/subscriptions/{}/deliveries/{}'],
  replayDelivery: ['POST', '/webhooks/subscriptions/{}/deliveries/{}/replay', true],
  replayDeliveries: ['POST', '/webhooks/subscriptions/{}/replay', true],
  listEventTypes: ['GET', '/webhooks/event-types'],
  fireEvents: ['POST', '/sandbox/events/fire'],
  getMe: ['GET', '/me'],
} as const;

export const prefix = '/api/integrations';

/** File extension → content type. */

export const contentTypes: Record<string, string> = {
  'mp4': 'video/mp4',
  'm4v': 'video/mp4',
  'mov': 'video/quicktime',
  'qt': 'video/quicktime',
  'webm': 'video/webm',
  'mkv': 'video/x-matroska',
  'avi': 'video/x-msvideo',
  'mpg': 'video/mpeg',
  'mpeg': 'video/mpeg',
  'ts': 'video/mp2t',
  'mts': 'video/mp2t',
  'm2ts': 'video/mp2t',
  '3gp': 'video/3gpp',
  'mxf': 'application/mxf',
  'mp3': 'audio/mpeg',
  'm4a': 'audio/mp4',
  'aac': 'audio/aac',
  'wav': 'audio/wav',
  'flac': 'audio/flac',
  'ogg': 'audio/ogg',
  'oga': 'audio/ogg',
  'opus': 'audio/ogg',
  'aiff': 'audio/aiff',
  'aif': 'audio/aiff',
  'jpg': 'image/jpeg',
  'jpeg': 'image/jpeg',
  'png': 'image/png',
  'gif': 'image/gif',
  'webp': 'image/webp',
  'tiff': 'image/tiff',
  'tif': 'image/tiff',
  'bmp': 'image/bmp',
  'heic': 'image/heic',
  'heif': 'image/heic',
  'avif': 'image/avif',
  'pdf': 'application/pdf',
  'docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'txt': 'text/plain',
  'vtt': 'text/vtt',
  'srt': 'application/x-subrip',
};

/** What may be uploaded: by category, how large, with which extensions. */

export const acceptedFiles = {
  video: { bytesMax: 5368709120, extensions: ['mp4', 'm4v', 'mov', 'qt', 'webm', 'mkv', 'avi', 'mpg', 'mpeg', 'ts', 'mts', 'm2ts', '3gp', 'mxf'] },
  audio: { bytesMax: 524288000, extensions: ['mp3', 'm4a', 'aac', 'wav', 'flac', 'ogg', 'oga', 'opus', 'aiff', 'aif'] },
  image: { bytesMax: 52428800, extensions: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'tiff', 'tif', 'bmp', 'heic', 'heif', 'avif'] },
  document: { bytesMax: 104857600, extensions: ['pdf', 'docx', 'pptx', 'xlsx', 'txt', 'vtt', 'srt'] },
};

