import type { RouteName } from '@assay/contract/routes.ts';
import { samples } from './samples.ts';

/** A note on the samples, shown once per page. */
export const samplesNote =
  'The samples use the variables from the [Quickstart](/quickstart#make-a-key). Set the IDs that they name first, for example with `export SUBMISSION_ID=…`. In the clone, run `pnpm assay` instead of `assay`.';

/** The samples of an endpoint as a code group with tabs. */
export function formatSamples(name: string): string {
  const { curl, ts, cli } = samples[name as RouteName];
  const tabs = [tab('sh [curl]', curl), tab('ts [TypeScript]', ts), tab('sh [Command line]', cli)];
  return ['::: code-group', ...tabs, ':::'].join('\n\n');
}

function tab(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}
