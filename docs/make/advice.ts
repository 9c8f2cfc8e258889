/** Longer advice on the most frequent errors, by code. Its code blocks are tested like those of all pages. */
export const advice: Record<string, string> = {
  missing_api_key: `
The header is \`X-API-Key\`; \`Authorization\` is ignored. Check that no proxy removes the header.

\`\`\`sh
curl -sS --fail "$API/me" -H "X-API-Key: $ASSAY_API_KEY"
\`\`\`
`,
  invalid_api_key: `
Unknown, revoked and expired keys get the same response, so that guessing reveals nothing. Check for:

- a key of another installation: \`ASSAY_BASE_URL\` must match the key;
- a line break or quotation marks copied with the key;
- a revoked or expired key: the operator can check with \`pnpm admin key list\`.

A key has 72 characters:

\`\`\`sh
test "$(printf %s "$ASSAY_API_KEY" | wc -c)" = 72
\`\`\`
`,
  tier_not_authorized_for_integrations_api: `
The workspace has the plan \`free\`. Retrying does not help. The operator can change the plan with
\`pnpm admin workspace set-tier\`; it takes effect within 5 seconds. The body contains the bucket and has no \`code\`:
recognise it by its status.
`,
  rate_limited: `
Wait the number of seconds in \`Retry-After\`; the SDK does this automatically. Then send fewer requests:

- follow a submission by [webhook](/guides/webhooks) or [live stream](/guides/realtime) instead of polling;
- submit up to 50 files in one submission: it counts as one request;
- read issues with the default page of 1,000.

See [Limits](/limits#requests-a-minute) for the numbers. Buckets are independent, and sandbox keys have the limits of
\`starter\`.
`,
  simulation_needs_sandbox_key: `
Remove the parameter from live requests; 0 is refused too. See [Sandbox](/guides/sandbox#submit-and-wait).
`,
  invalid_filename: `
Send only the file name, not a path: \`clip.mp4\`, not \`media/clip.mp4\`. Names are validated after Unicode normalisation
(NFC); a name of over 1,024 bytes is refused before it. The same rules apply to direct uploads.
`,
  invalid_blob_path: `
Use \`blobPath\` exactly as the upload returned it. Do not build, shorten or decode it. A path of another workspace or
installation is refused as well.
`,
  sandbox_only: `
Use the sandbox key of the workspace, \`sk_test_…\`. See [Sandbox](/guides/sandbox#fire-the-event).
`,
  submission_not_found: `
Submissions of other workspaces get the same response as those that do not exist. Check the key first: its \`workspaceId\`
must be that of the submission. The submission may also have been deleted, manually or after the
[retention period](/operate/configuration).

\`\`\`sh
curl -sS --fail "$API/me" -H "X-API-Key: $ASSAY_API_KEY"
\`\`\`
`,
  asset_not_ready: `
Results are available when the asset is \`complete\`. Wait for the submission, then read them:

\`\`\`ts
import { Assay } from '@assay/sdk';

const assay = new Assay();
const { blobPath } = await assay.uploads.upload(new File(['Spring is here.'], 'notice.txt'));
const submission = await assay.submissions.createAndWait({ assets: [{ blobPath }] });
for (const { assetId } of submission.assets) {
  const { issues } = await assay.issues.list(submission.submissionId, assetId);
  console.log(issues.length);
}
\`\`\`
`,
  asset_failed: `
A failed asset has no results, as an empty list would mean that no issues were found. Read the asset itself: \`errorType\` is one of the
[asset failures](/reference/asset-failures). If \`isRetryable\` is true, [retry it](/guides/retries-and-idempotency#retry-an-asset).
To test how your client handles it, [cancel a sandbox submission](/guides/sandbox#try-a-failure).
`,
  asset_not_retryable: `
The cause is the file itself, or a sandbox key was used for a live submission. Fix the file and submit it as a
[new version](/guides/versions).
`,
  retry_limit_reached: `
Submit the file again; the new submission has its own retries. \`isRetryable\` is false once the last retry has failed, so
a client that checks it never gets here. To test it, [use up the retries](/guides/sandbox#use-up-the-retries) in the sandbox.
`,
  retry_in_flight: `
A retry of this asset is running. Wait for the submission instead of retrying again. To test it,
[retry twice](/guides/sandbox#cause-other-errors) in the sandbox.
`,
  submission_settled: `
The submission reached \`complete\` or \`failed\` before the request did: treat it as done and read its status. In the sandbox,
submit with a [delay](/guides/sandbox#try-a-failure) that leaves time to cancel.
`,
  idempotency_in_flight: `
The first request with this key is still in progress, usually because a client timed out and sent it again. Wait a second
and repeat the request: you get the response of the first one.
`,
  idempotency_key_reused: `
The same key was sent with another body, path or query before. Use one key per operation. Do not use a constant, and do
not put a new timestamp into the body of a request that you repeat.
`,
  direct_upload_too_large: `
Request an upload URL instead; nothing else changes. \`uploads.upload\` of the SDK selects the method automatically.

\`\`\`sh
ffmpeg -v error -y -f lavfi -i testsrc=d=1 clip.mp4
URL=$(curl -sS --fail "$API/uploads/url" -H "X-API-Key: $ASSAY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"filename": "clip.mp4", "contentType": "video/mp4"}')
curl -sS --fail -H 'x-ms-blob-type: BlockBlob' \\
  -T clip.mp4 "$(pick uploadUrl "$URL")"
\`\`\`
`,
  asset_too_large: `
\`errors\` lists each file that is too large; the [limits](/limits#sizes) depend on the category. Encode the file smaller, or
split it.
`,
  content_type_not_allowed: `
See [Accepted files](/limits#accepted-files) for all types and extensions, and convert the file. SVG, HTML, legacy Office
files, files with macros and ZIP are not accepted on purpose.
`,
  content_type_mismatch: `
The extension, the content type and the content must have the same format. \`errors\` says which format the content has.
Renaming does not convert a file: use the extension of its format, or convert it. To see the format of a media file:

\`\`\`sh
ffmpeg -v error -y -f lavfi -i testsrc=d=1 clip.mp4
ffprobe -v error -show_entries format=format_name -of default=nw=1:nk=1 clip.mp4
\`\`\`
`,
  unsupported_request_media_type: `
Direct uploads must be \`multipart/form-data\`. Let the HTTP client set the \`Content-Type\` header, as it contains the
boundary.
`,
  validation_failed: `
\`errors\` lists every invalid field, with a JSON Pointer into the body, query or path and the accepted values. Unknown fields
are refused too: usually it is a typo, such as \`fileName\` for \`filename\`. Assets of a submission accept only \`blobPath\`
and \`previousSubmissionId\`.

\`\`\`json UploadUrlRequest
{ "filename": "spring-ad.mp4", "contentType": "video/mp4" }
\`\`\`
`,
  blob_archived: `
\`errors\` lists each file. It was uploaded with \`x-ms-access-tier: Archive\`, or moved to that tier later. Request a new
upload URL and PUT the file without that header.
`,
  blob_not_uploaded: `
The blob path was issued, but no file was uploaded. PUT the file to \`uploadUrl\` first and check that it was stored
(status 200 or 201). Parts of a file must be [joined](/guides/uploads#in-parts) before the file is submitted.
An upload URL expires after 1 hour; [renew it](/guides/uploads#by-an-upload-url). Files that are not submitted within
48 hours are deleted.
`,
  storage_quota_reached: `
\`errors\` says what the file counts with, and what the workspace stores. To make room:

- declare \`sizeBytes\` when you request an upload URL: without it, an upload counts with the largest size of its category
  until its file is stored;
- delete submissions that you no longer need: their files no longer count within an hour and a few minutes;
- wait: media are deleted 30 days after their results, files that were never submitted after 48 hours.

\`GET /me\` shows what is stored and allowed. An operator can raise the quota of a tier (\`STORAGE_QUOTAS\`), or
change the tier of the workspace.
`,
  size_mismatch: `
\`errors\` lists each file with both sizes. The upload was cut off, or another file was uploaded than the one whose
\`sizeBytes\` was declared. Request a new upload URL, send the whole file and submit the new \`blobPath\`. If \`sizeBytes\`
itself was wrong, [renew the URL](/guides/uploads#by-an-upload-url) with the right one, and send the file again if it is
larger than declared: such a file is deleted after a few minutes.
`,
  parts_missing: `
Send the parts that \`errors\` lists, then repeat the request. \`POST /uploads/parts\` returns new URLs for them, and
\`partCount\` must be the same in both requests. See [Uploads](/guides/uploads#in-parts).
`,
  part_too_small: `
Choose a part size of at least 5 MiB, such as 8 MiB, request new URLs with the resulting \`partCount\`, and send all parts
again. Only the last part can be smaller.
`,
  url_not_allowed: `
\`errors\` contains the reason. In production, webhook URLs must be https, without credentials or a fragment, and resolve to
public addresses only. The operator can allow internal networks with \`WEBHOOK_ALLOWED_CIDRS\`. For development, use
[\`assay listen\`](/guides/webhooks#on-your-own-machine).
`,
  ambiguous_previous_version: `
\`errors\` lists the candidates. Rename the new file like the asset that it replaces, or submit it without
\`previousSubmissionId\`. How the asset is selected: [Versions](/guides/versions#which-asset-is-meant).
`,
  unknown_sidekick: `
List the checks of this installation and use their \`sidekickId\`. Leave out \`sidekickIds\` to run all default checks that
apply.

\`\`\`sh
curl -sS --fail "$API/sidekicks" -H "X-API-Key: $ASSAY_API_KEY"
\`\`\`
`,
  internal_error: `
The error is in the service. Retry with backoff. If it persists, send the \`requestId\` to the operator, who can find it in
the log.
`,
  service_unavailable: `
A dependency such as the database is not responding. Retry with backoff. The operator can see which one at \`/readyz\`.
`,
};
