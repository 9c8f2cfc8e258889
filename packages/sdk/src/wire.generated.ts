// Generated from the contract by `pnpm sdk-wire`.

/** An API key, without the key itself. */
export type ApiKey = {
  /** ID of the key; `key_id` in paths, and the actor of what it decides. */
  keyId: string;
  /** What the key is for; null if it has no name. */
  name: string | null;
  /** The kind of the key: `live` for `sk_live_…`, `sandbox` for `sk_test_…`. */
  mode: 'live' | 'sandbox';
  /** What the key may do. The description of each endpoint names its scope. */
  scopes: ('read' | 'submit' | 'decide' | 'webhooks' | 'profiles' | 'manage')[];
  /** The first 12 characters of the key, to tell keys apart. */
  prefix: string;
  /** The last four characters of the key. */
  lastFour: string;
  /** When the key was created. */
  createdAt: string;
  /** When the key was last used, to the minute; null if it never was. */
  lastUsedAt: string | null;
  /** When the key expires; null if it does not. */
  expiresAt: string | null;
  /** When the key was revoked; null if it was not. */
  revokedAt: string | null;
};

export type AssetResult = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** Name of the file, as given when it was uploaded. */
  filename: string;
  /** When `complete`, results are available. When `failed`, `errorType` says why. `uploading` is not used: files are uploaded before they are submitted. */
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** The issues in compact form, ordered by reference number. Empty until the asset is complete. */
  issues: CompactIssue[];
  /** Content type of the file. The service always sets it. */
  mimeType: string | null;
  /** Number of issues. Null if there is no result: the asset is not finished, it failed, or it was only simulated in the sandbox. */
  issueCount: number | null;
  /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
  versionNumber: number;
  /** Shared by all versions of one asset. The service always sets it. */
  versionGroupId: string | null;
  /** Size of the file in bytes. */
  sizeBytes: number;
  /** SHA-256 of the bytes that were examined, in lower-case hexadecimal. Null until the asset is complete, if it failed, and in the sandbox. */
  contentSha256: string | null;
  /** Progress of the analysis; 100 only if the asset is complete. A retry starts again at 0. */
  progressPercent: number;
  /** Why the asset failed and what to do, for humans. Null unless it failed. */
  errorMessage: string | null;
  /** Why the asset failed, as a stable code. Null unless it failed. */
  errorType: string | null;
  /** Whether this API key can retry the asset: it failed, a retry may help, and it was retried fewer than 3 times. */
  isRetryable: boolean;
  /** Number of retries requested so far, up to 3. Automatic attempts within the service do not count. */
  retryCount: number;
  /** When the asset was submitted. */
  createdAt: string;
  /** When the asset became `complete` or `failed`. Null until then; a retry sets it back to null. */
  completedAt: string | null;
  /** What the delivery profile says of this asset: `failed` (an issue at or above its `failOn`), `not_checked` (the asset failed, or no check applies), `needs_review` (an issue awaits review, or a check is incomplete), `passed_with_waivers` or `passed`. Null until the asset is complete or failed, and in the sandbox. */
  verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
  /** Number of issues by severity, with those left out of the result. Null if `issueCount` is null. */
  severityCounts: {
    /** Number of CRITICAL issues. */
    critical: number;
    /** Number of MAJOR issues. */
    major: number;
    /** Number of MINOR issues. */
    minor: number;
    /** Number of INFO issues. */
    info: number;
  } | null;
  /** Number of issues by status. Null if `issueCount` is null. */
  statusCounts: {
    /** Number of issues with the status OPEN. */
    open: number;
    /** Number of issues with the status ACKNOWLEDGED. */
    acknowledged: number;
    /** Number of issues with the status AWAITING_HUMAN_INPUT. */
    awaitingHumanInput: number;
    /** Number of issues with the status RESOLVED. */
    resolved: number;
    /** Number of issues with the status DISMISSED. */
    dismissed: number;
  } | null;
  /** Number of issues that make the verdict `failed`. Null if `issueCount` is null. */
  blockingCount: number | null;
  /** Number of issues, and of incomplete checks without an issue, that a person has to look at. Null if `issueCount` is null. */
  reviewCount: number | null;
  /** Number of issues that would otherwise stop a pass and that a caller dismissed or resolved. Null if `issueCount` is null. */
  waivedCount: number | null;
  /** Technical facts of the file and its poster. Null until the asset is complete, if it failed, in the sandbox, for files without such facts, and in results from before this field existed. A part that no selected check reads is left empty. */
  media: Media | null;
  /** The checks that were selected, whether or not they ran. Empty until the asset is complete, and in the sandbox. */
  checks: Check[];
};

/** The state of one asset of a submission. */
export type AssetStatus = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** Shared by all versions of one asset. */
  versionGroupId: string;
  /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
  versionNumber: number;
  /** Name of the file, as given when it was uploaded. */
  filename: string;
  /** When `complete`, results are available. When `failed`, `errorType` says why. `uploading` is not used: files are uploaded before they are submitted. */
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** Progress of the analysis; 100 only if the asset is complete. A retry starts again at 0. */
  progressPercent: number;
  /** Number of issues. Null if there is no result: the asset is not finished, it failed, or it was only simulated in the sandbox. */
  issueCount: number | null;
  /** What the delivery profile says of this asset: `failed` (an issue at or above its `failOn`), `not_checked` (the asset failed, or no check applies), `needs_review` (an issue awaits review, or a check is incomplete), `passed_with_waivers` or `passed`. Null until the asset is complete or failed, and in the sandbox. */
  verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
  /** Number of issues by severity, with those left out of the result. Null if `issueCount` is null. */
  severityCounts: {
    /** Number of CRITICAL issues. */
    critical: number;
    /** Number of MAJOR issues. */
    major: number;
    /** Number of MINOR issues. */
    minor: number;
    /** Number of INFO issues. */
    info: number;
  } | null;
  /** Number of issues by status. Null if `issueCount` is null. */
  statusCounts: {
    /** Number of issues with the status OPEN. */
    open: number;
    /** Number of issues with the status ACKNOWLEDGED. */
    acknowledged: number;
    /** Number of issues with the status AWAITING_HUMAN_INPUT. */
    awaitingHumanInput: number;
    /** Number of issues with the status RESOLVED. */
    resolved: number;
    /** Number of issues with the status DISMISSED. */
    dismissed: number;
  } | null;
  /** Number of issues that make the verdict `failed`. Null if `issueCount` is null. */
  blockingCount: number | null;
  /** Number of issues, and of incomplete checks without an issue, that a person has to look at. Null if `issueCount` is null. */
  reviewCount: number | null;
  /** Number of issues that would otherwise stop a pass and that a caller dismissed or resolved. Null if `issueCount` is null. */
  waivedCount: number | null;
  /** Why the asset failed and what to do, for humans. Null unless it failed. */
  errorMessage: string | null;
  /** Why the asset failed, as a stable code. Null unless it failed. */
  errorType: string | null;
  /** Whether this API key can retry the asset: it failed, a retry may help, and it was retried fewer than 3 times. */
  isRetryable: boolean;
  /** Number of retries requested so far, up to 3. Automatic attempts within the service do not count. */
  retryCount: number;
};

/** Data of an `asset.updated` message: the current state of one asset. */
export type AssetUpdate = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** Shared by all versions of one asset. */
  versionGroupId: string;
  /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
  versionNumber: number;
  /** Name of the file, as given when it was uploaded. */
  filename: string;
  /** When `complete`, results are available. When `failed`, `errorType` says why. `uploading` is not used: files are uploaded before they are submitted. */
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** Progress of the analysis; 100 only if the asset is complete. A retry starts again at 0. */
  progressPercent: number;
  /** Number of issues. Null if there is no result: the asset is not finished, it failed, or it was only simulated in the sandbox. */
  issueCount: number | null;
  /** What the delivery profile says of this asset: `failed` (an issue at or above its `failOn`), `not_checked` (the asset failed, or no check applies), `needs_review` (an issue awaits review, or a check is incomplete), `passed_with_waivers` or `passed`. Null until the asset is complete or failed, and in the sandbox. */
  verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
  /** Number of issues by severity, with those left out of the result. Null if `issueCount` is null. */
  severityCounts: {
    /** Number of CRITICAL issues. */
    critical: number;
    /** Number of MAJOR issues. */
    major: number;
    /** Number of MINOR issues. */
    minor: number;
    /** Number of INFO issues. */
    info: number;
  } | null;
  /** Number of issues by status. Null if `issueCount` is null. */
  statusCounts: {
    /** Number of issues with the status OPEN. */
    open: number;
    /** Number of issues with the status ACKNOWLEDGED. */
    acknowledged: number;
    /** Number of issues with the status AWAITING_HUMAN_INPUT. */
    awaitingHumanInput: number;
    /** Number of issues with the status RESOLVED. */
    resolved: number;
    /** Number of issues with the status DISMISSED. */
    dismissed: number;
  } | null;
  /** Number of issues that make the verdict `failed`. Null if `issueCount` is null. */
  blockingCount: number | null;
  /** Number of issues, and of incomplete checks without an issue, that a person has to look at. Null if `issueCount` is null. */
  reviewCount: number | null;
  /** Number of issues that would otherwise stop a pass and that a caller dismissed or resolved. Null if `issueCount` is null. */
  waivedCount: number | null;
  /** Why the asset failed and what to do, for humans. Null unless it failed. */
  errorMessage: string | null;
  /** Why the asset failed, as a stable code. Null unless it failed. */
  errorType: string | null;
  /** Whether this API key can retry the asset: it failed, a retry may help, and it was retried fewer than 3 times. */
  isRetryable: boolean;
  /** Number of retries requested so far, up to 3. Automatic attempts within the service do not count. */
  retryCount: number;
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
};

export type Changes = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
  versionNumber: number;
  /** The newest earlier version that is complete and was not simulated. Null if there is none: all issues are new. */
  previous: {
    /** The submission that contains the earlier version. */
    submissionId: string;
    /** The asset of the earlier version. */
    assetId: string;
    /** The number of the earlier version. */
    versionNumber: number;
  } | null;
  /** Issues that only this version has. */
  newIssues: CompactIssue[];
  /** Issues that only the earlier version has, as they are there. */
  goneIssues: CompactIssue[];
  /** Issues that both versions have, as they are in this version. */
  keptIssues: CompactIssue[];
};

/** A check that was selected for an asset. */
export type Check = {
  /** ID of the check; `sidekick_id` in paths. */
  sidekickId: string;
  /** Name of the check, or its ID if this service no longer has the check. */
  sidekickName: string;
  /** Version of the check that was used. */
  version: string;
  /** Delivery profile whose limits were applied. */
  profile: string;
  /** Revision of the delivery profile. A revision never changes. Results from before revisions have 1. */
  profileRevision: number;
  /** Stable name of the check, such as `loudness`, or its ID if this service no longer has the check. */
  shortName: string;
  /** `ran` if everything that the check is about was examined; `incomplete` if something was not: see `coverage`; `not_applicable` if there was nothing to examine, such as the loudness of a video without audio. */
  outcome: 'ran' | 'not_applicable' | 'incomplete';
  /** Why the check is `not_applicable`: the file has nothing of the kind, or the delivery profile sets nothing to compare with. Otherwise null, and in results from before this field existed. */
  reason: 'nothing_in_file' | 'nothing_in_profile' | null;
  /** What was examined and what was not. Null in results from before this field existed. */
  coverage: Coverage | null;
  /** What the check measured, with or without an issue: for Loudness, the values of every audio programme. Empty for other checks. Null in results from before this field existed. */
  measured: MeasuredValue[] | null;
  /** The rule whose issues say what the check did not examine; null if this service no longer has the check. */
  notVerifiedRuleCode: string | null;
  /** Number of issues of this check in the result. */
  issueCount: number;
  /** Number of issues of this check that were left out, the least severe first: an asset can have up to 1,000. */
  omittedCount: number;
  /** The issues that were left out, by severity. Null in results from before this field existed. */
  omittedSeverityCounts: {
    /** Number of CRITICAL issues. */
    critical: number;
    /** Number of MAJOR issues. */
    major: number;
    /** Number of MINOR issues. */
    minor: number;
    /** Number of INFO issues. */
    info: number;
  } | null;
};

/** A clause of a published standard, as a delivery profile names it. */
export type Clause = {
  /** Name of the standard, with its edition. */
  name: string;
  /** Clause or section of the standard. */
  clause: string;
};

/** The main fields of an issue. */
export type CompactIssue = {
  /** ID of the issue; `issue_id` in paths. The same issue has another ID in the next version, but the same `referenceNumber`. */
  id: string;
  /** A short number for people. It counts up within a version group and is never reused; the same issue keeps it in the next version. */
  referenceNumber: number;
  /** Code of the rule. `GET /sidekicks` lists the rules of each check. */
  ruleCode: string;
  /** What is wrong, where, and what to do, in one or two sentences. */
  summary: string;
  /** How serious it is, from CRITICAL (most) to INFO (least). */
  severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  /** `OPEN`, or `AWAITING_HUMAN_INPUT` if the check is not certain and the issue needs review; later the status that a reviewer set. */
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
};

export type CompletedEvent = {
  /** ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header. */
  id: string;
  /** When the event occurred. */
  timestamp: string;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  /** The event type. */
  type: 'asset.processing.completed';
  /** The completed asset. Its members are in snake_case. */
  data: {
    /** The asset that the event is about. */
    asset_id: string;
    /** The submission that contains the asset. */
    submission_id: string;
    /** The workspace of the submission. */
    workspace_id: string;
    /** Shared by all versions of one asset. */
    version_group_id: string;
    /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
    version_number: number;
    /** How often the asset had been retried. */
    retry_count: number;
    /** `metadata.clientReference` of the submission, if it is a string of up to 200 characters. */
    client_reference?: string | undefined;
    /** Status of the asset. */
    status: 'complete';
    /** Number of issues. Null for fired events and test events, because nothing was analysed. */
    issue_count: number | null;
    /** What the delivery profile says of the asset. Null for fired events and test events. */
    verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
    /** Number of issues by severity. Null if nothing was analysed. */
    severity_counts: {
      /** Number of CRITICAL issues. */
      critical: number;
      /** Number of MAJOR issues. */
      major: number;
      /** Number of MINOR issues. */
      minor: number;
      /** Number of INFO issues. */
      info: number;
    } | null;
    /** Number of issues by status. Null if nothing was analysed. */
    status_counts: {
      /** Number of issues with the status OPEN. */
      open: number;
      /** Number of issues with the status ACKNOWLEDGED. */
      acknowledged: number;
      /** Number of issues with the status AWAITING_HUMAN_INPUT. */
      awaiting_human_input: number;
      /** Number of issues with the status RESOLVED. */
      resolved: number;
      /** Number of issues with the status DISMISSED. */
      dismissed: number;
    } | null;
    /** Number of issues that make the verdict `failed`. Null if nothing was analysed. */
    blocking_count: number | null;
    /** Number of issues and incomplete checks that a person has to look at. Null if nothing was analysed. */
    review_count: number | null;
    /** Number of issues that a caller has waived. Null if nothing was analysed. */
    waived_count: number | null;
    /** The delivery profile of the submission. Null for fired events and test events. */
    profile: {
      /** Name of the delivery profile. */
      name: string;
      /** Its revision. */
      revision: number;
      /** The severity from which an open issue makes the verdict `failed`. */
      fail_on: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    } | null;
    /** When the asset was completed; the same as `timestamp`. */
    completed_at: string;
  };
};

export type CompletedUpload = {
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
  /** Size of the stored file in bytes. */
  sizeBytes: number;
  /** Content type of the file in its usual spelling, even if the upload used an alias. */
  contentType: string;
};

/** What a check examined, and what it did not. */
export type Coverage = {
  /** What the check examined. */
  examined: ({
    /** What it is: video_stream, audio_stream, caption_track, frames, pages, entries, metadata, image, text, manifest, embedded_file. Accept other values. */
    kind: string;
    /** Names it, for display. */
    label: string;
    /** How much was examined, in `unit`; null if it was not counted. */
    quantity: number | null;
    /** Unit of `quantity`, such as `s` or `frames`; null if it was not counted. */
    unit: string | null;
  })[];
  /** What the check should have examined and did not. Empty unless it is `incomplete`. */
  notExamined: ({
    /** What it is: video_stream, audio_stream, caption_track, frames, pages, entries, metadata, image, text, manifest, embedded_file. Accept other values. */
    kind: string;
    /** Names it, for display. */
    label: string;
    /** Why: `damaged` (it is damaged or incomplete), `encrypted` (it is encrypted), `unsupported` (this version cannot read it), `limit_reached` (a limit on size, number or time was reached), `not_measurable` (it has no measurable value). Accept other values. */
    reason: string;
    /** The share that was not examined, from 0 to 1; null if it is not known. */
    share: number | null;
  })[];
};

/** A new API key. */
export type CreatedKey = {
  /** ID of the key; `key_id` in paths, and the actor of what it decides. */
  keyId: string;
  /** What the key is for; null if it has no name. */
  name: string | null;
  /** The kind of the key: `live` for `sk_live_…`, `sandbox` for `sk_test_…`. */
  mode: 'live' | 'sandbox';
  /** What the key may do. The description of each endpoint names its scope. */
  scopes: ('read' | 'submit' | 'decide' | 'webhooks' | 'profiles' | 'manage')[];
  /** The first 12 characters of the key, to tell keys apart. */
  prefix: string;
  /** The last four characters of the key. */
  lastFour: string;
  /** When the key was created. */
  createdAt: string;
  /** When the key was last used, to the minute; null if it never was. */
  lastUsedAt: string | null;
  /** When the key expires; null if it does not. */
  expiresAt: string | null;
  /** When the key was revoked; null if it was not. */
  revokedAt: string | null;
  /** The key, to be sent as `X-API-Key`. It is not shown again. */
  key: string;
};

/** A submission that was accepted and queued. */
export type CreatedSubmission = {
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** ID of the latest run in the workflow engine, where the operator can find it. Each retry starts a new run. */
  workflowId: string;
  /** Channel of live updates: send it as `channel` to `GET /realtime`. */
  realtimeChannel: string;
  /** `submitted` for a new submission. After a retry `processing`, if other assets are finished. */
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** All assets of the submission, in the order of the request. */
  assets: ({
    /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
    assetId: string;
    /** Shared by all versions of one asset. */
    versionGroupId: string;
    /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
    versionNumber: number;
    /** The asset in `previousSubmissionId` that this asset is a new version of. Null for a first version, and for assets created before this field was recorded. */
    previousAssetId: string | null;
    /** How the previous asset was matched: by file name, category or position. Null if `previousAssetId` is null. */
    matchedBy: 'name' | 'category' | 'position' | null;
  })[];
};

/** A new webhook subscription, with its secret. */
export type CreatedSubscription = {
  /** ID of the subscription; `subscription_id` in paths. */
  subscriptionId: string;
  /** The workspace that the resource belongs to. An API key can access only its own workspace. */
  workspaceId: string;
  /** Where the events are sent. */
  url: string;
  /** Your own text about the subscription; null if there is none. */
  description: string | null;
  /** The event types that the subscription receives. */
  eventTypes: ('asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished')[];
  /** Whether events are sent. If false, `disabledReason` says why not. */
  isActive: boolean;
  /** Subscriptions with `all` or `live` receive the events of live submissions, those with `sandbox` do not. Events fired in the sandbox are sent in every mode. */
  mode: 'all' | 'live' | 'sandbox';
  /** The kind of key that created the subscription. Sandbox keys cannot change subscriptions created with a live key. */
  createdWith: 'live' | 'sandbox';
  /** How many requests per second the receiver gets at most; null for no limit. */
  maxRequestsPerSecond: number | null;
  /** Why the subscription is inactive: `isActive` was set to false (`manual`), no attempt succeeded for days (`consecutive_failures`), the receiver responded with 410 (`gone`), or the URL resolved to an address that is not allowed (`blocked_address`). Null if it is active. */
  disabledReason: 'manual' | 'consecutive_failures' | 'gone' | 'blocked_address' | null;
  /** When the subscription became inactive; null if it is active. */
  disabledAt: string | null;
  /** Number of failed attempts since the last success or reactivation. */
  consecutiveFailureCount: number;
  /** Time of the latest attempt, to within a second; null before the first. Test events do not count. */
  lastDeliveryAt: string | null;
  /** Time of the latest successful attempt, to within a second; null before the first. */
  lastSuccessAt: string | null;
  /** When the subscription was created. */
  createdAt: string;
  /** When the settings or the secret were last changed. */
  updatedAt: string;
  /** Signs every event (`whsec_…`). Shown only once: store it. */
  secret: string;
};

/** The delivery of one event to one subscription. */
export type Delivery = {
  /** ID of the delivery; `delivery_id` in paths. */
  deliveryId: string;
  /** ID of the event, sent as `id` and in `webhook-id`. A replay is another delivery of the same event. */
  eventId: string;
  /** Type of the event. */
  eventType: 'asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished';
  /** The subscription that receives the event. */
  subscriptionId: string;
  /** The submission that the event is about. Null for a test event. */
  submissionId: string | null;
  /** The asset that the event is about. Null for a test event. */
  assetId: string | null;
  /** `pending` while further attempts are planned, `succeeded` after a 2xx response, `failed` after the last attempt, `cancelled` if the subscription was deactivated before. */
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** Number of attempts so far. */
  attemptCount: number;
  /** After how many failed attempts the delivery fails: 10, or 1 for a test event. */
  maxAttempts: number;
  /** When the next attempt is due. Null if none is planned. */
  nextAttemptAt: string | null;
  /** HTTP status of the latest attempt. Null before the first, or if it got no response. */
  lastResponseStatus: number | null;
  /** Whether the delivery was created by a replay. */
  isReplay: boolean;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  /** When the delivery was created. */
  createdAt: string;
  /** When the delivery succeeded, failed or was cancelled. Null while it is pending. */
  completedAt: string | null;
};

/** One request to the URL of a subscription. */
export type DeliveryAttempt = {
  /** Counts the attempts of a delivery from 1. */
  attemptNumber: number;
  /** `manual` for the first attempt of a replay, `test` for a test event, otherwise `automatic`. */
  trigger: 'automatic' | 'manual' | 'test';
  /** The URL of the subscription at the time of the attempt. */
  url: string;
  /** When the request was sent. */
  startedAt: string;
  /** Milliseconds until the response was read or the attempt failed. */
  durationMs: number;
  /** HTTP status of the response; null if there was none. */
  responseStatus: number | null;
  /** The first 4 KiB of the response; null if there was none. */
  responseBody: string | null;
  /** Why the attempt failed; `http_status` for a response other than 2xx or 3xx. Null if it succeeded. */
  errorCode: 'http_status' | 'timeout' | 'dns' | 'connect' | 'tls' | 'redirect' | 'blocked_address' | 'cancelled' | null;
  /** Why the attempt failed, for humans. Null if it succeeded. */
  errorMessage: string | null;
};

/** A delivery with its event and attempts. */
export type DeliveryDetail = {
  /** ID of the delivery; `delivery_id` in paths. */
  deliveryId: string;
  /** ID of the event, sent as `id` and in `webhook-id`. A replay is another delivery of the same event. */
  eventId: string;
  /** Type of the event. */
  eventType: 'asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished';
  /** The subscription that receives the event. */
  subscriptionId: string;
  /** The submission that the event is about. Null for a test event. */
  submissionId: string | null;
  /** The asset that the event is about. Null for a test event. */
  assetId: string | null;
  /** `pending` while further attempts are planned, `succeeded` after a 2xx response, `failed` after the last attempt, `cancelled` if the subscription was deactivated before. */
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** Number of attempts so far. */
  attemptCount: number;
  /** After how many failed attempts the delivery fails: 10, or 1 for a test event. */
  maxAttempts: number;
  /** When the next attempt is due. Null if none is planned. */
  nextAttemptAt: string | null;
  /** HTTP status of the latest attempt. Null before the first, or if it got no response. */
  lastResponseStatus: number | null;
  /** Whether the delivery was created by a replay. */
  isReplay: boolean;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  /** When the delivery was created. */
  createdAt: string;
  /** When the delivery succeeded, failed or was cancelled. Null while it is pending. */
  completedAt: string | null;
  payload: Event;
  /** The attempts so far, oldest first. */
  attempts: DeliveryAttempt[];
};

export type DeliveryList = {
  /** The deliveries of this page, newest first. */
  deliveries: Delivery[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

export type DirectUpload = {
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
  /** Size of the stored file in bytes. */
  sizeBytes: number;
  /** Content type of the file in its usual spelling, even if the upload used an alias. */
  contentType: string;
  /** SHA-256 of the stored file, in lower-case hexadecimal. */
  contentSha256: string;
};

/** An event as it is sent to subscriptions, the same in every attempt. */
export type Event = CompletedEvent | FailedEvent | VerdictChangedEvent | FinishedEvent;

export type EventTypeList = {
  /** Every event type, on one page. */
  eventTypes: ({
    /** Name of the event type, for `eventTypes` of a subscription. */
    eventType: 'asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished';
    /** What the event means. */
    description: string;
  })[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

export type FailedEvent = {
  /** ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header. */
  id: string;
  /** When the event occurred. */
  timestamp: string;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  /** The event type. */
  type: 'asset.processing.failed';
  /** The failed asset. Its members are in snake_case. */
  data: {
    /** The asset that the event is about. */
    asset_id: string;
    /** The submission that contains the asset. */
    submission_id: string;
    /** The workspace of the submission. */
    workspace_id: string;
    /** Shared by all versions of one asset. */
    version_group_id: string;
    /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
    version_number: number;
    /** How often the asset had been retried. */
    retry_count: number;
    /** `metadata.clientReference` of the submission, if it is a string of up to 200 characters. */
    client_reference?: string | undefined;
    /** Status of the asset. */
    status: 'failed';
    /** Why the asset failed and what to do, for humans. In a fired event, the `errorMessage` sent. */
    error_message: string;
    /** Why the asset failed, as a stable code. Always `internal_error` in a fired event. */
    error_type: 'unsupported_codec' | 'corrupt_media' | 'encrypted_media' | 'media_too_long' | 'resource_limit_exceeded' | 'blob_missing' | 'blob_changed' | 'content_mismatch' | 'analysis_rejected' | 'analysis_timeout' | 'engine_unavailable' | 'internal_error' | 'cancelled';
    /** Whether the asset can be retried. */
    is_retryable: boolean;
    /** What the delivery profile says of the asset. Null for fired events and test events. */
    verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
    /** Number of issues by severity. Null if nothing was analysed. */
    severity_counts: {
      /** Number of CRITICAL issues. */
      critical: number;
      /** Number of MAJOR issues. */
      major: number;
      /** Number of MINOR issues. */
      minor: number;
      /** Number of INFO issues. */
      info: number;
    } | null;
    /** Number of issues by status. Null if nothing was analysed. */
    status_counts: {
      /** Number of issues with the status OPEN. */
      open: number;
      /** Number of issues with the status ACKNOWLEDGED. */
      acknowledged: number;
      /** Number of issues with the status AWAITING_HUMAN_INPUT. */
      awaiting_human_input: number;
      /** Number of issues with the status RESOLVED. */
      resolved: number;
      /** Number of issues with the status DISMISSED. */
      dismissed: number;
    } | null;
    /** Number of issues that make the verdict `failed`. Null if nothing was analysed. */
    blocking_count: number | null;
    /** Number of issues and incomplete checks that a person has to look at. Null if nothing was analysed. */
    review_count: number | null;
    /** Number of issues that a caller has waived. Null if nothing was analysed. */
    waived_count: number | null;
    /** The delivery profile of the submission. Null for fired events and test events. */
    profile: {
      /** Name of the delivery profile. */
      name: string;
      /** Its revision. */
      revision: number;
      /** The severity from which an open issue makes the verdict `failed`. */
      fail_on: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    } | null;
    /** When the asset failed; the same as `timestamp`. */
    failed_at: string;
  };
};

export type FinishedEvent = {
  /** ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header. */
  id: string;
  /** When the event occurred. */
  timestamp: string;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  /** The event type. */
  type: 'submission.processing.finished';
  /** The finished submission. Its members are in snake_case. */
  data: {
    /** The submission that the event is about. */
    submission_id: string;
    /** The workspace of the submission. */
    workspace_id: string;
    /** `metadata.clientReference` of the submission, if it is a string of up to 200 characters. */
    client_reference?: string | undefined;
    /** `complete` if every asset is complete; `failed` if at least one failed. */
    status: 'complete' | 'failed';
    /** The worst verdict of the assets. Null for test events, and if a worker of the previous version completed an asset during an upgrade. */
    verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
    /** Number of issues by severity in all assets of the submission. Null if no asset is complete. */
    severity_counts: {
      /** Number of CRITICAL issues. */
      critical: number;
      /** Number of MAJOR issues. */
      major: number;
      /** Number of MINOR issues. */
      minor: number;
      /** Number of INFO issues. */
      info: number;
    } | null;
    /** Number of issues by status in all assets of the submission. Null if no asset is complete. */
    status_counts: {
      /** Number of issues with the status OPEN. */
      open: number;
      /** Number of issues with the status ACKNOWLEDGED. */
      acknowledged: number;
      /** Number of issues with the status AWAITING_HUMAN_INPUT. */
      awaiting_human_input: number;
      /** Number of issues with the status RESOLVED. */
      resolved: number;
      /** Number of issues with the status DISMISSED. */
      dismissed: number;
    } | null;
    /** Number of issues that make the verdict `failed` in all assets of the submission. Null if no asset is complete. */
    blocking_count: number | null;
    /** Number of issues and incomplete checks that a person has to look at in all assets of the submission. Null if no asset is complete. */
    review_count: number | null;
    /** Number of issues that a caller has waived in all assets of the submission. Null if no asset is complete. */
    waived_count: number | null;
    /** The delivery profile of the submission. Null for fired events and test events. */
    profile: {
      /** Name of the delivery profile. */
      name: string;
      /** Its revision. */
      revision: number;
      /** The severity from which an open issue makes the verdict `failed`. */
      fail_on: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    } | null;
    /** When the last asset was finished; the same as `timestamp`. */
    finished_at: string;
  };
};

export type FireRequest = {
  /** The type of the events to send. */
  eventType: 'asset.processing.completed' | 'asset.processing.failed';
  /** A submission of the workspace, live or sandbox. One event is sent for each of its assets. */
  submissionId: string;
  /** The `error_message` of the events, only for `asset.processing.failed`. Default: `Sandbox simulated failure`. */
  errorMessage?: string | null | undefined;
};

export type FireResult = {
  /** Number of subscriptions notified, across all assets. */
  dispatched: number;
};

/** An issue in full. */
export type Issue = {
  /** ID of the issue; `issue_id` in paths. The same issue has another ID in the next version, but the same `referenceNumber`. */
  id: string;
  /** A short number for people. It counts up within a version group and is never reused; the same issue keeps it in the next version. */
  referenceNumber: number;
  /** Code of the rule. `GET /sidekicks` lists the rules of each check. */
  ruleCode: string;
  /** What is wrong, where, and what to do, in one or two sentences. */
  summary: string;
  /** How serious it is, from CRITICAL (most) to INFO (least). */
  severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  /** `OPEN`, or `AWAITING_HUMAN_INPUT` if the check is not certain and the issue needs review; later the status that a reviewer set. */
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  /** When the analysis that found the issue was finished. */
  createdAt: string;
  /** When the status of this issue was last set by a reviewer; otherwise the same as `createdAt`. */
  updatedAt: string;
  /** The check that found the issue. */
  sidekickId: string;
  /** What was measured or found, and the limit that was applied. */
  severityReasoning: string;
  /** Why the rule matters, in one sentence. The same for all issues of a rule. */
  severityReasoningHeadline: string;
  /** Published decisions on similar cases. Empty if none are known for the rule. */
  precedents: Precedent[];
  /** How certain the check is, from 0 to 1 (certain). */
  confidence: number;
  /** The measured value in `unit`, not rounded for display. Null if the rule measures nothing. */
  measured: number | null;
  /** The limit in `unit` that was applied, tolerance included. Null if the rule has no limit. */
  limit: number | null;
  /** Unit of `measured` and `limit`, such as `LUFS`. Null if the rule measures nothing. */
  unit: string | null;
  /** Where the limit comes from, or the rule if it has no limit in the delivery profile. A clause is named only if its limit was applied unchanged; otherwise it is the delivery profile that sets the limit. Null if there is neither. */
  standard: Standard | null;
  /** Where the issue is. An empty list means the whole asset. */
  locations: Location[];
  /** Still images that show the issue, up to 3. Empty if there are none. */
  evidence: IssueEvidence[];
  /** Note of the latest decision; null if there is none. */
  statusNote: string | null;
  /** Reason of the latest decision; null if there is none. */
  statusReason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  /** When the latest decision was made, even if that was on an earlier version. Null if there is no decision. */
  statusChangedAt: string | null;
  /** The decision on the same issue in the previous version, if it was not carried over. */
  previousDecision: PreviousDecision | null;
};

/** A change of the status of an issue. Decisions are never removed. */
export type IssueDecision = {
  /** When the decision was made. */
  decidedAt: string;
  /** Who decided; `unknown` for decisions made before actors were recorded. */
  actor: {
    /** What kind of actor decided. */
    kind: 'api_key' | 'person' | 'operator' | 'service' | 'unknown';
    /** ID of the API key, not the key itself, or of the person; otherwise null. */
    id: string | null;
  };
  /** Status before the decision; null if it was not recorded. */
  from: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED' | null;
  /** Status that the decision set. */
  to: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  /** Reason for the decision; null if none was given. */
  reason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  /** Note of the reviewer; null if there is none. */
  note: string | null;
  /** Whether the decision also applies to the same issue in the next version, if it is no worse there. */
  carriesOver: boolean;
  /** The issue in an earlier version on which this decision was made; null if it was made on this issue. */
  carriedFrom: {
    /** The submission that contains that version. */
    submissionId: string;
    /** The asset of that version. */
    assetId: string;
    /** The issue in that version. */
    issueId: string;
    /** The number of that version. */
    versionNumber: number;
  } | null;
};

/** An issue in full, with its decisions. */
export type IssueDetail = {
  /** ID of the issue; `issue_id` in paths. The same issue has another ID in the next version, but the same `referenceNumber`. */
  id: string;
  /** A short number for people. It counts up within a version group and is never reused; the same issue keeps it in the next version. */
  referenceNumber: number;
  /** Code of the rule. `GET /sidekicks` lists the rules of each check. */
  ruleCode: string;
  /** What is wrong, where, and what to do, in one or two sentences. */
  summary: string;
  /** How serious it is, from CRITICAL (most) to INFO (least). */
  severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  /** `OPEN`, or `AWAITING_HUMAN_INPUT` if the check is not certain and the issue needs review; later the status that a reviewer set. */
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  /** When the analysis that found the issue was finished. */
  createdAt: string;
  /** When the status of this issue was last set by a reviewer; otherwise the same as `createdAt`. */
  updatedAt: string;
  /** The check that found the issue. */
  sidekickId: string;
  /** What was measured or found, and the limit that was applied. */
  severityReasoning: string;
  /** Why the rule matters, in one sentence. The same for all issues of a rule. */
  severityReasoningHeadline: string;
  /** Published decisions on similar cases. Empty if none are known for the rule. */
  precedents: Precedent[];
  /** How certain the check is, from 0 to 1 (certain). */
  confidence: number;
  /** The measured value in `unit`, not rounded for display. Null if the rule measures nothing. */
  measured: number | null;
  /** The limit in `unit` that was applied, tolerance included. Null if the rule has no limit. */
  limit: number | null;
  /** Unit of `measured` and `limit`, such as `LUFS`. Null if the rule measures nothing. */
  unit: string | null;
  /** Where the limit comes from, or the rule if it has no limit in the delivery profile. A clause is named only if its limit was applied unchanged; otherwise it is the delivery profile that sets the limit. Null if there is neither. */
  standard: Standard | null;
  /** Where the issue is. An empty list means the whole asset. */
  locations: Location[];
  /** Still images that show the issue, up to 3. Empty if there are none. */
  evidence: IssueEvidence[];
  /** Note of the latest decision; null if there is none. */
  statusNote: string | null;
  /** Reason of the latest decision; null if there is none. */
  statusReason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  /** When the latest decision was made, even if that was on an earlier version. Null if there is no decision. */
  statusChangedAt: string | null;
  /** The decision on the same issue in the previous version, if it was not carried over. */
  previousDecision: PreviousDecision | null;
  /** Decisions on the issue, newest first; up to 200. */
  decisions: IssueDecision[];
};

/** A still image that shows an issue. */
export type IssueEvidence = {
  /** Kind of evidence; always a still image. */
  kind: 'image';
  /** Path on this service to a JPEG. A frame in it has up to 640 pixels per side. Read it with the same API key. */
  url: string;
  /** Position of the frame, or of the first of several, in milliseconds from the beginning of the video. */
  timeMs?: number | undefined;
  /** The frames of a still that has several, from left to right: the two states of a flash, side by side. What flashes is outlined in both. Absent if the still is a single frame, without outlines. */
  frames?: IssueEvidenceFrame[] | undefined;
  /** Page of a document, counted from 1. Absent for a video. */
  page?: number | undefined;
};

/** A frame of a still image that has several. */
export type IssueEvidenceFrame = {
  /** Position of the frame, in milliseconds from the beginning of the video. */
  timeMs: number;
  /** Which state of a flash the frame shows: `light` or `dark`; for flashes of saturated red, `red` or `not_red`. */
  role: 'light' | 'dark' | 'red' | 'not_red';
};

export type IssueList = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** The issues of this page, ordered by reference number. */
  issues: Issue[];
  /** Number of issues that match the filters, on all pages. */
  totalCount: number;
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

export type IssueStatusRequest = {
  /** The new status of the issue. */
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  /** Reason for the decision; must match the status: fix_required (ACKNOWLEDGED); creative_intent, best_available, risk_accepted, false_alarm (DISMISSED); fixed (RESOLVED); reopened (OPEN). */
  reason?: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null | undefined;
  /** Free-text note. If left out, the previous note is cleared. */
  note?: string | null | undefined;
  /** Whether the decision also applies to the same issue in the next version, unless the issue is worse there. Only for ACKNOWLEDGED and DISMISSED. Default: true. */
  carriesOver?: boolean | undefined;
};

export type KeyChange = {
  /** What the key is for, such as the name of the pipeline that uses it. */
  name?: string | null | undefined;
  /** When the key expires; a time in the past expires it now. Null removes the expiry. */
  expiresAt?: string | null | undefined;
};

export type KeyList = {
  /** The keys, newest first. */
  keys: ApiKey[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

export type KeyRequest = {
  /** What the key is for, such as the name of the pipeline that uses it. */
  name: string;
  /** The kind of the key. Default: that of the key that calls. */
  mode?: 'live' | 'sandbox' | null | undefined;
  /** What the key may do; duplicates are ignored. Default: everything except `manage`. */
  scopes?: ('read' | 'submit' | 'decide' | 'webhooks' | 'profiles' | 'manage')[] | null | undefined;
  /** When the key expires, in the future. Default: never. */
  expiresAt?: string | null | undefined;
};

/** The limits that differ from the extended profile. */
export type LimitChanges = {
  /** Limits of the check Loudness. */
  loudness?: {
    /** The standard that the limits come from; null for none. Issues name it for limits that you change. */
    standard?: Clause | null | null | undefined;
    /** Name of the unit. Both are the same measure. */
    scale?: 'LUFS' | 'LKFS' | null | undefined;
    /** Target of integrated loudness; null for none. */
    target?: number | null | null | undefined;
    /** Without a target, integrated loudness is reported if it is outside this range, to which no tolerance applies; null to report none. It has no effect beside a target. */
    rangeWithoutTarget?: {
      /** Lowest loudness that is not reported. */
      min: number;
      /** Highest loudness that is not reported. */
      max: number;
    } | null | null | undefined;
    /** Allowed deviation above the target, in LU. */
    toleranceAboveLu?: number | null | undefined;
    /** Allowed deviation below the target, in LU. */
    toleranceBelowLu?: number | null | undefined;
    /** Allowed difference between two compliant meters, in LU. It is added to the tolerances. */
    meterToleranceLu?: number | null | undefined;
    /** Highest true peak, in dBTP. */
    truePeakMaxDb?: number | null | undefined;
    /** Allowed difference between two compliant meters of true peak, in dB. */
    truePeakMeterToleranceDb?: number | null | undefined;
    /** Limit of short-term loudness for short content such as advertisements; null for none. */
    shortForm?: {
      /** Content up to this length is short-form, in seconds. */
      secondsMax: number;
      /** Highest short-term loudness (3 s). */
      shortTermMaxLufs: number;
    } | null | null | undefined;
  } | null | undefined;
  /** Limits of the check Video and audio quality. */
  qcPictureSound?: {
    /** Longest black section, in seconds. */
    blackSecondsMax?: number | null | undefined;
    /** Longest frozen section, in seconds. */
    freezeSecondsMax?: number | null | undefined;
    /** Lowest legal level, on the scale of 8 bits. */
    levelMin?: number | null | undefined;
    /** Highest legal level, on the scale of 8 bits. */
    levelMax?: number | null | undefined;
    /** Share of the frame that may be outside, from 0 to 1. */
    levelShareMax?: number | null | undefined;
    /** Longest silence, in seconds. */
    silenceSecondsMax?: number | null | undefined;
    /** Allowed difference between the end of the video and the end of the audio, in seconds. */
    endsApartSecondsMax?: number | null | undefined;
  } | null | undefined;
  /** Limits of the check Photosensitivity. */
  photosensitivity?: {
    /** Areas whose flashing share is limited: the screen, or any window of this size in pixels. */
    areas?: ('screen' | '341x256' | '416x416')[] | null | undefined;
    /** Share of an area from which flashing counts, from 0.2 to 1. The standards say 0.25. */
    areaShareMax?: number | null | undefined;
  } | null | undefined;
  /** Limits of the check Captions. */
  captions?: {
    /** Reading speed that is too fast. */
    wordsPerMinuteMinor?: number | null | undefined;
    /** Reading speed that is far too fast. */
    wordsPerMinuteMajor?: number | null | undefined;
    /** Most lines of a caption. */
    linesMax?: number | null | undefined;
  } | null | undefined;
  /** Expectations of the check Delivery specification. */
  deliverySpec?: {
    /** Accepted containers. */
    containers?: ('mp4' | 'mov' | 'm4v' | '3gp' | 'mkv' | 'webm' | 'avi' | 'mxf' | 'mpeg-ts' | 'mpeg-ps' | 'mpeg-video' | 'm4a' | 'mp3' | 'aac' | 'wav' | 'flac' | 'ogg' | 'aiff' | 'gif' | 'apng')[] | null | null | undefined;
    /** Accepted operational patterns of MXF files. */
    mxfOperationalPatterns?: ('OP1a' | 'OP1b' | 'OP1c' | 'OP2a' | 'OP2b' | 'OP2c' | 'OP3a' | 'OP3b' | 'OP3c' | 'OPAtom')[] | null | null | undefined;
    /** Bit rate of the whole file, in bits per second. */
    bitsPerSecond?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Shortest and longest duration, in seconds. */
    durationSeconds?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Expected duration, such as that of an advertisement. */
    exactDuration?: {
      /** Expected duration, in seconds. */
      seconds: number;
      /** Allowed deviation, in seconds. */
      toleranceSeconds: number;
    } | null | null | undefined;
    /** Accepted timecodes of the first frame. A semicolon before the frames means drop-frame. */
    startTimecodes?: string[] | null | null | undefined;
    /** How the timecode in the file has to count frames. */
    timecodeCounting?: 'drop-frame' | 'non-drop-frame' | null | null | undefined;
    /** Duration of black before the programme, in seconds. */
    leadInBlackSeconds?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Duration of silence before the programme, in seconds. */
    leadInSilenceSeconds?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Number of video tracks, cover art not counted. */
    videoTracks?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Accepted video codecs, by the names of ffprobe. */
    videoCodecs?: string[] | null | null | undefined;
    /** Accepted profiles of the video codec, by the names of ffprobe. Capitals do not matter. */
    videoProfiles?: string[] | null | null | undefined;
    /** Highest accepted level of H.264, H.265 or AV1, such as 4.1. */
    videoLevelMax?: number | null | null | undefined;
    /** Accepted sizes of the frame as stored. */
    resolutions?: {
      /** Width in pixels. */
      width: number;
      /** Height in pixels. */
      height: number;
    }[] | null | null | undefined;
    /** Accepted frames per second, compared exactly: `25`, `30000/1001`. */
    frameRates?: string[] | null | null | undefined;
    /** Whether every frame must last equally long. */
    requireConstantFrameRate?: boolean | null | null | undefined;
    /** Accepted scan types and field orders. */
    scans?: ('progressive' | 'interlaced-top-first' | 'interlaced-bottom-first')[] | null | null | undefined;
    /** Accepted ratios of width and height on a display, such as `16:9`. */
    displayAspectRatios?: string[] | null | null | undefined;
    /** Accepted ratios of width and height of a pixel. Square pixels are `1:1`. */
    pixelAspectRatios?: string[] | null | null | undefined;
    /** Accepted picture inside black bars: `full` for none, or its ratio on a display, such as `239:100`. */
    activePicture?: string[] | null | null | undefined;
    /** Accepted rotations that players have to apply, in degrees clockwise. */
    rotations?: (0 | 90 | 180 | 270)[] | null | null | undefined;
    /** Accepted colour primaries. */
    colourPrimaries?: ('bt709' | 'bt470m' | 'bt470bg' | 'smpte170m' | 'smpte240m' | 'bt2020' | 'smpte428' | 'smpte431' | 'smpte432' | 'ebu3213')[] | null | null | undefined;
    /** Accepted transfer characteristics. */
    colourTransfers?: ('bt709' | 'bt470m' | 'bt470bg' | 'smpte170m' | 'smpte240m' | 'linear' | 'log100' | 'log316' | 'iec61966-2-4' | 'bt1361e' | 'iec61966-2-1' | 'bt2020-10' | 'bt2020-12' | 'smpte2084' | 'smpte428' | 'arib-std-b67')[] | null | null | undefined;
    /** Accepted matrix coefficients. */
    colourMatrices?: ('gbr' | 'bt709' | 'fcc' | 'bt470bg' | 'smpte170m' | 'smpte240m' | 'ycgco' | 'bt2020nc' | 'bt2020c' | 'smpte2085' | 'ictcp')[] | null | null | undefined;
    /** Accepted ranges of levels. */
    colourRanges?: ('limited' | 'full')[] | null | null | undefined;
    /** Accepted bits per colour value. */
    videoBitDepths?: number[] | null | null | undefined;
    /** Accepted chroma subsampling. RGB is `4:4:4`. */
    chromaSubsamplings?: ('4:0:0' | '4:1:0' | '4:1:1' | '4:2:0' | '4:2:2' | '4:4:0' | '4:4:4')[] | null | null | undefined;
    /** Accepted positions of chroma samples. */
    chromaLocations?: ('left' | 'center' | 'topleft' | 'top' | 'bottomleft' | 'bottom')[] | null | null | undefined;
    /** Bit rate of the video, in bits per second. */
    videoBitsPerSecond?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Accepted bit rate modes of the video. */
    videoBitRateModes?: ('constant' | 'variable')[] | null | null | undefined;
    /** Longest group of pictures, in frames. 1 accepts intra-frame coding only. */
    gopFramesMax?: number | null | null | undefined;
    /** Whether every group of pictures must be closed. */
    requireClosedGop?: boolean | null | null | undefined;
    /** Whether HDR metadata of the mastering display (SMPTE ST 2086) must be present. */
    requireMasteringDisplay?: boolean | null | null | undefined;
    /** Accepted primaries of the mastering display. */
    masteringPrimaries?: ('bt709' | 'bt2020' | 'display-p3')[] | null | null | undefined;
    /** Highest luminance of the mastering display, in cd/m². */
    masteringLuminanceMax?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Lowest luminance of the mastering display, in cd/m². */
    masteringLuminanceMin?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Whether MaxCLL and MaxFALL must be present. */
    requireContentLight?: boolean | null | null | undefined;
    /** Declared MaxCLL, in cd/m². */
    maxCll?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Declared MaxFALL, in cd/m². */
    maxFall?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Share by which the measured brightness may exceed declared MaxFALL, such as 0.1 for 10 %. */
    lightLevelTolerance?: number | null | null | undefined;
    /** Number of audio tracks. */
    audioTracks?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Accepted audio codecs, by the names of ffprobe. */
    audioCodecs?: string[] | null | null | undefined;
    /** Accepted profiles of the audio codec, by the names of ffprobe. Capitals do not matter. */
    audioProfiles?: string[] | null | null | undefined;
    /** Accepted channel layouts of each audio track, such as `stereo` or `5.1`. */
    channelLayouts?: string[] | null | null | undefined;
    /** Number of channels of each audio track. */
    channels?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Number of channels of all audio tracks together. */
    channelsInAll?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Accepted samples per second of each audio track, such as 48000. */
    sampleRates?: number[] | null | null | undefined;
    /** Accepted bits per sample of uncompressed and lossless audio tracks. */
    audioBitDepths?: number[] | null | null | undefined;
    /** Bit rate of each audio track, in bits per second. */
    audioBitsPerSecond?: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null | null | undefined;
    /** Accepted languages of each audio track, such as `eng`. A track without a language is not accepted. */
    audioLanguages?: string[] | null | null | undefined;
    /** Languages of which there must be an audio track. */
    requiredAudioLanguages?: string[] | null | null | undefined;
    /** Languages of which there must be a subtitle track. */
    requiredSubtitleLanguages?: string[] | null | null | undefined;
  } | null | undefined;
};

/** Every limit of a delivery profile. */
export type Limits = {
  /** Limits of the check Loudness. */
  loudness: {
    /** The standard that the limits come from; null for none. Issues name it for limits that you change. */
    standard: Clause | null;
    /** Name of the unit. Both are the same measure. */
    scale: 'LUFS' | 'LKFS';
    /** Target of integrated loudness; null for none. */
    target: number | null;
    /** Without a target, integrated loudness is reported if it is outside this range, to which no tolerance applies; null to report none. It has no effect beside a target. */
    rangeWithoutTarget: {
      /** Lowest loudness that is not reported. */
      min: number;
      /** Highest loudness that is not reported. */
      max: number;
    } | null;
    /** Allowed deviation above the target, in LU. */
    toleranceAboveLu: number;
    /** Allowed deviation below the target, in LU. */
    toleranceBelowLu: number;
    /** Allowed difference between two compliant meters, in LU. It is added to the tolerances. */
    meterToleranceLu: number;
    /** Highest true peak, in dBTP. */
    truePeakMaxDb: number;
    /** Allowed difference between two compliant meters of true peak, in dB. */
    truePeakMeterToleranceDb: number;
    /** Limit of short-term loudness for short content such as advertisements; null for none. */
    shortForm: {
      /** Content up to this length is short-form, in seconds. */
      secondsMax: number;
      /** Highest short-term loudness (3 s). */
      shortTermMaxLufs: number;
    } | null;
  };
  /** Limits of the check Video and audio quality. */
  qcPictureSound: {
    /** Longest black section, in seconds. */
    blackSecondsMax: number;
    /** Longest frozen section, in seconds. */
    freezeSecondsMax: number;
    /** Lowest legal level, on the scale of 8 bits. */
    levelMin: number;
    /** Highest legal level, on the scale of 8 bits. */
    levelMax: number;
    /** Share of the frame that may be outside, from 0 to 1. */
    levelShareMax: number;
    /** Longest silence, in seconds. */
    silenceSecondsMax: number;
    /** Allowed difference between the end of the video and the end of the audio, in seconds. */
    endsApartSecondsMax: number;
  };
  /** Limits of the check Photosensitivity. */
  photosensitivity: {
    /** Areas whose flashing share is limited: the screen, or any window of this size in pixels. */
    areas: ('screen' | '341x256' | '416x416')[];
    /** Share of an area from which flashing counts, from 0.2 to 1. The standards say 0.25. */
    areaShareMax: number;
  };
  /** Limits of the check Captions. */
  captions: {
    /** Reading speed that is too fast. */
    wordsPerMinuteMinor: number;
    /** Reading speed that is far too fast. */
    wordsPerMinuteMajor: number;
    /** Most lines of a caption. */
    linesMax: number;
  };
  /** Expectations of the check Delivery specification. */
  deliverySpec: {
    /** Accepted containers. */
    containers: ('mp4' | 'mov' | 'm4v' | '3gp' | 'mkv' | 'webm' | 'avi' | 'mxf' | 'mpeg-ts' | 'mpeg-ps' | 'mpeg-video' | 'm4a' | 'mp3' | 'aac' | 'wav' | 'flac' | 'ogg' | 'aiff' | 'gif' | 'apng')[] | null;
    /** Accepted operational patterns of MXF files. */
    mxfOperationalPatterns: ('OP1a' | 'OP1b' | 'OP1c' | 'OP2a' | 'OP2b' | 'OP2c' | 'OP3a' | 'OP3b' | 'OP3c' | 'OPAtom')[] | null;
    /** Bit rate of the whole file, in bits per second. */
    bitsPerSecond: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Shortest and longest duration, in seconds. */
    durationSeconds: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Expected duration, such as that of an advertisement. */
    exactDuration: {
      /** Expected duration, in seconds. */
      seconds: number;
      /** Allowed deviation, in seconds. */
      toleranceSeconds: number;
    } | null;
    /** Accepted timecodes of the first frame. A semicolon before the frames means drop-frame. */
    startTimecodes: string[] | null;
    /** How the timecode in the file has to count frames. */
    timecodeCounting: 'drop-frame' | 'non-drop-frame' | null;
    /** Duration of black before the programme, in seconds. */
    leadInBlackSeconds: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Duration of silence before the programme, in seconds. */
    leadInSilenceSeconds: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Number of video tracks, cover art not counted. */
    videoTracks: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Accepted video codecs, by the names of ffprobe. */
    videoCodecs: string[] | null;
    /** Accepted profiles of the video codec, by the names of ffprobe. Capitals do not matter. */
    videoProfiles: string[] | null;
    /** Highest accepted level of H.264, H.265 or AV1, such as 4.1. */
    videoLevelMax: number | null;
    /** Accepted sizes of the frame as stored. */
    resolutions: {
      /** Width in pixels. */
      width: number;
      /** Height in pixels. */
      height: number;
    }[] | null;
    /** Accepted frames per second, compared exactly: `25`, `30000/1001`. */
    frameRates: string[] | null;
    /** Whether every frame must last equally long. */
    requireConstantFrameRate: boolean | null;
    /** Accepted scan types and field orders. */
    scans: ('progressive' | 'interlaced-top-first' | 'interlaced-bottom-first')[] | null;
    /** Accepted ratios of width and height on a display, such as `16:9`. */
    displayAspectRatios: string[] | null;
    /** Accepted ratios of width and height of a pixel. Square pixels are `1:1`. */
    pixelAspectRatios: string[] | null;
    /** Accepted picture inside black bars: `full` for none, or its ratio on a display, such as `239:100`. */
    activePicture: string[] | null;
    /** Accepted rotations that players have to apply, in degrees clockwise. */
    rotations: (0 | 90 | 180 | 270)[] | null;
    /** Accepted colour primaries. */
    colourPrimaries: ('bt709' | 'bt470m' | 'bt470bg' | 'smpte170m' | 'smpte240m' | 'bt2020' | 'smpte428' | 'smpte431' | 'smpte432' | 'ebu3213')[] | null;
    /** Accepted transfer characteristics. */
    colourTransfers: ('bt709' | 'bt470m' | 'bt470bg' | 'smpte170m' | 'smpte240m' | 'linear' | 'log100' | 'log316' | 'iec61966-2-4' | 'bt1361e' | 'iec61966-2-1' | 'bt2020-10' | 'bt2020-12' | 'smpte2084' | 'smpte428' | 'arib-std-b67')[] | null;
    /** Accepted matrix coefficients. */
    colourMatrices: ('gbr' | 'bt709' | 'fcc' | 'bt470bg' | 'smpte170m' | 'smpte240m' | 'ycgco' | 'bt2020nc' | 'bt2020c' | 'smpte2085' | 'ictcp')[] | null;
    /** Accepted ranges of levels. */
    colourRanges: ('limited' | 'full')[] | null;
    /** Accepted bits per colour value. */
    videoBitDepths: number[] | null;
    /** Accepted chroma subsampling. RGB is `4:4:4`. */
    chromaSubsamplings: ('4:0:0' | '4:1:0' | '4:1:1' | '4:2:0' | '4:2:2' | '4:4:0' | '4:4:4')[] | null;
    /** Accepted positions of chroma samples. */
    chromaLocations: ('left' | 'center' | 'topleft' | 'top' | 'bottomleft' | 'bottom')[] | null;
    /** Bit rate of the video, in bits per second. */
    videoBitsPerSecond: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Accepted bit rate modes of the video. */
    videoBitRateModes: ('constant' | 'variable')[] | null;
    /** Longest group of pictures, in frames. 1 accepts intra-frame coding only. */
    gopFramesMax: number | null;
    /** Whether every group of pictures must be closed. */
    requireClosedGop: boolean | null;
    /** Whether HDR metadata of the mastering display (SMPTE ST 2086) must be present. */
    requireMasteringDisplay: boolean | null;
    /** Accepted primaries of the mastering display. */
    masteringPrimaries: ('bt709' | 'bt2020' | 'display-p3')[] | null;
    /** Highest luminance of the mastering display, in cd/m². */
    masteringLuminanceMax: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Lowest luminance of the mastering display, in cd/m². */
    masteringLuminanceMin: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Whether MaxCLL and MaxFALL must be present. */
    requireContentLight: boolean | null;
    /** Declared MaxCLL, in cd/m². */
    maxCll: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Declared MaxFALL, in cd/m². */
    maxFall: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Share by which the measured brightness may exceed declared MaxFALL, such as 0.1 for 10 %. */
    lightLevelTolerance: number | null;
    /** Number of audio tracks. */
    audioTracks: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Accepted audio codecs, by the names of ffprobe. */
    audioCodecs: string[] | null;
    /** Accepted profiles of the audio codec, by the names of ffprobe. Capitals do not matter. */
    audioProfiles: string[] | null;
    /** Accepted channel layouts of each audio track, such as `stereo` or `5.1`. */
    channelLayouts: string[] | null;
    /** Number of channels of each audio track. */
    channels: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Number of channels of all audio tracks together. */
    channelsInAll: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Accepted samples per second of each audio track, such as 48000. */
    sampleRates: number[] | null;
    /** Accepted bits per sample of uncompressed and lossless audio tracks. */
    audioBitDepths: number[] | null;
    /** Bit rate of each audio track, in bits per second. */
    audioBitsPerSecond: {
      /** Lowest accepted value; null for none. */
      min?: number | null | undefined;
      /** Highest accepted value; null for none. */
      max?: number | null | undefined;
    } | null;
    /** Accepted languages of each audio track, such as `eng`. A track without a language is not accepted. */
    audioLanguages: string[] | null;
    /** Languages of which there must be an audio track. */
    requiredAudioLanguages: string[] | null;
    /** Languages of which there must be a subtitle track. */
    requiredSubtitleLanguages: string[] | null;
  };
};

/** Where an issue is in the asset. */
export type Location = {
  /** What is located. Other members can add to it, such as the time range of a `region` in a video. */
  kind: 'timeRange' | 'region' | 'page' | 'text';
  /** Start of the time range, in milliseconds from the beginning of the media. */
  startMs?: number | undefined;
  /** End of the time range, in milliseconds from the beginning of the media. */
  endMs?: number | undefined;
  /** Page of a document, counted from 1. */
  page?: number | undefined;
  /** Position and size as fractions (0 to 1) of the width and height of the frame, image or page. */
  box?: {
    /** Left edge, from the left side. */
    x: number;
    /** Top edge, from the top. */
    y: number;
    /** Width, as a fraction of the whole width. */
    width: number;
    /** Height, as a fraction of the whole height. */
    height: number;
  } | undefined;
  /** The text concerned, such as the words of a caption. */
  text?: string | undefined;
};

export type Me = {
  /** The workspace of the API key. */
  workspaceId: string;
  /** The kind of the API key: `live` for `sk_live_…`, `sandbox` for `sk_test_…`. */
  mode: 'live' | 'sandbox';
  /** The plan of the workspace, which sets the rate limits. A sandbox key has those of `starter`. */
  tier: 'free' | 'starter' | 'pro' | 'enterprise';
  /** The first 12 characters of the API key in use, to tell keys apart. */
  keyPrefix: string;
  /** ID of the API key, as decisions on issues record it. */
  keyId: string;
  /** Name of the API key; null if it has none. */
  keyName: string | null;
  /** When the API key expires; null if it does not. */
  keyExpiresAt: string | null;
  /** What the API key may do. The description of each endpoint names its scope. */
  scopes: ('read' | 'submit' | 'decide' | 'webhooks' | 'profiles' | 'manage')[];
  /** Usage of the workspace. */
  credits: {
    /** Credits used so far: one for each live asset that was completed. */
    used: number;
  };
  /** What the workspace stores, and its quota. */
  storage: {
    /** Uploads whose files are kept, or may still arrive. */
    files: number;
    /** The most files; null if there is no limit. */
    filesMax: number | null;
    /** Their sizes together. An unfinished upload counts with its `sizeBytes`, and without it with the largest size of its category. */
    bytes: number;
    /** The most bytes; null if there is no limit. */
    bytesMax: number | null;
  };
};

/** A value that a check measured, whether or not it is an issue. */
export type MeasuredValue = {
  /** What was measured: integratedLoudness, shortTermLoudnessMax, truePeak. Accept other values. */
  quantity: string;
  /** What it was measured of, for display. */
  label: string;
  /** The value in `unit`, not rounded for display. */
  value: number;
  /** Unit of the value. */
  unit: string;
};

export type Measurements = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** Duration of the media in milliseconds. Null if it has none or nothing was measured. */
  durationMs: number | null;
  /** Frames per second of the video, for timecodes. Null without video, and for assets completed before this field existed. */
  frameRate: number | null;
  /** One entry for each quantity. Empty without audio and video, and in the sandbox. */
  series: ({
    /** What was measured: momentary or short-term loudness, level of the audio, silent share of each step, mean luminance (1 is reference white), or changes of luminance within a second (two are one flash). */
    name: 'loudnessMomentary' | 'loudnessShortTerm' | 'soundLevel' | 'silence' | 'luminance' | 'flashes';
    /** Unit of the values. A `share` is from 0 to 1. */
    unit: string;
    /** Interval between values in milliseconds: value n (from 0) starts at n × stepMs. */
    stepMs: number;
    /** The values, at equal intervals. Null where nothing can be measured, such as the loudness of digital silence. */
    values: (number | null)[];
  })[];
};

/** Technical facts of a file, as it declares them. */
export type Media = {
  /** Format of the file, recognised by its bytes. */
  container: string | null;
  /** Duration in milliseconds. Null without video and audio. */
  durationMs: number | null;
  /** Bit rate of the whole file. */
  bitsPerSecond: number | null;
  /** The video tracks, in the order of the file. Without cover art and animated images. */
  video: ({
    /** Name of the codec, as ffmpeg writes it. */
    codec: string;
    /** Profile of the codec. Null if it has none. */
    profile: string | null;
    /** Width of a frame in pixels. */
    width: number | null;
    /** Height of a frame in pixels. */
    height: number | null;
    /** Frames per second, on average. */
    frameRate: number | null;
    /** Scan type and field order. Null if the file does not say. */
    scan: 'progressive' | 'interlaced-top-first' | 'interlaced-bottom-first' | null;
    /** Chroma subsampling. RGB is `4:4:4`. */
    chromaSubsampling: string | null;
    /** Bits per colour value. */
    bitDepth: number | null;
    /** Bit rate of the track. */
    bitsPerSecond: number | null;
    /** Language that the track declares. Null if it declares none. */
    language: string | null;
  })[];
  /** The audio tracks, in the order of the file. */
  audio: ({
    /** Name of the codec, as ffmpeg writes it. */
    codec: string;
    /** Profile of the codec. Null if it has none. */
    profile: string | null;
    /** Number of channels. */
    channels: number | null;
    /** Layout of the channels. Null if the file does not say. */
    channelLayout: string | null;
    /** Samples per second. */
    sampleRate: number | null;
    /** Bits per sample. Null if the codec has no fixed number. */
    bitDepth: number | null;
    /** Bit rate of the track. */
    bitsPerSecond: number | null;
    /** Language that the track declares. Null if it declares none. */
    language: string | null;
  })[];
  /** The caption and subtitle tracks, in the order of the file. */
  captions: ({
    /** Name of the codec, as ffmpeg writes it. */
    codec: string;
    /** Language that the track declares. Null if it declares none. */
    language: string | null;
  })[];
  /** Size of an image; null for other files. */
  image: {
    /** Width in pixels. */
    width: number;
    /** Height in pixels. */
    height: number;
  } | null;
  /** A small still that shows what the file is. Null without a picture, or if it cannot be decoded. */
  poster: {
    /** Path of the JPEG on this service. Reading it requires the API key. */
    url: string;
    /** Time of the frame in milliseconds; 0 for a still image. */
    timeMs: number;
  } | null;
};

/** Free-form object: up to 50 keys of 1 to 64 characters, 5 levels of nesting and 16 KiB as JSON. The key `assay` is reserved: `{"assay": {"profile": "ebu-r128"}}` selects the delivery profile by ID or name. Default: the profile of the workspace. */
export type Metadata = Record<string, unknown>;

/** The delivery profile of the submission, and the revision that was the newest when it was created. */
export type PinnedProfile = {
  /** ID of the profile; `profile_id` in paths. */
  profileId: string;
  /** Name of the profile. It can be used in place of the ID. */
  name: string;
  /** Revision of the profile, counted from 1. A revision never changes: each change makes a new one. */
  revision: number;
  /** The gate: an open issue of this severity or a higher one blocks the asset. */
  failOn: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  /** Checks that may be incomplete, by short name: what they did not examine does not stop a pass. By default none. */
  allowIncomplete: string[];
};

/** Response 402: the plan of the workspace does not include the API. */
export type PlanRefusal = {
  /** Identifies the error. */
  error_code: 'tier_not_authorized_for_integrations_api';
  /** What happened and what to do, for humans. */
  message: string;
  /** Rate-limit bucket of the endpoint. */
  bucket: 'upload' | 'submission_write' | 'submission_read' | 'webhook_write' | 'webhook_read' | 'sandbox';
};

/** A published decision on a similar case, such as a ruling of a regulator. */
export type Precedent = {
  /** Web page about the case. */
  url: string;
  /** Title of the case. */
  title: string;
  /** What was decided, in the words of the source. */
  decision: string;
  /** Date of the decision, or only its year. */
  date: string;
};

/** A decision on the same issue in the previous version that was not carried over. */
export type PreviousDecision = {
  /** The submission that contains that version. */
  submissionId: string;
  /** The asset of that version. */
  assetId: string;
  /** The issue in that version. */
  issueId: string;
  /** The number of that version. */
  versionNumber: number;
  /** The status that was set in that version. */
  status: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED';
  /** Reason for the decision; null if none was given. */
  reason: 'fix_required' | 'creative_intent' | 'best_available' | 'risk_accepted' | 'false_alarm' | 'fixed' | 'reopened' | null;
  /** Note of the reviewer; null if there is none. */
  note: string | null;
  /** When the decision was made. */
  decidedAt: string;
  /** Why the decision does not apply to this version: the `severity` is higher, the `measured` value is farther from the limit, the `extent` is larger, the `content` of the file differs (File safety only), or the reviewer limited it to one version (`by_choice`). */
  notCarriedOverBecause: ('severity' | 'measured' | 'extent' | 'content' | 'by_choice')[];
};

/** An error (RFC 9457), for every status except 402 and 429. */
export type Problem = {
  /** Documentation of this error, as a path on this service. */
  type: string;
  /** The error in a few words. The same for every response with this `code`. */
  title: string;
  /** HTTP status of the response. */
  status: number;
  /** What happened and what to do, for humans. The text may change. */
  detail: string;
  /** Path of the request, without the query. */
  instance: string;
  /** Identifies the error. It is stable: base decisions in your code on it. */
  code: string;
  /** ID of the request, also in `X-Request-Id`. Quote it when you report a problem. */
  requestId: string;
  /** The fields that are not accepted. Absent if the error is not about fields. */
  errors?: {
    /** JSON Pointer (RFC 6901) to the field in the body, or to the parameter by its name. Empty for the whole body. */
    pointer: string;
    /** What is wrong with the field, as a code. */
    code: string;
    /** What is wrong with the field and what is accepted, for humans. */
    detail: string;
  }[] | undefined;
  /** Number of errors left out: `errors` lists up to 100. Absent if it lists all. */
  errorsOmitted?: number | undefined;
};

/** One revision of a delivery profile. */
export type Profile = {
  /** ID of the profile; `profile_id` in paths. */
  profileId: string;
  /** Name of the profile. It can be used in place of the ID. */
  name: string;
  /** Title for display. */
  title: string;
  /** What the profile is for. Can be empty. */
  description: string;
  /** Revision of the profile, counted from 1. A revision never changes: each change makes a new one. */
  revision: number;
  /** Whether every workspace has it. Built-in profiles cannot be changed. */
  isBuiltIn: boolean;
  /** Whether it applies to submissions of this workspace that name no profile. */
  isDefault: boolean;
  /** The revision of the profile that this one changes; null if it has every limit itself. */
  extends: ProfileRevision | null;
  /** The kind of API key that created it. Sandbox keys can change only profiles created with a sandbox key. Null if built in. */
  createdWith: 'live' | 'sandbox' | null;
  /** When the profile was created. Null if built in. */
  createdAt: string | null;
  /** When its newest revision was made. Null if built in. */
  updatedAt: string | null;
  /** Says that the extended profile has a newer revision, which has no effect on this one. Null if it has none or was deleted, and for built-in profiles. */
  baseUpdate: {
    /** Name of the extended profile. */
    name: string;
    /** The revision that this profile extends. */
    revision: number;
    /** The newest revision. To use it, send `extends` again. */
    latestRevision: number;
  } | null;
  /** The limits that this profile changes itself. */
  limits: LimitChanges;
  /** The rules that this profile changes itself. */
  rules: RuleSetting[];
  resolved: ResolvedProfile;
  /** Where the numbers of a built-in profile come from. Empty for other profiles. */
  sources: ({
    /** JSON Pointer to the limit or rule, or to a group of them. */
    pointer: string;
    /** The document that the number comes from. */
    source: string;
    /** Where the document can be read; null if it is not public. */
    url: string | null;
    /** What to know about the source; null if nothing. */
    note: string | null;
    /** What issues cite if the limit was applied unchanged. Null: the number is not that of a standard, and issues cite the profile. */
    standard: Standard | null;
  })[];
};

/** Fields left out stay unchanged. `limits` and `rules` are replaced as a whole. */
export type ProfileChange = {
  /** Lower-case letters, digits and hyphens, up to 63 characters. Unique in the workspace. */
  name?: string | null | undefined;
  /** The profile that this one changes. Its revision is fixed now: later revisions of it have no effect until `extends` is sent again. */
  extends?: {
    /** ID or name of the extended profile. */
    profile: string;
    /** Revision of the extended profile. Default: the newest. */
    revision?: number | null | undefined;
  } | null | undefined;
  /** Title for display. */
  title?: string | null | undefined;
  /** What the profile is for. */
  description?: string | null | undefined;
  /** The limits that differ from the extended profile. Limits left out or null are inherited. Issues of a changed limit cite this profile and its revision; for loudness, the `standard` that you name. */
  limits?: LimitChanges | null | undefined;
  /** Rules that are judged otherwise, each at most once. */
  rules?: RuleSetting[] | null | undefined;
  /** The gate: an open issue of this severity or a higher one blocks the asset. */
  failOn?: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO' | null | undefined;
  /** Checks that may be incomplete, by short name: what they did not examine does not stop a pass. By default none. */
  allowIncomplete?: string[] | null | undefined;
  /** Whether dismissing an issue takes a note. */
  requireDismissalNote?: boolean | null | undefined;
  /** Reserved. Always false. */
  requireSecondReviewer?: false | null | undefined;
  /** True makes this the default profile of the workspace, for submissions that name none. False makes `general` the default, if this profile was. It makes no new revision. */
  isDefault?: boolean | null | undefined;
};

export type ProfileComparison = {
  /** The profile in the path. */
  left: ProfileRevision;
  /** The other profile. */
  right: ProfileRevision;
  /** Every difference between the resolved profiles. The value of a rule is its severity, or its list of grades. */
  differences: {
    /** What differs: `/limits/…` with the group and the limit, `/rules/…` with the rule code, `/failOn` or `/requireDismissalNote`. */
    pointer: string;
    /** The value in the left profile; null if it has none. */
    left: unknown;
    /** The value in the right profile; null if it has none. */
    right: unknown;
  }[];
};

export type ProfileList = {
  /** Built-in profiles, then own ones by name, on one page. */
  profiles: ProfileSummary[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

/** A delivery profile, as the changes that it makes to another one. */
export type ProfileRequest = {
  /** Lower-case letters, digits and hyphens, up to 63 characters. Unique in the workspace. */
  name: string;
  /** The profile that this one changes. Default: `general`. Its revision is fixed now: later revisions of it have no effect. */
  extends?: {
    /** ID or name of the extended profile. */
    profile: string;
    /** Revision of the extended profile. Default: the newest. */
    revision?: number | null | undefined;
  } | null | undefined;
  /** Title for display. Default: the name. */
  title?: string | null | undefined;
  /** What the profile is for. */
  description?: string | null | undefined;
  /** The limits that differ from the extended profile. Limits left out or null are inherited. Issues of a changed limit cite this profile and its revision; for loudness, the `standard` that you name. */
  limits?: LimitChanges | null | undefined;
  /** Rules that are judged otherwise, each at most once. */
  rules?: RuleSetting[] | null | undefined;
  /** The gate: an open issue of this severity or a higher one blocks the asset. */
  failOn?: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO' | null | undefined;
  /** Checks that may be incomplete, by short name: what they did not examine does not stop a pass. By default none. */
  allowIncomplete?: string[] | null | undefined;
  /** Whether dismissing an issue takes a note. */
  requireDismissalNote?: boolean | null | undefined;
  /** Reserved. Always false. */
  requireSecondReviewer?: false | null | undefined;
};

/** One revision of a profile. */
export type ProfileRevision = {
  /** ID of the profile; `profile_id` in paths. */
  profileId: string;
  /** Name of the profile. It can be used in place of the ID. */
  name: string;
  /** Revision of the profile, counted from 1. A revision never changes: each change makes a new one. */
  revision: number;
};

/** A delivery profile without its limits and rules. */
export type ProfileSummary = {
  /** ID of the profile; `profile_id` in paths. */
  profileId: string;
  /** Name of the profile. It can be used in place of the ID. */
  name: string;
  /** Title for display. */
  title: string;
  /** What the profile is for. Can be empty. */
  description: string;
  /** Revision of the profile, counted from 1. A revision never changes: each change makes a new one. */
  revision: number;
  /** Whether every workspace has it. Built-in profiles cannot be changed. */
  isBuiltIn: boolean;
  /** Whether it applies to submissions of this workspace that name no profile. */
  isDefault: boolean;
  /** The revision of the profile that this one changes; null if it has every limit itself. */
  extends: ProfileRevision | null;
  /** The kind of API key that created it. Sandbox keys can change only profiles created with a sandbox key. Null if built in. */
  createdWith: 'live' | 'sandbox' | null;
  /** When the profile was created. Null if built in. */
  createdAt: string | null;
  /** When its newest revision was made. Null if built in. */
  updatedAt: string | null;
};

export type RangeReplayRequest = {
  /** Deliveries created at or after this time. */
  since: string;
  /** Deliveries created before this time. Default: now. */
  until?: string | null | undefined;
  /** Only deliveries with these statuses. Default: `["failed"]`. */
  statuses?: ('succeeded' | 'failed' | 'cancelled')[] | null | undefined;
  /** Only events of these types. Default: all. */
  eventTypes?: ('asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished')[] | null | undefined;
};

export type RangeReplayResult = {
  /** Number of events queued to be sent again, each once; up to 10000, oldest first. */
  enqueued: number;
};

/** Response 429: the rate limit of the bucket is exceeded. */
export type RateLimitRefusal = {
  /** What happened, for humans. The seconds to wait are in the `Retry-After` header. */
  error: string;
};

export type ReplayRequest = Record<string, never>;

/** What applies to a submission, inherited limits and rules included. */
export type ResolvedProfile = {
  /** Every limit. */
  limits: Limits;
  /** Rules that are judged otherwise than by default, by rule code. */
  rules: RuleSetting[];
  /** The gate: an open issue of this severity or a higher one blocks the asset. */
  failOn: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  /** Checks that may be incomplete, by short name: what they did not examine does not stop a pass. By default none. */
  allowIncomplete: string[];
  /** Whether dismissing an issue takes a note. */
  requireDismissalNote: boolean;
};

export type RetryRequest = Record<string, never>;

export type RotatedSecret = {
  /** ID of the subscription; `subscription_id` in paths. */
  subscriptionId: string;
  /** The new secret (`whsec_…`). Shown only once: store it. */
  secret: string;
  /** Until this time, events are also signed with the old secret. */
  previousSecretExpiresAt: string;
};

export type RotationRequest = {
  /** How long events are also signed with the old secret: 0 to 604800 seconds. Default: 86400. */
  graceSeconds?: number | null | undefined;
};

/** How issues of one rule are judged. */
export type RuleSetting = {
  /** Code of the rule, as in the list of checks. */
  ruleCode: string;
  /** Severity of the issues of this rule, or `OFF` to raise none. An issue that the check limits, such as a single caption that is too fast, keeps its lower severity. Not together with `grades`. */
  severity?: 'OFF' | 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO' | null | undefined;
  /** Severity by distance from the limit: the first grade is beyond 0, each other one further and more severe. */
  grades?: ({
    /** Distance of `measured` from `limit`, in the unit of the issue, from which this severity applies. */
    beyond: number;
    /** Severity of an issue at this distance or further. */
    severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
  })[] | null | undefined;
};

/** A check with its rules. */
export type Sidekick = {
  /** ID of the check; `sidekick_id` in paths. */
  sidekickId: string;
  /** Name of the check, for display. */
  name: string;
  /** A stable name such as `loudness`. The CLI and the SDK accept it in place of the ID; `sidekickIds` accepts IDs only. */
  shortName: string;
  /** Version of the check. It changes whenever the same file may get different issues. */
  version: string;
  /** What the check examines, in one or two sentences. */
  description: string;
  /** Categories of files that it can check. For others, and for files with nothing to examine, its outcome is `not_applicable`. */
  appliesTo: ('video' | 'audio' | 'image' | 'document')[];
  /** Whether the check runs when a submission does not specify `sidekickIds`. */
  isDefault: boolean;
  /** What the check tests, rule by rule. */
  rules: ({
    /** Code of the rule, as in `ruleCode` of an issue. */
    ruleCode: string;
    /** Why the rule matters, in one sentence. */
    headline: string;
    /** Severity of most issues of this rule, and of all if it has no `grades`, unless the delivery profile sets another. */
    severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    /** Severity by distance from the limit, nearest first. Left out if all issues of the rule have the same severity. */
    grades?: ({
      /** Distance of `measured` from `limit`, in the unit of the issue, from which this severity applies. */
      beyond: number;
      /** Severity of an issue at this distance or further. */
      severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    })[] | undefined;
    /** The standard behind the rule; null if there is none. An issue names the source of the limit that was applied. */
    standard: Standard | null;
  })[];
};

export type SidekickList = {
  /** Every check, on one page. */
  sidekicks: Sidekick[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

/** Where a rule or its limit comes from: a clause of a published standard, or a delivery profile. */
export type Standard = {
  /** Name of the standard, with its edition; or the delivery profile, as `profile our-podcasts`. */
  name: string;
  /** Clause or section of the standard; or the revision of the delivery profile, as `revision 1`. */
  clause: string;
  /** Whether the makers of this service read the source in the original. False if they know it only as others quote it, and for a standard that your own profile names: check the clause before you rely on it. True for a delivery profile. Null for issues from before this field existed. */
  isVerified: boolean | null;
};

/** A submission and the state of its assets. */
export type Submission = {
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** ID of the latest run in the workflow engine, where the operator can find it. Each retry starts a new run. */
  workflowId: string;
  /** The workspace that the resource belongs to. An API key can access only its own workspace. */
  workspaceId: string;
  /** The kind of API key that created the submission. In `sandbox` mode nothing is analysed. */
  mode: 'live' | 'sandbox';
  /** `complete` when every asset is complete; `failed` when every asset is finished and at least one failed. Stop polling at either. `uploading` is not used. */
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** Mean progress of the assets, rounded down; 100 only if all are complete. A failed submission keeps the progress that it had reached. */
  progressPercent: number;
  /** When the submission was created. */
  createdAt: string;
  /** When the last asset was finished. Null until then; a retry sets it back to null. */
  completedAt: string | null;
  /** How many assets failed, for humans. Null unless the status is `failed`. */
  errorMessage: string | null;
  /** Whether at least one asset can be retried. */
  isRetryable: boolean;
  /** The worst verdict of its assets, in the order `failed`, `not_checked`, `needs_review`, `passed_with_waivers`, `passed`. Null until every asset has one, and in the sandbox. */
  verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
  /** Number of issues by severity, with those left out of the result in all assets. Null until the submission has a verdict, and if no asset is complete. */
  severityCounts: {
    /** Number of CRITICAL issues. */
    critical: number;
    /** Number of MAJOR issues. */
    major: number;
    /** Number of MINOR issues. */
    minor: number;
    /** Number of INFO issues. */
    info: number;
  } | null;
  /** Number of issues by status in all assets. Null until the submission has a verdict, and if no asset is complete. */
  statusCounts: {
    /** Number of issues with the status OPEN. */
    open: number;
    /** Number of issues with the status ACKNOWLEDGED. */
    acknowledged: number;
    /** Number of issues with the status AWAITING_HUMAN_INPUT. */
    awaitingHumanInput: number;
    /** Number of issues with the status RESOLVED. */
    resolved: number;
    /** Number of issues with the status DISMISSED. */
    dismissed: number;
  } | null;
  /** Number of issues that make the verdict `failed` in all assets. Null until the submission has a verdict, and if no asset is complete. */
  blockingCount: number | null;
  /** Number of issues, and of incomplete checks without an issue, that a person has to look at in all assets. Null until the submission has a verdict, and if no asset is complete. */
  reviewCount: number | null;
  /** Number of issues that would otherwise stop a pass and that a caller dismissed or resolved in all assets. Null until the submission has a verdict, and if no asset is complete. */
  waivedCount: number | null;
  profile: PinnedProfile;
  /** The metadata sent when the submission was created; empty if none was sent. */
  metadata: Record<string, unknown>;
  /** The assets, in the order of the request. */
  assets: AssetStatus[];
};

export type SubmissionList = {
  /** The submissions of this page, newest first. */
  submissions: Submission[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

export type SubmissionRequest = {
  /** The files to analyse. Each can be submitted once per request. */
  assets: ({
    /** The `blobPath` that the upload returned, up to 2048 bytes in UTF-8. The file must be uploaded completely. */
    blobPath: string;
    /** The submission that contains the previous version of this asset. */
    previousSubmissionId?: string | null | undefined;
  })[];
  /** Checks to run. Default: all default checks that apply to the file. An empty list runs no checks. */
  sidekickIds?: string[] | null | undefined;
  /** Your own data about the submission, returned with it. `clientReference` is also sent in events, and `assay` selects the delivery profile. */
  metadata?: Metadata | null | undefined;
};

/** Data of a `submission.updated` message: the current state of the submission, without its assets. */
export type SubmissionUpdate = {
  /** ID of the submission; `submission_id` in paths. */
  submissionId: string;
  /** ID of the latest run in the workflow engine, where the operator can find it. Each retry starts a new run. */
  workflowId: string;
  /** The workspace that the resource belongs to. An API key can access only its own workspace. */
  workspaceId: string;
  /** The kind of API key that created the submission. In `sandbox` mode nothing is analysed. */
  mode: 'live' | 'sandbox';
  /** `complete` when every asset is complete; `failed` when every asset is finished and at least one failed. Stop polling at either. `uploading` is not used. */
  status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
  /** Mean progress of the assets, rounded down; 100 only if all are complete. A failed submission keeps the progress that it had reached. */
  progressPercent: number;
  /** When the submission was created. */
  createdAt: string;
  /** When the last asset was finished. Null until then; a retry sets it back to null. */
  completedAt: string | null;
  /** How many assets failed, for humans. Null unless the status is `failed`. */
  errorMessage: string | null;
  /** Whether at least one asset can be retried. */
  isRetryable: boolean;
  /** The worst verdict of its assets, in the order `failed`, `not_checked`, `needs_review`, `passed_with_waivers`, `passed`. Null until every asset has one, and in the sandbox. */
  verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
  /** Number of issues by severity, with those left out of the result in all assets. Null until the submission has a verdict, and if no asset is complete. */
  severityCounts: {
    /** Number of CRITICAL issues. */
    critical: number;
    /** Number of MAJOR issues. */
    major: number;
    /** Number of MINOR issues. */
    minor: number;
    /** Number of INFO issues. */
    info: number;
  } | null;
  /** Number of issues by status in all assets. Null until the submission has a verdict, and if no asset is complete. */
  statusCounts: {
    /** Number of issues with the status OPEN. */
    open: number;
    /** Number of issues with the status ACKNOWLEDGED. */
    acknowledged: number;
    /** Number of issues with the status AWAITING_HUMAN_INPUT. */
    awaitingHumanInput: number;
    /** Number of issues with the status RESOLVED. */
    resolved: number;
    /** Number of issues with the status DISMISSED. */
    dismissed: number;
  } | null;
  /** Number of issues that make the verdict `failed` in all assets. Null until the submission has a verdict, and if no asset is complete. */
  blockingCount: number | null;
  /** Number of issues, and of incomplete checks without an issue, that a person has to look at in all assets. Null until the submission has a verdict, and if no asset is complete. */
  reviewCount: number | null;
  /** Number of issues that would otherwise stop a pass and that a caller dismissed or resolved in all assets. Null until the submission has a verdict, and if no asset is complete. */
  waivedCount: number | null;
  profile: PinnedProfile;
  /** The metadata sent when the submission was created; empty if none was sent. */
  metadata: Record<string, unknown>;
};

/** A webhook subscription, without its secret. */
export type Subscription = {
  /** ID of the subscription; `subscription_id` in paths. */
  subscriptionId: string;
  /** The workspace that the resource belongs to. An API key can access only its own workspace. */
  workspaceId: string;
  /** Where the events are sent. */
  url: string;
  /** Your own text about the subscription; null if there is none. */
  description: string | null;
  /** The event types that the subscription receives. */
  eventTypes: ('asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished')[];
  /** Whether events are sent. If false, `disabledReason` says why not. */
  isActive: boolean;
  /** Subscriptions with `all` or `live` receive the events of live submissions, those with `sandbox` do not. Events fired in the sandbox are sent in every mode. */
  mode: 'all' | 'live' | 'sandbox';
  /** The kind of key that created the subscription. Sandbox keys cannot change subscriptions created with a live key. */
  createdWith: 'live' | 'sandbox';
  /** How many requests per second the receiver gets at most; null for no limit. */
  maxRequestsPerSecond: number | null;
  /** Why the subscription is inactive: `isActive` was set to false (`manual`), no attempt succeeded for days (`consecutive_failures`), the receiver responded with 410 (`gone`), or the URL resolved to an address that is not allowed (`blocked_address`). Null if it is active. */
  disabledReason: 'manual' | 'consecutive_failures' | 'gone' | 'blocked_address' | null;
  /** When the subscription became inactive; null if it is active. */
  disabledAt: string | null;
  /** Number of failed attempts since the last success or reactivation. */
  consecutiveFailureCount: number;
  /** Time of the latest attempt, to within a second; null before the first. Test events do not count. */
  lastDeliveryAt: string | null;
  /** Time of the latest successful attempt, to within a second; null before the first. */
  lastSuccessAt: string | null;
  /** When the subscription was created. */
  createdAt: string;
  /** When the settings or the secret were last changed. */
  updatedAt: string;
};

export type SubscriptionChange = {
  /** An https URL without credentials that resolves to public addresses, or to networks the operator allows. */
  url?: string | null | undefined;
  /** The event types to receive. Duplicates are ignored. */
  eventTypes?: ('asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished')[] | null | undefined;
  /** A text for your own use. Null removes it. */
  description?: string | null | undefined;
  /** Subscriptions with `all` or `live` receive the events of live submissions, those with `sandbox` do not. Events fired in the sandbox are sent in every mode. */
  mode?: 'all' | 'live' | 'sandbox' | null | undefined;
  /** How many requests per second the receiver gets at most. Null removes the limit. */
  maxRequestsPerSecond?: number | null | undefined;
  /** False deactivates the subscription and cancels its pending deliveries. True reactivates it, whatever the `disabledReason`. */
  isActive?: boolean | null | undefined;
};

export type SubscriptionList = {
  /** The subscriptions of this page, oldest first. */
  subscriptions: Subscription[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

export type SubscriptionRequest = {
  /** An https URL without credentials that resolves to public addresses, or to networks the operator allows. */
  url: string;
  /** The event types to receive. Duplicates are ignored. */
  eventTypes: ('asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished')[];
  /** A text for your own use, such as the name of the receiver. */
  description?: string | null | undefined;
  /** Subscriptions with `all` or `live` receive the events of live submissions, those with `sandbox` do not. Events fired in the sandbox are sent in every mode. Default: `all`. */
  mode?: 'all' | 'live' | 'sandbox' | null | undefined;
  /** How many requests per second the receiver gets at most. Default: no limit. */
  maxRequestsPerSecond?: number | null | undefined;
};

export type TestRequest = Record<string, never>;

export type Ticket = {
  /** Send it as `ticket` together with `channel`. Keep it secret, like an API key. */
  ticket: string;
  /** The channel that the ticket opens, as in the request. */
  channel: string;
  /** The stream must be opened before this time; it can stay open longer. */
  expiresAt: string;
};

export type TicketRequest = {
  /** `realtimeChannel` of a submission or, with a sandbox key, `webhooks.<workspaceId>`, which streams every event as it would be delivered. */
  channel: string;
};

export type Topics = {
  /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
  assetId: string;
  /** Groups of issues that have the same cause, the most severe first. Empty if no issues are related. */
  topics: ({
    /** ID of the topic. The same issues of an asset always form a topic with the same ID. */
    id: string;
    /** What the issues are about, or their common cause if it is known, how many there are, and where. */
    title: string;
    /** The summary of the most severe issue, and how many more there are. */
    summary: string;
    /** The highest severity of its issues. */
    severity: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    /** Number of issues in the topic. */
    issueCount: number;
    /** IDs of its issues, ordered by reference number. */
    issueIds: string[];
    /** The same issues in compact form. */
    issues: CompactIssue[];
    /** The rules of its issues, each once. */
    ruleCodes: string[];
    /** The checks that found its issues, each once. */
    sidekickIds: string[];
  })[];
  /** The issues that belong to no topic, the most severe first. */
  orphanIssues: CompactIssue[];
  /** How the issues were grouped, and counts. */
  metadata: {
    /** When the issues were grouped, which is when the asset was completed. */
    generatedAt: string;
    /** Name of the method that groups the issues. */
    algorithm: string;
    /** Version of the method. It changes whenever the same issues may be grouped differently. */
    algorithmVersion: string;
    /** Number of issues of the asset. */
    totalIssueCount: number;
    /** Number of topics. */
    topicCount: number;
    /** Number of issues that belong to a topic. */
    clusteredIssueCount: number;
    /** Number of issues in `orphanIssues`. */
    orphanIssueCount: number;
  };
};

export type UploadCompleteRequest = {
  /** The `blobPath` that the upload returned, unchanged; up to 2048 bytes in UTF-8. */
  blobPath: string;
  /** Number of parts, 1 to 1024. Every part except the last must have at least 5 MiB. */
  partCount: number;
};

/** URLs that accept the parts of one file. */
export type UploadParts = {
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
  /** The URLs accept parts until this time, one hour after they were issued. */
  expiresAt: string;
  /** Method of the request to object storage. */
  method: 'PUT';
  /** Headers to send with each part. Often there are none. */
  headers: {
    /** Name of the header. */
    name: string;
    /** Value of the header. */
    value: string;
  }[];
  /** One URL for each part, in order. */
  parts: ({
    /** Position of the part in the file, from 1. */
    partNumber: number;
    /** Send this part here, without the API key. */
    uploadUrl: string;
    /** Size of the part if it is already stored; null if it is not. */
    sizeBytes: number | null;
  })[];
};

export type UploadPartsRequest = {
  /** The `blobPath` that the upload returned, unchanged; up to 2048 bytes in UTF-8. */
  blobPath: string;
  /** Number of parts, 1 to 1024. Every part except the last must have at least 5 MiB. */
  partCount: number;
  /** SHA-256 of the file, as 64 hexadecimal digits. If the stored file has another hash, its asset fails with `content_mismatch` and is not checked. */
  contentSha256?: string | null | undefined;
};

export type UploadRenewRequest = {
  /** The `blobPath` that the upload returned, unchanged; up to 2048 bytes in UTF-8. */
  blobPath: string;
  /** Exact size of the file in bytes. The upload counts against the storage quota with this size, and without it with the largest of its category until the file is stored. A larger file than the category allows is refused at once. A submission is refused if the stored file has another size (`size_mismatch`); with storage in S3, the URL accepts only a file of this size. */
  sizeBytes?: number | null | undefined;
  /** SHA-256 of the file, as 64 hexadecimal digits. If the stored file has another hash, its asset fails with `content_mismatch` and is not checked. */
  contentSha256?: string | null | undefined;
};

/** A URL that accepts one file. */
export type UploadUrl = {
  /** PUT the file here with the header `x-ms-blob-type: BlockBlob`. */
  uploadUrl: string;
  /** Storage path of the file: `<workspace_id>/<uuid>-<filename>`. Use it unchanged. */
  blobPath: string;
  /** The URL accepts the file until this time, one hour after it was issued. */
  expiresAt: string;
  /** Method of the request to object storage. */
  method: 'PUT';
  /** Headers to send with the file. Those that this storage does not need are left out; sending `x-ms-blob-type: BlockBlob` is always right. */
  headers: {
    /** Name of the header. */
    name: string;
    /** Value of the header. */
    value: string;
  }[];
};

export type UploadUrlRequest = {
  /** Original file name, up to 255 bytes in UTF-8 after normalisation to NFC, and 1024 as sent. */
  filename: string;
  /** MIME type of the file; parameters and case are ignored. */
  contentType: string;
  /** Exact size of the file in bytes. The upload counts against the storage quota with this size, and without it with the largest of its category until the file is stored. A larger file than the category allows is refused at once. A submission is refused if the stored file has another size (`size_mismatch`); with storage in S3, the URL accepts only a file of this size. */
  sizeBytes?: number | null | undefined;
  /** SHA-256 of the file, as 64 hexadecimal digits. If the stored file has another hash, its asset fails with `content_mismatch` and is not checked. */
  contentSha256?: string | null | undefined;
};

export type VerdictChangedEvent = {
  /** ID of the event: the same for every attempt and replay; also sent in the `webhook-id` header. */
  id: string;
  /** When the event occurred. */
  timestamp: string;
  /** False for events fired in the sandbox and for test events. */
  livemode: boolean;
  /** The event type. */
  type: 'asset.verdict.changed';
  /** The asset and its new verdict. Its members are in snake_case. */
  data: {
    /** The asset that the event is about. */
    asset_id: string;
    /** The submission that contains the asset. */
    submission_id: string;
    /** The workspace of the submission. */
    workspace_id: string;
    /** Shared by all versions of one asset. */
    version_group_id: string;
    /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
    version_number: number;
    /** How often the asset had been retried. */
    retry_count: number;
    /** `metadata.clientReference` of the submission, if it is a string of up to 200 characters. */
    client_reference?: string | undefined;
    /** The verdict before the change. Null for test events. */
    previous_verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
    /** What the delivery profile says of the asset. Null for fired events and test events. */
    verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
    /** Number of issues by severity. Null if nothing was analysed. */
    severity_counts: {
      /** Number of CRITICAL issues. */
      critical: number;
      /** Number of MAJOR issues. */
      major: number;
      /** Number of MINOR issues. */
      minor: number;
      /** Number of INFO issues. */
      info: number;
    } | null;
    /** Number of issues by status. Null if nothing was analysed. */
    status_counts: {
      /** Number of issues with the status OPEN. */
      open: number;
      /** Number of issues with the status ACKNOWLEDGED. */
      acknowledged: number;
      /** Number of issues with the status AWAITING_HUMAN_INPUT. */
      awaiting_human_input: number;
      /** Number of issues with the status RESOLVED. */
      resolved: number;
      /** Number of issues with the status DISMISSED. */
      dismissed: number;
    } | null;
    /** Number of issues that make the verdict `failed`. Null if nothing was analysed. */
    blocking_count: number | null;
    /** Number of issues and incomplete checks that a person has to look at. Null if nothing was analysed. */
    review_count: number | null;
    /** Number of issues that a caller has waived. Null if nothing was analysed. */
    waived_count: number | null;
    /** The delivery profile of the submission. Null for fired events and test events. */
    profile: {
      /** Name of the delivery profile. */
      name: string;
      /** Its revision. */
      revision: number;
      /** The severity from which an open issue makes the verdict `failed`. */
      fail_on: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO';
    } | null;
    /** What changed the verdict: a `decision` on an issue. More causes may be added. */
    cause: 'decision';
    /** The issue that was decided. Reading it gives the decision. */
    issue_id: string;
    /** Who decided. */
    actor: {
      /** What kind of actor decided. */
      kind: 'api_key' | 'person' | 'operator' | 'service' | 'unknown';
      /** ID of the API key, not the key itself; null if unknown. */
      id: string | null;
    };
    /** When the decision was made. */
    changed_at: string;
  };
};

export type VersionList = {
  /** The submission in the path. */
  submissionId: string;
  /** Ordered by `versionGroupId`, then by `versionNumber`. */
  versions: ({
    /** ID of the asset; `asset_id` in paths. Each version of a file is an asset with its own ID. */
    assetId: string;
    /** Shared by all versions of one asset. */
    versionGroupId: string;
    /** Counts the versions of an asset from 1. The number of a deleted version is not reused. */
    versionNumber: number;
    /** The submission that contains this version. */
    submissionId: string;
    /** The kind of API key that created the submission. In `sandbox` mode nothing is analysed. */
    mode: 'live' | 'sandbox';
    /** Name of the file, as given when it was uploaded. */
    filename: string;
    /** Status of this version. When `complete`, results are available. */
    status: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed';
    /** Number of issues. Null if there is no result: the asset is not finished, it failed, or it was only simulated in the sandbox. */
    issueCount: number | null;
    /** What the delivery profile says of this asset: `failed` (an issue at or above its `failOn`), `not_checked` (the asset failed, or no check applies), `needs_review` (an issue awaits review, or a check is incomplete), `passed_with_waivers` or `passed`. Null until the asset is complete or failed, and in the sandbox. */
    verdict: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | null;
    /** Number of issues by severity, with those left out of the result. Null if `issueCount` is null. */
    severityCounts: {
      /** Number of CRITICAL issues. */
      critical: number;
      /** Number of MAJOR issues. */
      major: number;
      /** Number of MINOR issues. */
      minor: number;
      /** Number of INFO issues. */
      info: number;
    } | null;
    /** Number of issues by status. Null if `issueCount` is null. */
    statusCounts: {
      /** Number of issues with the status OPEN. */
      open: number;
      /** Number of issues with the status ACKNOWLEDGED. */
      acknowledged: number;
      /** Number of issues with the status AWAITING_HUMAN_INPUT. */
      awaitingHumanInput: number;
      /** Number of issues with the status RESOLVED. */
      resolved: number;
      /** Number of issues with the status DISMISSED. */
      dismissed: number;
    } | null;
    /** Number of issues that make the verdict `failed`. Null if `issueCount` is null. */
    blockingCount: number | null;
    /** Number of issues, and of incomplete checks without an issue, that a person has to look at. Null if `issueCount` is null. */
    reviewCount: number | null;
    /** Number of issues that would otherwise stop a pass and that a caller dismissed or resolved. Null if `issueCount` is null. */
    waivedCount: number | null;
    /** When this version was submitted. */
    createdAt: string;
    /** When the asset became `complete` or `failed`. Null until then; a retry sets it back to null. */
    completedAt: string | null;
  })[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
  /** Whether there is a next page; if so, `nextCursor` is set. */
  hasMore: boolean;
};

/** Every error code. Responses with 402 and 429 have none: the client gives them the last two. */

export type RefusalCode =
  | 'malformed_request'
  | 'simulation_needs_sandbox_key'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'invalid_ticket'
  | 'invalid_filename'
  | 'invalid_blob_path'
  | 'insufficient_scope'
  | 'sandbox_only'
  | 'live_submission'
  | 'live_subscription'
  | 'live_upload'
  | 'live_profile'
  | 'live_key'
  | 'submission_not_found'
  | 'asset_not_found'
  | 'previous_submission_not_found'
  | 'asset_not_ready'
  | 'asset_failed'
  | 'issue_not_found'
  | 'evidence_not_found'
  | 'sidekick_not_found'
  | 'profile_not_found'
  | 'subscription_not_found'
  | 'delivery_not_found'
  | 'key_not_found'
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
  | 'key_limit_reached'
  | 'key_revoked'
  | 'profile_limit_reached'
  | 'revision_limit_reached'
  | 'profile_name_taken'
  | 'profile_is_default'
  | 'built_in_profile'
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
  | 'size_mismatch'
  | 'storage_quota_reached'
  | 'parts_missing'
  | 'part_too_small'
  | 'duplicate_blob_path'
  | 'ambiguous_previous_version'
  | 'duplicate_previous_version'
  | 'unknown_sidekick'
  | 'unknown_profile'
  | 'note_required'
  | 'url_not_allowed'
  | 'idempotency_key_reused'
  | 'request_headers_too_large'
  | 'internal_error'
  | 'storage_unavailable'
  | 'service_unavailable'
  | 'tier_not_authorized_for_integrations_api'
  | 'rate_limited';

/** Every endpoint: its path parameters in order, its query, its body and its response. */

export type Operations = {
  createUploadUrl: {
    params: [];
    body: UploadUrlRequest;
    response: UploadUrl;
  };
  renewUploadUrl: {
    params: [];
    body: UploadRenewRequest;
    response: UploadUrl;
  };
  createUploadParts: {
    params: [];
    body: UploadPartsRequest;
    response: UploadParts;
  };
  completeUploadParts: {
    params: [];
    body: UploadCompleteRequest;
    response: CompletedUpload;
  };
  uploadDirect: {
    params: [];
    body: FormData;
    response: DirectUpload;
  };
  createSubmission: {
    params: [];
    query: {
      /** Sandbox key only: seconds until the submission is complete. */
      simulationDelaySeconds?: number | null | undefined;
    };
    body: SubmissionRequest;
    response: CreatedSubmission;
  };
  listSubmissions: {
    params: [];
    query: {
      /** Only submissions in one of these states. Can be repeated. */
      status?: 'uploading' | 'submitted' | 'processing' | 'complete' | 'failed' | ('uploading' | 'submitted' | 'processing' | 'complete' | 'failed')[] | undefined;
      /** Live or sandbox submissions, or `all`. Default: the mode of the API key. */
      mode?: 'live' | 'sandbox' | 'all' | undefined;
      /** Only submissions with one of these verdicts. Can be repeated. */
      verdict?: 'failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed' | ('failed' | 'not_checked' | 'needs_review' | 'passed_with_waivers' | 'passed')[] | undefined;
      /** Only submissions with this delivery profile, by ID or by name, whatever its revision. */
      profile?: string | undefined;
      /** Only submissions whose `metadata.clientReference` is exactly this string. */
      clientReference?: string | undefined;
      /** Only submissions with a file whose name begins with this text, in upper or lower case. They are listed by file name, and by creation, newest first, if the names are equal. Cannot be combined with `status`, `verdict`, `profile` and `clientReference`. */
      filename?: string | undefined;
      /** Only items created after this time. */
      createdAfter?: string | undefined;
      /** Only items created before this time. */
      createdBefore?: string | undefined;
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    response: SubmissionList;
  };
  getSubmission: {
    params: [submissionId: string];
    response: Submission;
  };
  deleteSubmission: {
    params: [submissionId: string];
    response: undefined;
  };
  cancelSubmission: {
    params: [submissionId: string];
    response: Submission;
  };
  retryAsset: {
    params: [submissionId: string, assetId: string];
    body: RetryRequest;
    response: CreatedSubmission;
  };
  listVersions: {
    params: [submissionId: string];
    query: {
      /** Items per page: 1 to 1000. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    response: VersionList;
  };
  getAsset: {
    params: [submissionId: string, assetId: string];
    response: AssetResult;
  };
  listIssues: {
    params: [submissionId: string, assetId: string];
    query: {
      /** Only issues of these severities. Can be repeated. */
      severity?: 'CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO' | ('CRITICAL' | 'MAJOR' | 'MINOR' | 'INFO')[] | undefined;
      /** Only issues with these statuses. Can be repeated. */
      status?: 'OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED' | ('OPEN' | 'ACKNOWLEDGED' | 'AWAITING_HUMAN_INPUT' | 'RESOLVED' | 'DISMISSED')[] | undefined;
      /** Only issues that these checks found. Can be repeated. */
      sidekickId?: string | string[] | undefined;
      /** Only issues of these rules. Can be repeated. */
      ruleCode?: string | string[] | undefined;
      /** Items per page: 1 to 1000. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    response: IssueList;
  };
  getIssue: {
    params: [submissionId: string, assetId: string, issueId: string];
    response: IssueDetail;
  };
  updateIssue: {
    params: [submissionId: string, assetId: string, issueId: string];
    body: IssueStatusRequest;
    response: Issue;
  };
  getEvidence: {
    params: [submissionId: string, assetId: string, issueId: string, n: number];
    response: Uint8Array;
  };
  getPoster: {
    params: [submissionId: string, assetId: string];
    response: Uint8Array;
  };
  getMeasurements: {
    params: [submissionId: string, assetId: string];
    response: Measurements;
  };
  getTopics: {
    params: [submissionId: string, assetId: string];
    response: Topics;
  };
  getChanges: {
    params: [submissionId: string, assetId: string];
    response: Changes;
  };
  openRealtime: {
    params: [];
    query: {
      /** `realtimeChannel` of a submission or, with a sandbox key, `webhooks.<workspaceId>`, which streams every event as it would be delivered. */
      channel: string;
      /** Replaces the `X-API-Key` header for clients that cannot send headers. */
      ticket?: string | undefined;
    };
    response: ReadableStream<Uint8Array>;
  };
  createTicket: {
    params: [];
    body: TicketRequest;
    response: Ticket;
  };
  listSidekicks: {
    params: [];
    response: SidekickList;
  };
  getSidekick: {
    params: [sidekickId: string];
    response: Sidekick;
  };
  listProfiles: {
    params: [];
    response: ProfileList;
  };
  createProfile: {
    params: [];
    body: ProfileRequest;
    response: Profile;
  };
  getProfile: {
    params: [profileId: string];
    query: {
      /** The revision to read. Default: the newest. */
      revision?: number | undefined;
    };
    response: Profile;
  };
  updateProfile: {
    params: [profileId: string];
    body: ProfileChange;
    response: Profile;
  };
  deleteProfile: {
    params: [profileId: string];
    response: undefined;
  };
  compareProfiles: {
    params: [profileId: string];
    query: {
      /** ID or name of the other profile. */
      with: string;
      /** Revision of the profile in the path. Default: the newest. */
      revision?: number | undefined;
      /** Revision of the other profile. Default: the newest. */
      withRevision?: number | undefined;
    };
    response: ProfileComparison;
  };
  createSubscription: {
    params: [];
    body: SubscriptionRequest;
    response: CreatedSubscription;
  };
  listSubscriptions: {
    params: [];
    query: {
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    response: SubscriptionList;
  };
  getSubscription: {
    params: [subscriptionId: string];
    response: Subscription;
  };
  updateSubscription: {
    params: [subscriptionId: string];
    body: SubscriptionChange;
    response: Subscription;
  };
  deleteSubscription: {
    params: [subscriptionId: string];
    response: undefined;
  };
  rotateSecret: {
    params: [subscriptionId: string];
    body: RotationRequest;
    response: RotatedSecret;
  };
  testSubscription: {
    params: [subscriptionId: string];
    body: TestRequest;
    response: DeliveryAttempt;
  };
  listDeliveries: {
    params: [subscriptionId: string];
    query: {
      /** Only deliveries with these statuses. Can be repeated. */
      status?: 'pending' | 'succeeded' | 'failed' | 'cancelled' | ('pending' | 'succeeded' | 'failed' | 'cancelled')[] | undefined;
      /** Only events of these types. Can be repeated. */
      eventType?: 'asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished' | ('asset.processing.completed' | 'asset.processing.failed' | 'asset.verdict.changed' | 'submission.processing.finished')[] | undefined;
      /** Only items created after this time. */
      createdAfter?: string | undefined;
      /** Only items created before this time. */
      createdBefore?: string | undefined;
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    response: DeliveryList;
  };
  getDelivery: {
    params: [subscriptionId: string, deliveryId: string];
    response: DeliveryDetail;
  };
  replayDelivery: {
    params: [subscriptionId: string, deliveryId: string];
    body: ReplayRequest;
    response: Delivery;
  };
  replayDeliveries: {
    params: [subscriptionId: string];
    body: RangeReplayRequest;
    response: RangeReplayResult;
  };
  listEventTypes: {
    params: [];
    response: EventTypeList;
  };
  fireEvents: {
    params: [];
    body: FireRequest;
    response: FireResult;
  };
  getMe: {
    params: [];
    response: Me;
  };
  listKeys: {
    params: [];
    query: {
      /** Items per page: 1 to 100. */
      limit?: number | undefined;
      /** `nextCursor` of the previous page, unchanged. */
      cursor?: string | undefined;
    };
    response: KeyList;
  };
  createKey: {
    params: [];
    body: KeyRequest;
    response: CreatedKey;
  };
  getKey: {
    params: [keyId: string];
    response: ApiKey;
  };
  updateKey: {
    params: [keyId: string];
    body: KeyChange;
    response: ApiKey;
  };
  revokeKey: {
    params: [keyId: string];
    response: undefined;
  };
};

/** Method, path, and whether it takes an `Idempotency-Key`. */

export const operations = {
  createUploadUrl: ['POST', '/uploads/url'],
  renewUploadUrl: ['POST', '/uploads/renew'],
  createUploadParts: ['POST', '/uploads/parts'],
  completeUploadParts: ['POST', '/uploads/parts/complete'],
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
  getPoster: ['GET', '/submissions/{}/assets/{}/poster'],
  getMeasurements: ['GET', '/submissions/{}/assets/{}/measurements'],
  getTopics: ['GET', '/submissions/{}/assets/{}/topics'],
  getChanges: ['GET', '/submissions/{}/assets/{}/changes'],
  openRealtime: ['GET', '/realtime'],
  createTicket: ['POST', '/realtime/tickets'],
  listSidekicks: ['GET', '/sidekicks'],
  getSidekick: ['GET', '/sidekicks/{}'],
  listProfiles: ['GET', '/profiles'],
  createProfile: ['POST', '/profiles', true],
  getProfile: ['GET', '/profiles/{}'],
  updateProfile: ['PATCH', '/profiles/{}'],
  deleteProfile: ['DELETE', '/profiles/{}'],
  compareProfiles: ['GET', '/profiles/{}/compare'],
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
  listKeys: ['GET', '/keys'],
  createKey: ['POST', '/keys'],
  getKey: ['GET', '/keys/{}'],
  updateKey: ['PATCH', '/keys/{}'],
  revokeKey: ['DELETE', '/keys/{}'],
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

/** Accepted files by category: their maximum size and extensions. */

export const acceptedFiles = {
  video: { bytesMax: 5368709120, extensions: ['mp4', 'm4v', 'mov', 'qt', 'webm', 'mkv', 'avi', 'mpg', 'mpeg', 'ts', 'mts', 'm2ts', '3gp', 'mxf'] },
  audio: { bytesMax: 524288000, extensions: ['mp3', 'm4a', 'aac', 'wav', 'flac', 'ogg', 'oga', 'opus', 'aiff', 'aif'] },
  image: { bytesMax: 52428800, extensions: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'tiff', 'tif', 'bmp', 'heic', 'heif', 'avif'] },
  document: { bytesMax: 104857600, extensions: ['pdf', 'docx', 'pptx', 'xlsx', 'txt', 'vtt', 'srt'] },
};

