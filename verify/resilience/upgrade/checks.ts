import type { Result } from './run.ts';
import { compareReadings } from './unexamined.ts';
import type { VersionName } from './version.ts';

export type Check = { check: string; checked: number; violations: string[] };

const storedStatus = 201;
const versionNames: VersionName[] = ['previous', 'new'];
/** Both orders in which a run can be begun by one version and continued by the other. */
const bothDirections = ['previous → new', 'new → previous'];

/**
 * Checks what must hold during an upgrade, and that both versions ran side by side. A check with nothing to check fails
 * too.
 */
export function checkUpgrade(result: Result): Check[] {
  const { phases, database, runs, errors, givenUp, unreceived, unexamined } = result;
  const { left, totals, mistakes, delivered } = database;
  const checks = [
    { check: 'no failed request', ...checkRequests(result) },
    {
      check: 'no stuck submission',
      checked: totals.submissions ?? 0,
      violations: [...describeCounts(left), ...givenUp],
    },
    { check: 'results and events are complete', checked: totals.events ?? 0, violations: describeCounts(mistakes) },
    {
      check: 'every webhook was received',
      checked: delivered.length,
      violations: describeCounts({ 'deliveries that the receiver does not know': unreceived }),
    },
    {
      check: 'every run ended well, no workflow task failed',
      checked: runs.length,
      violations: runs.flatMap((run) => run.mistakes),
    },
    { check: 'no process logged an error or crashed', checked: phases.length, violations: errors },
    {
      check: 'what was not examined is no pass in the previous api',
      checked: unexamined.byPrevious.length,
      violations: compareReadings(unexamined.byNew, unexamined.byPrevious),
    },
    { check: 'both versions answered side by side', ...checkSideBySide(result) },
    {
      check: 'runs were continued by the other version, in both directions',
      checked: runs.length,
      violations: bothDirections.filter((change) => !runs.some(({ versions }) => versions.includes(change))),
    },
  ];
  return checks.map((one) => (one.checked > 0 ? one : { ...one, violations: ['nothing to check', ...one.violations] }));
}

function checkRequests({ phases, puts }: Result) {
  const failed = phases.flatMap(({ name, responses }) =>
    responses.flatMap(({ version, kind, status, isExpected }) =>
      isExpected ? [] : `${name}: ${kind} → ${status} from the ${version} api`,
    ),
  );
  const failedPuts = puts.flatMap((status) => (status === storedStatus ? [] : `PUT to storage → ${status}`));
  const responseCount = phases.reduce((total, { responses }) => total + responses.length, 0);
  return { checked: responseCount + puts.length, violations: [...failed, ...failedPuts] };
}

function checkSideBySide({ phases }: Result) {
  const shared = phases.filter(({ name }) => name.endsWith('api beside it'));
  const violations = shared.flatMap(({ name, responses }) =>
    versionNames.flatMap((one) =>
      responses.some(({ version }) => version === one) ? [] : `${name}: not the ${one} api`,
    ),
  );
  return { checked: shared.length, violations };
}

function describeCounts(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([name, count]) => (count > 0 ? `${name}: ${count}` : []));
}
