import type { realtimeRoutes } from '@assay/contract/routes/realtime.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const realtimeSamples: SamplesOf<typeof realtimeRoutes> = {
  openRealtime: {
    curl: String.raw`
curl -sSN --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" \
  "$API/realtime?channel=submission.$SUBMISSION_ID"`,
    ts: tsProgram(`
for await (const submission of assay.submissions.follow(SUBMISSION_ID))
  console.log(submission.status, submission.progressPercent);`),
    cli: `
# Follows the stream, and prints the submission when it is finished.
assay submissions get "$SUBMISSION_ID" --wait`,
  },
  createTicket: {
    curl: curlCommand(String.raw`"$API/realtime/tickets" -H 'Content-Type: application/json' \
  -d "{\"channel\": \"submission.$SUBMISSION_ID\"}"`),
    ts: tsProgram(`
const ticket = await assay.submissions.createTicket(SUBMISSION_ID);
console.log(ticket.channel, ticket.expiresAt);`),
    cli: `
# Needs no ticket: the command follows the stream with the API key.
assay submissions get "$SUBMISSION_ID" --wait`,
  },
};
