import { describeMachine } from '../../bench/machine.ts';
import { formatTable } from '../../bench/table.ts';
import type { Answered } from './balancer.ts';
import type { Result } from './run.ts';
import type { Version } from './version.ts';

export type Check = { check: string; checked: number; violations: string[] };

const storedStatus = 201;
/** Runs that one version began and the other continued. */
const bothDirections = ['previous → new', 'new → previous'];

/** What the upgrade must keep. A check with nothing to check fails too. */
export function judge({ phases, database, engine, puts, errors, givenUp, unreceived }: Result): Check[] {
  const answers = phases.flatMap((phase) => phase.answers.map((answered) => ({ phase: phase.name, ...answered })));
  const failed = answers.filter(({ isExpected }) => !isExpected);
  const { left, totals, mistakes, delivered } = database;
  const namesOf = (counts: Record<string, number>) =>
    Object.entries(counts).flatMap(([name, count]) => (count > 0 ? `${name}: ${count}` : []));
  return [
    {
      check: 'no failed request',
      checked: answers.length + puts.length,
      violations: [
        ...failed.map(({ phase, version, kind, status }) => `${phase}: ${kind} → ${status} from the ${version} api`),
        ...puts.filter((status) => status !== storedStatus).map((status) => `PUT to storage → ${status}`),
      ],
    },
    { check: 'no stuck submission', checked: totals.submissions ?? 0, violations: [...namesOf(left), ...givenUp] },
    {
      check: 'every result and event as without an upgrade',
      checked: totals.events ?? 0,
      violations: namesOf(mistakes),
    },
    {
      check: 'every webhook was received',
      checked: delivered.length,
      violations: unreceived > 0 ? [`${unreceived} deliveries are unknown to the receiver`] : [],
    },
    { check: 'every run ended well, no workflow task failed', checked: engine.runs, violations: engine.mistakes },
    {
      check: 'runs were continued by the other version, in both directions',
      checked: engine.runs,
      violations: bothDirections.filter(
        (change) => !Object.keys(engine.byVersions).some((way) => way.includes(change)),
      ),
    },
    { check: 'no process logged an error or crashed', checked: phases.length, violations: errors },
  ].map((one) => (one.checked === 0 ? { ...one, violations: ['there was nothing to check', ...one.violations] } : one));
}

export function formatReport(
  { phases, database, engine, receipts, turnedAway }: Result,
  checks: Check[],
  { previous, next, minutes }: Record<'previous' | 'next', Version> & { minutes: number },
): string {
  const rows = phases.map(({ name, seconds, answers }) => ({
    phase: name,
    s: seconds.toFixed(0),
    'from the previous api': String(answers.filter(({ version }) => version === 'previous').length),
    'from the new api': String(answers.filter(({ version }) => version === 'new').length),
    failed: String(answers.filter(({ isExpected }) => !isExpected).length),
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

${submissions} submissions at the end, ${retried} retried assets, ${events} events, ${deliveries} deliveries, ${receipts} requests to the receiver, ${turnedAway} callers turned away.

${formatTable(checks.map(({ check, checked, violations: { length } }) => ({ check, checked: String(checked), violations: String(length) })))}

${violations.length > 0 ? `${violations.join('\n')}\n\n` : ''}Requests by status:

${formatTable(statusRows(phases.flatMap(({ answers }) => answers)))}

Runs by the versions that processed them:

${formatTable(
  Object.entries(engine.byVersions)
    .sort()
    .map(([versions, count]) => ({ versions, runs: String(count) })),
)}
`;
}

function statusRows(answers: Answered[]): Record<string, string>[] {
  const groups = Map.groupBy(answers, ({ kind, status }) => `${kind} → ${status}`);
  return [...groups].sort().map(([request, some]) => ({
    request,
    'previous api': String(some.filter(({ version }) => version === 'previous').length),
    'new api': String(some.filter(({ version }) => version === 'new').length),
  }));
}

/** Equal texts once, with their number. */
function countEqual(texts: string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
    length > 1 ? `${text} (${length} times)` : text,
  );
}
