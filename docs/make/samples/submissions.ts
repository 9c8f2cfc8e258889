import type { submissionRoutes } from '@assay/contract/routes/submissions.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const submissionSamples: SamplesOf<typeof submissionRoutes> = {
  createSubmission: {
    curl: curlCommand(String.raw`"$API/submissions" -H 'Content-Type: application/json' \
  -d "{\"assets\": [{\"blobPath\": \"$BLOB_PATH\"}]}"`),
    ts: tsProgram(`
const { submissionId, status } = await assay.submissions.create({
  assets: [{ blobPath: BLOB_PATH }],
});
console.log(submissionId, status);`),
    cli: `
# Uploads the file, submits it, and prints the ID of the submission.
assay submit notice.txt`,
  },
  listSubmissions: {
    curl: curlCommand('-G "$API/submissions" -d status=complete -d limit=10'),
    ts: tsProgram(`
const { submissions } = await assay.submissions.list({
  status: ['complete'],
  limit: 10,
});
for (const { submissionId, status, createdAt } of submissions)
  console.log(submissionId, status, createdAt);`),
    cli: 'assay submissions list --status complete --limit 10',
  },
  getSubmission: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID"'),
    ts: tsProgram(`
const submission = await assay.submissions.get(SUBMISSION_ID);
console.log(submission.status, submission.progressPercent);
for (const { filename, issueCount, errorMessage } of submission.assets)
  console.log(filename, issueCount, errorMessage);`),
    cli: 'assay submissions get "$SUBMISSION_ID"',
  },
  deleteSubmission: {
    curl: curlCommand('-X DELETE "$API/submissions/$SUBMISSION_ID"'),
    ts: tsProgram(`
await assay.submissions.delete(SUBMISSION_ID);
console.log('deleted', SUBMISSION_ID);`),
    cli: 'assay submissions delete "$SUBMISSION_ID" --yes',
  },
  cancelSubmission: {
    curl: curlCommand('-X POST "$API/submissions/$SUBMISSION_ID/cancel"'),
    ts: tsProgram(`
const { assets } = await assay.submissions.cancel(SUBMISSION_ID);
for (const { filename, errorType } of assets)
  console.log(filename, errorType);`),
    cli: 'assay submissions cancel "$SUBMISSION_ID"',
  },
  retryAsset: {
    curl: curlCommand('-X POST "$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/retry"'),
    ts: tsProgram(`
const { workflowId } = await assay.assets.retry(SUBMISSION_ID, ASSET_ID);
console.log(workflowId);`),
    cli: 'assay retry "$SUBMISSION_ID" "$ASSET_ID"',
  },
  listVersions: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID/versions"'),
    ts: tsProgram(`
for await (const version of assay.submissions.versions(SUBMISSION_ID))
  console.log(version.versionNumber, version.filename, version.status);`),
    cli: 'assay versions "$SUBMISSION_ID"',
  },
};
