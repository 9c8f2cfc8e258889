import type { sidekickRoutes } from '@assay/contract/routes/sidekicks.ts';
import { curlCommand, type SamplesOf, tsProgram } from './sample.ts';

export const sidekickSamples: SamplesOf<typeof sidekickRoutes> = {
  listSidekicks: {
    curl: curlCommand('"$API/sidekicks"'),
    ts: tsProgram(`
for await (const { sidekickId, shortName } of assay.sidekicks.list())
  console.log(sidekickId, shortName);`),
    cli: 'assay sidekicks',
  },
  getSidekick: {
    curl: curlCommand('"$API/sidekicks/$SIDEKICK_ID"'),
    ts: tsProgram(`
const { name, rules } = await assay.sidekicks.get('loudness');
console.log(name);
for (const { ruleCode, headline } of rules)
  console.log(ruleCode, headline);`),
    cli: 'assay sidekicks loudness',
  },
};
