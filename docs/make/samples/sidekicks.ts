import type { sidekickRoutes } from '@assay/contract/routes/sidekicks.ts';
import { program, request, type SamplesOf } from './sample.ts';

export const sidekickSamples: SamplesOf<typeof sidekickRoutes> = {
  listSidekicks: {
    curl: request('"$API/sidekicks"'),
    ts: program(`
for await (const { sidekickId, shortName } of assay.sidekicks.list())
  console.log(sidekickId, shortName);`),
    cli: 'assay sidekicks',
  },
  getSidekick: {
    curl: request('"$API/sidekicks/$SIDEKICK_ID"'),
    ts: program(`
const { name, rules } = await assay.sidekicks.get('loudness');
console.log(name);
for (const { ruleCode, headline } of rules)
  console.log(ruleCode, headline);`),
    cli: 'assay sidekicks loudness',
  },
};
