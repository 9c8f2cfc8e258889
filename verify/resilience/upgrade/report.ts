import { describeMachine } from '@assay/testing/measure/machine.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import type { AnsweredRequest } from './balancer.ts';
import type { Check } from './checks.ts';
import type { Result } from './run.ts';
import type { Version } from './version.ts';

export function formatReport(
  { phases, database, runs, receipts }: Result,
  checks: Check[],
  { previous, next, minutes }: Record<'previous' | 'next', Version> & { minutes: number },
): string {
  const rows = phases.map(({ name, seconds, responses }) => ({
    phase: name,
    s: seconds.toFixed(0),
    'from the previous api': String(responses.filter(({ version }) => version === 'previous').length),
    'from the new api': String(responses.filter(({ version }) => version === 'new').length),
    failed: String(responses.filter(({ isExpected }) => !isExpected).length),
  }));
  const { submissions, events, deliveries, ...rest } = database.totals;
  const retried = rest['assets that were retried'];
  const violations = checks.flatMap(({ check, violations: all }) =>
    countEqual(all).map((text) => `- ${check}: ${text}`),
  );
  return `# Upgrade under load

\`pnpm upgrade-check --write\`, ${new Date().toISOString().slice(0, 10)}, from ${previous.commit} to ${next.commit} and back, ${minutes.toFixed(1)} min.
Machine: ${describeMachine()}.

${formatTable(rows)}

${submissions} submissions at the end, ${retried} retried assets, ${events} events, ${deliveries} deliveries, ${receipts} requests to the receiver.

${formatTable(checks.map(({ check, checked, violations: { length } }) => ({ check, checked: String(checked), violations: String(length) })))}

${violations.length > 0 ? `${violations.join('\n')}\n\n` : ''}Requests by status:

${formatTable(statusRows(phases.flatMap(({ responses }) => responses)))}

Runs by the versions that processed them:

${formatTable(versionRows(runs))}
`;
}

function statusRows(responses: AnsweredRequest[]): Record<string, string>[] {
  const groups = Map.groupBy(responses, ({ kind, status }) => `${kind} → ${status}`);
  return [...groups].sort().map(([request, some]) => ({
    request,
    'previous api': String(some.filter(({ version }) => version === 'previous').length),
    'new api': String(some.filter(({ version }) => version === 'new').length),
  }));
}

function versionRows(runs: Result['runs']): Record<string, string>[] {
  const groups = Map.groupBy(runs, ({ versions }) => versions);
  return [...groups].sort().map(([versions, some]) => ({ versions, runs: String(some.length) }));
}

/** Lists each text once, with its number of occurrences. */
function countEqual(texts: string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
    length > 1 ? `${text} (${length} times)` : text,
  );
}
