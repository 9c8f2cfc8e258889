/** Longer advice on the refusals that developers meet most. Its blocks are run like those of every page. */
export const advice: Record<string, string> = {
  missing_api_key: `
The header is \`X-API-Key\`; \`Authorization\` is not read. A proxy in front may drop headers that it does not know.

\`\`\`sh
curl -sS --fail "$API/me" -H "X-API-Key: $ASSAY_API_KEY"
\`\`\`
`,
  invalid_api_key: `
Unknown, revoked and expired keys get the same answer, so that guessing teaches nothing. Look for:

- a key of another installation: \`ASSAY_BASE_URL\` must fit it;
- a line break or quotation marks that were copied with it;
- a key that was revoked less than a moment ago, or has expired: \`pnpm admin key list\` tells the operator.

A key has 72 characters:

\`\`\`sh
test "$(printf %s "$ASSAY_API_KEY" | wc -c)" = 72
\`\`\`
`,
  tier_not_authorized_for_integrations_api: `
The workspace has the plan \`free\`. Retrying does not help. The operator sets another by
\`pnpm admin workspace set-tier\`; it holds within 5 seconds. The body names the bucket and has no \`code\`: tell it by its
status.
`,
  rate_limited: `
Wait as many seconds as \`Retry-After\` says; the SDK does. Then ask less often:

- follow a submission by [webhook](/guides/webhooks) or [live stream](/guides/realtime) instead of polling;
- submit up to 50 files in one submission: it counts as one;
- read issues with the default page of 1,000.

The numbers are in [Limits](/limits#requests-a-minute). Buckets do not share, and a sandbox key has those of \`starter\`.
`,
  simulation_needs_sandbox_key: `
Leave the parameter out of live calls altogether; 0 is refused as well. See [Sandbox](/guides/sandbox#submit-and-wait).
`,
  invalid_filename: `
Send the bare name, not a path: \`clip.mp4\`, not \`media/clip.mp4\`. Names are compared after Unicode normalisation (NFC).
`,
  invalid_blob_path: `
Use \`blobPath\` as the upload answered it. Do not build it, shorten it or decode it. One of another workspace, or of another
installation, is refused like one that never was.
`,
  sandbox_only: `
Use the workspace's other key, \`sk_test_…\`. See [Sandbox](/guides/sandbox#fire-the-event).
`,
  submission_not_found: `
Another workspace's submission is answered like one that does not exist. So look at the key first: \`workspaceId\` must be the
one that made the submission. It may also have been deleted, by hand or because its results were kept
[long enough](/operate/configuration).

\`\`\`sh
curl -sS --fail "$API/me" -H "X-API-Key: $ASSAY_API_KEY"
\`\`\`
`,
  asset_not_ready: `
Results exist once the asset is \`complete\`. Wait for the submission, then read:

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
There is nothing to read: an empty list would look clean. Read the asset itself; \`errorType\` is one of the
[asset failures](/reference/asset-failures). If \`isRetryable\` is true, [retry it](/guides/retries-and-idempotency#retry-an-asset).
To test how your client handles it, [cancel a sandbox submission](/guides/sandbox#try-a-failure).
`,
  asset_not_retryable: `
The cause lies in the file, or the key is a sandbox key and the submission live. Mend the file and submit it as a
[new version](/guides/versions).
`,
  retry_limit_reached: `
Submit the file again; the new submission has retries of its own. \`isRetryable\` is false once the third retry has failed, so
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
The first request with this key is still being answered, most often because a client gave up too early and sent it again.
Wait a second and send the same again: you get the first one's answer.
`,
  idempotency_key_reused: `
The same key came with another body, path or query before. A key names one piece of work. Do not use a constant, and do not
put a fresh time stamp into the body of a request that you send again.
`,
  direct_upload_too_large: `
Ask for an upload URL instead; nothing else changes. The SDK's \`uploads.upload\` chooses by itself.

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
\`errors\` names each file that is too large; the [limits](/limits#sizes) go by category. Encode it smaller, or cut it into parts.
`,
  content_type_not_allowed: `
[Accepted files](/limits#accepted-files) lists every type and extension. Convert the file; svg, html, old Office files, macro
files and zip are left out on purpose.
`,
  content_type_mismatch: `
The extension, the content type and the content must be of the same format. \`errors\` says which format the content has.
Renaming does not convert: give the file the extension of its format, or convert it. To see the format of a media file:

\`\`\`sh
ffmpeg -v error -y -f lavfi -i testsrc=d=1 clip.mp4
ffprobe -v error -show_entries format=format_name -of default=nw=1:nk=1 clip.mp4
\`\`\`
`,
  unsupported_request_media_type: `
Send \`Content-Type: application/json\`; curl's \`-d\` alone sends a form. A direct upload is \`multipart/form-data\`: let the
client write that header, as it holds the boundary.
`,
  validation_failed: `
\`errors\` lists every place that is wrong, as a JSON Pointer into the body, query or path. Unknown members are refused too:
most often it is a spelling, such as \`fileName\` for \`filename\`. In a submission an asset takes \`blobPath\` and
\`previousSubmissionId\` only.

\`\`\`json UploadUrlRequest
{ "filename": "spring-ad.mp4", "contentType": "video/mp4" }
\`\`\`
`,
  blob_archived: `
\`errors\` names each file. It was uploaded with \`x-ms-access-tier: Archive\`, or moved to that tier later. Ask for a new
upload URL and PUT the file without that header.
`,
  blob_not_uploaded: `
A path was issued, and nothing lies there yet. PUT the bytes to \`uploadUrl\` first and look at the answer of that PUT: it is
201. A URL older than an hour no longer takes them; [renew it](/guides/uploads#by-an-upload-url). A file that nobody
submitted for 48 hours is gone.
`,
  url_not_allowed: `
\`errors\` says what is wrong. In production a receiver is https, has a name that resolves to public addresses only, no user info
and no fragment. Inner networks must be listed by the operator in \`WEBHOOK_ALLOWED_CIDRS\`. To develop, use
[\`assay listen\`](/guides/webhooks#on-your-own-machine).
`,
  ambiguous_previous_version: `
\`errors\` lists the candidates. Give the new file the name of the one that it replaces, or submit it without
\`previousSubmissionId\`. How the asset is chosen: [Versions](/guides/versions#which-asset-is-meant).
`,
  unknown_sidekick: `
List the sidekicks of this installation, and use their \`sidekickId\`. Leave \`sidekickIds\` out to run all that fit.

\`\`\`sh
curl -sS --fail "$API/sidekicks" -H "X-API-Key: $ASSAY_API_KEY"
\`\`\`
`,
  internal_error: `
It is on our side. Send it again with growing waits. If it stays, give the operator the \`requestId\`: the log has a line under
it.
`,
  service_unavailable: `
A part such as the database does not answer. Send it again with growing waits. \`/readyz\` tells the operator which part it is.
`,
};
