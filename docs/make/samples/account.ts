import type { accountRoutes } from '@assay/contract/routes/account.ts';
import { program, request, type SamplesOf } from './sample.ts';

export const accountSamples: SamplesOf<typeof accountRoutes> = {
  getMe: {
    curl: request('"$API/me"'),
    ts: program(`
const { mode, tier, credits } = await assay.me();
console.log(mode, tier, credits.used);`),
    cli: 'assay whoami',
  },
};
