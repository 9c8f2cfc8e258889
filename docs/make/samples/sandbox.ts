import type { sandboxRoutes } from '@assay/contract/routes/sandbox.ts';
import type { SamplesOf } from './sample.ts';

export const sandboxSamples: SamplesOf<typeof sandboxRoutes> = {
  fireEvents: {
    curl: String.raw`
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_SANDBOX_KEY" \
  "$API/sandbox/events/fire" -H 'Content-Type: application/json' \
  -d "{\"eventType\": \"asset.processing.failed\",
       \"submissionId\": \"$SUBMISSION_ID\"}"`,
    ts: `
import { Assay } from '@assay/sdk';

const { ASSAY_SANDBOX_KEY, SUBMISSION_ID = '' } = process.env;
const assay = new Assay({ apiKey: ASSAY_SANDBOX_KEY });

const { dispatched } = await assay.sandbox.fire({
  eventType: 'asset.processing.failed',
  submissionId: SUBMISSION_ID,
});
console.log('dispatched', dispatched);`,
    cli: String.raw`
assay trigger asset.processing.failed --submission "$SUBMISSION_ID" \
  --api-key "$ASSAY_SANDBOX_KEY"`,
  },
};
