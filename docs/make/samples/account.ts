import type { accountRoutes } from '@assay/contract/routes/account.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const accountSamples: SamplesOf<typeof accountRoutes> = {
  getMe: {
    curl: curlCommand('"$API/me"'),
    ts: tsProgram(`
const { mode, tier, credits } = await assay.me();
console.log(mode, tier, credits.used);`),
    cli: 'assay whoami',
  },
};
