import type { accountRoutes } from '@assay/contract/routes/account.ts';
import { program, type SamplesOf } from './sample.ts';

export const accountSamples: SamplesOf<typeof accountRoutes> = {
  getMe: {
    curl: `
curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY" "$API/me"`,
    ts: program(
      [],
      `
const { mode, tier, credits } = await assay.me();
console.log(mode, tier, credits.used);`,
    ),
    cli: 'assay whoami',
  },
};
