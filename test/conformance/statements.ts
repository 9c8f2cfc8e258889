/**
 * What the integration interface commands, sentence by sentence, in our words: section and letter → statement.
 * A test that guards one names it in its title (`§4.3c`). `open` is what no route answers yet.
 */
export type Statement = string | { open: string };

const open = (words: string): Statement => ({ open: words });

export const statements: Record<string, Statement> = {
  '0a': 'All paths stand below /api/integrations; the same answers are given below /api/v1/integrations.',

  '1a': 'A file goes up by a presigned URL straight to storage, or directly through the service.',
  '1b': 'Each upload yields a blobPath, and a submission references one or more of them.',
  '1c': 'Each asset of a submission is analysed independently.',
  '1d': 'Issues can be read per asset, as a flat list and as clustered topics.',
  '1e': 'Progress is observed by polling the submission.',
  '1f': 'Failed assets can be retried when they are flagged retryable.',
  '1g': 'An asset can be resubmitted as a new version that references the earlier submission.',
  '1h': 'The kind of key alone selects the sandbox, which processes nothing and spends no credits.',
  '1i': 'The workspace comes from the API key, and every resource is scoped to it.',
  '1j': open('Progress is observed through webhook events.'),
  '1k': 'Each asset ends with a list of issues.',

  '2a': 'JSON members are camelCase; what the interface spells otherwise (402, event data) is as it spells it.',
  '2b': 'Identifiers are strings, and those marked uuid are UUIDs.',
  '2c': open('Webhook event data is snake_case.'),

  '2.1a': 'A submission has all its members, each of its type.',
  '2.1b': 'Its identifier is named submissionId, never id.',
  '2.1c': 'completedAt is null until it is finished.',
  '2.1d': 'The status of a submission or an asset is one of uploading, submitted, processing, complete, failed.',
  '2.1e': 'workspaceId is the workspace that owns it, workflowId the id of its job.',
  '2.1f': 'progressPercent is an integer that follows the processing.',
  '2.1g': 'Timestamps are ISO 8601.',
  '2.1h': 'Its errorMessage and isRetryable speak of the submission as a whole.',

  '2.2a': 'An asset status has all its members, each of its type.',
  '2.2b': 'versionNumber starts at 1.',
  '2.2c': 'issueCount is null until results exist.',
  '2.2d': 'Failure fields are flat: errorMessage and errorType, no nested error object.',
  '2.2e': 'isRetryable is true when the asset may be retried.',
  '2.2f': 'retryCount is the number of retries so far.',
  '2.2g': 'versionGroupId groups all versions of one asset.',

  '2.3a': 'An asset result has assetId, submissionId, filename, status and issues, each of its type.',
  '2.3b': 'mimeType, issueCount, versionNumber (1 by default) and versionGroupId come with it.',
  '2.3c': 'filename is the original one, submissionId the parent.',
  '2.3d': 'issueCount is the total of the issues found.',

  '2.4a': 'An issue has all its members, each of its type.',
  '2.4b': 'severity is one of CRITICAL, MAJOR, MINOR, INFO.',
  '2.4c': 'status is one of OPEN, ACKNOWLEDGED, AWAITING_HUMAN_INPUT, RESOLVED, DISMISSED.',
  '2.4d': 'A precedent has url, title, decision and date, all strings.',
  '2.4e': 'A compact issue carries at least id, referenceNumber, ruleCode, summary, severity and status.',
  '2.4f': 'sidekickId is the sidekick that raised the issue, ruleCode one of its rules.',

  '2.5a': 'An upload URL result has uploadUrl, blobPath shaped `<workspace_id>/<filename>`, and expiresAt.',
  '2.5b': 'A direct upload result has blobPath, sizeBytes and contentType.',
  '2.5c': 'A topics result has assetId, topics, orphanIssues and metadata.',
  '2.5d': 'A topic groups two or more issues; issues without a topic are normal.',
  '2.5e': 'Submission metadata is an optional free-form object.',
  '2.5f': open('A webhook subscription has eventTypes, a delivery history, and is active or inactive.'),
  '2.5g': 'A sidekick is referenced by its UUID.',

  '3a': 'A newly created submission reports submitted.',
  '3b': 'It is processing while its assets are analysed.',
  '3c': 'It is complete when all assets were analysed successfully.',
  '3d': 'It is failed when one or more assets failed.',
  '3e': 'complete and failed are terminal for polling.',
  '3f': 'A retry of a failed, retryable asset is accepted.',

  '4a': 'Every endpoint requires the X-API-Key header, else 401.',
  '4b': 'Every endpoint counts against its rate-limit bucket.',

  '4.1a': 'It answers 200 with uploadUrl, blobPath and expiresAt.',
  '4.1b': 'An empty filename, or another shape, is 422.',
  '4.1c': 'A content type outside the allowlist is 415.',
  '4.1d': 'The URL expires 1 hour after issue.',
  '4.1e': 'An invalid filename is 403.',
  '4.1f': 'The bytes are PUT to uploadUrl with x-ms-blob-type: BlockBlob and without a key.',

  '4.2a': 'It takes multipart/form-data with one file part named file and answers 201.',
  '4.2b': 'An invalid filename is 403.',
  '4.2c': 'A file over 10 MB is 413, and the message points to the presigned-URL flow.',
  '4.2d': 'A type that is not allowed, or does not match the bytes, is 415.',
  '4.2e': 'Another shape of body is 422.',
  '4.2f': 'A server error is 500.',

  '4.3a': 'simulationDelaySeconds is an integer from 0 to 30 or null, 0 by default.',
  '4.3b': 'assets has at least one element.',
  '4.3c': 'Asset objects accept only blobPath and previousSubmissionId.',
  '4.3d': 'sidekickIds is a list of UUIDs; an empty one means none.',
  '4.3e': 'metadata is free-form.',
  '4.3f': 'It answers 201 with submissionId, workflowId, realtimeChannel, status and assets with their versions.',
  '4.3g': 'simulationDelaySeconds with a live key is 400.',
  '4.3h': 'A blob path that fails validation is 403.',
  '4.3i': 'A previousSubmissionId that is not in the workspace is 404.',
  '4.3j': 'A blob over the size cap of its category is 413.',
  '4.3k': 'Bytes that do not match the declared type, or a type that is not allowed, are 415.',
  '4.3l': 'A request that fails validation is 422.',
  '4.3m': 'Every asset must have been uploaded before.',
  '4.3n': 'assets and their blobPath are required.',
  '4.3o': 'previousSubmissionId is optional, and makes the asset a new version.',
  '4.3p': 'File name and content type are those of the upload step.',

  '4.4a': 'submission_id is a UUID.',
  '4.4b': 'It answers 200 with the submission and its asset statuses.',
  '4.4c': 'There is no /status suffix.',
  '4.4d': 'A submission that is not in the workspace is 404.',

  '4.5a': 'submission_id and asset_id are UUIDs.',
  '4.5b': 'It answers 200 with the asset result, and there is no /results suffix.',

  '4.6a': 'It returns the flat list of the issues of the asset, each with all that is known of it.',
  '4.6b': 'It is 404 until the asset has finished processing.',

  '4.7a': 'It returns the clustered topics.',
  '4.7b': 'It is 404 until the asset has finished processing.',

  '4.8a': 'A retry of a retryable asset is accepted with 202, in the shape of the creation.',
  '4.8b': '409 when the asset has not failed, is not retryable, has no attempts left, or is being retried.',

  '4.9a': 'It lists all versions.',

  '4.10a': open('Fire dispatches one event per asset to every active subscription of its type, and counts them.'),
  '4.10b': open('Fire is 403 with a live key, 404 for an unknown submission, 422 for a malformed body.'),
  '4.10c': open('errorMessage is used for failed events only, and defaults to the documented text.'),
  '4.10d': open('Fire processes nothing and spends no credits.'),

  '4.11a': open('Subscriptions can be created, updated, deleted and listed, and their delivery history read.'),

  '5a': 'Every request carries X-API-Key with a key of the workspace.',
  '5b': 'A live key is sk_live_ and 64 hexadecimal characters, a sandbox key begins with sk_test_; the prefix selects.',
  '5c': 'A missing or invalid key is 401.',
  '5d': 'A plan without access is 402.',
  '5e': 'simulationDelaySeconds with a live key is refused with 400.',
  '5f': open('The fire endpoint with a live key is refused with 403.'),
  '5g': 'Both kinds of key use the same address and paths.',

  '6a': open('asset.processing.completed is emitted when an asset finishes.'),
  '6b': open('asset.processing.failed is emitted when an asset fails, with the documented payload.'),
  '6c': open('A subscription of the workspace receives an event only if it is active and lists its type.'),
  '6d': 'Submission creation returns the name of a real-time channel.',
  '6e': open('Synthetic events are dispatched as real ones are.'),

  '7a': '429 has one string member error, and Retry-After in seconds.',
  '7b': '402 has error_code, message and bucket with the documented values.',
  '7c': '500 and 502 may be retried with backoff.',
  '7d': 'Issues or topics requested before the asset finished are 404.',
  '7e': '400 is a simulationDelaySeconds with a live key.',
  '7f': '401 is a key that is missing or invalid.',
  '7g': '402 is not transient: trying again does not succeed.',
  '7h': '403 is an invalid file name or blob path.',
  '7i': open('403 is a fire with a live key, too.'),
  '7j': '404 is a submission, asset or previous submission that is not in the workspace.',
  '7k': '409 is a retry that is not allowed.',
  '7l': '413 is a file over the direct-upload cap, or a blob over the cap of its category.',
  '7m': '415 is a content type that is not allowed or does not match the bytes.',
  '7n': '422 is a request that fails validation.',
  '7o': '429 is a rate limit that is exceeded.',
  '7p': '500 is a server error.',

  '8.1a': 'Direct upload takes at most 10 MB; larger files go up by a presigned URL.',
  '8.1b': 'Video may have 5 GB, audio 500 MB, an image 50 MB, a document 100 MB.',
  '8.1c': 'A presigned URL lives 1 hour.',
  '8.1d': 'The content type must be allowed and match the actual format.',

  '8.2a': 'Limits hold per API key, and the buckets are independent.',
  '8.2b': 'Exceeding a bucket is 429 with Retry-After.',
  '8.2c': 'X-RateLimit-* is never sent; Retry-After only on 429.',
  '8.2d': 'A submission with several assets counts as one submission_write.',
  '8.2e': open('The buckets webhook_write, webhook_read and sandbox cover their endpoints.'),
  '8.2f': 'Limits differ by tier.',
  '8.2g': 'upload covers presigned URLs and direct uploads.',
  '8.2h': 'submission_write covers creating submissions.',
  '8.2i': 'submission_read covers reading status, assets, issues, topics and versions.',
  '8.2j': 'Each request counts against one bucket.',
  '8.2k': 'submission_write covers retrying assets.',

  '8.3a': 'The delay is 0 to 30 s and delays the moment the submission reaches a terminal state.',
  '8.3b': 'The sandbox returns no mocked output: no results without real processing.',
  '8.3c': 'The delay works with a sk_test_ key alone; a live key gets 400.',

  '9a': 'A submission whose asset names a previousSubmissionId makes a new version.',
  '9b': 'All versions share a versionGroupId; versionNumber is 1 for the first.',
  '9c': 'Versions are listed by their endpoint.',
};
