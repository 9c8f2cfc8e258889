import type { resultRoutes } from '@assay/contract/routes/results.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const resultSamples: SamplesOf<typeof resultRoutes> = {
  getAsset: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID"'),
    ts: tsProgram(`
const asset = await assay.assets.get(SUBMISSION_ID, ASSET_ID);
console.log(asset.filename, asset.status, asset.issueCount);
for (const { sidekickName, outcome } of asset.checks)
  console.log(sidekickName, outcome);`),
    cli: `
# Prints the result and all issues in full.
assay issues "$SUBMISSION_ID" "$ASSET_ID" --json`,
  },
  listIssues: {
    curl: curlCommand(String.raw`-G "$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/issues" \
  -d severity=CRITICAL -d severity=MAJOR`),
    ts: tsProgram(`
for await (const issue of assay.issues.list(SUBMISSION_ID, ASSET_ID, {
  severity: ['CRITICAL', 'MAJOR'],
}))
  console.log(issue.severity, issue.ruleCode, issue.summary);`),
    cli: 'assay issues "$SUBMISSION_ID" "$ASSET_ID" --severity CRITICAL,MAJOR',
  },
  getIssue: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/issues/$ISSUE_ID"'),
    ts: tsProgram(`
const issue = await assay.issues.get(SUBMISSION_ID, ASSET_ID, ISSUE_ID);
console.log(issue.ruleCode, issue.status);
for (const { decidedAt, from, to, note } of issue.decisions)
  console.log(decidedAt, from, to, note);`),
    cli: 'assay issues show "$SUBMISSION_ID" "$ASSET_ID" "$ISSUE_ID"',
  },
  updateIssue: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" -X PATCH \
  "$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/issues/$ISSUE_ID" \
  -H 'Content-Type: application/json' \
  -d '{"status": "ACKNOWLEDGED", "reason": "fix_required"}'`,
    ts: tsProgram(`
const issue = await assay.issues.decide(
  SUBMISSION_ID,
  ASSET_ID,
  ISSUE_ID,
  { status: 'ACKNOWLEDGED', reason: 'fix_required' },
);
console.log(issue.status, issue.statusReason);`),
    cli: String.raw`
assay issues decide "$SUBMISSION_ID" "$ASSET_ID" "$ISSUE_ID" \
  --reason fix_required`,
  },
  getEvidence: {
    curl: String.raw`
ISSUE=$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/issues/$ISSUE_ID
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$ISSUE/evidence/1" -o still.jpg`,
    ts: tsProgram(
      `
await writeFile(
  'still.jpg',
  await assay.issues.evidence(SUBMISSION_ID, ASSET_ID, ISSUE_ID, 1),
);
console.log('wrote still.jpg');`,
      "import { writeFile } from 'node:fs/promises';",
    ),
    cli: `
# Writes a report with the stills of all issues.
assay submissions get "$SUBMISSION_ID" --html report.html`,
  },
  getPoster: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/poster" -o poster.jpg`,
    ts: tsProgram(
      `
await writeFile(
  'poster.jpg',
  await assay.assets.poster(SUBMISSION_ID, ASSET_ID),
);
console.log('wrote poster.jpg');`,
      "import { writeFile } from 'node:fs/promises';",
    ),
    cli: `
# Writes a report with the poster of each file.
assay submissions get "$SUBMISSION_ID" --html report.html`,
  },
  getMeasurements: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/measurements"'),
    ts: tsProgram(`
const { series } = await assay.assets.measurements(
  SUBMISSION_ID,
  ASSET_ID,
);
for (const { name, unit, stepMs, values } of series)
  console.log(name, unit, stepMs, values.length);`),
    cli: `
# Writes a report with a plot of each measurement.
assay submissions get "$SUBMISSION_ID" --html report.html`,
  },
  getTopics: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/topics"'),
    ts: tsProgram(`
const result = await assay.assets.topics(SUBMISSION_ID, ASSET_ID);
for (const { title, issueCount } of result.topics)
  console.log(title, issueCount);
for (const { ruleCode, summary } of result.orphanIssues)
  console.log(ruleCode, summary);`),
    cli: 'assay topics "$SUBMISSION_ID" "$ASSET_ID"',
  },
  getChanges: {
    curl: curlCommand('"$API/submissions/$SUBMISSION_ID/assets/$ASSET_ID/changes"'),
    ts: tsProgram(`
const { newIssues, goneIssues, keptIssues } = await assay.assets.changes(
  SUBMISSION_ID,
  ASSET_ID,
);
for (const { ruleCode } of newIssues) console.log('new', ruleCode);
for (const { ruleCode } of goneIssues) console.log('gone', ruleCode);
for (const { ruleCode } of keptIssues) console.log('kept', ruleCode);`),
    cli: 'assay changes "$SUBMISSION_ID" "$ASSET_ID"',
  },
};
