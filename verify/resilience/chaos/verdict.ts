import { formatTable } from '@assay/testing/measure/table.ts';
import { check, type Invariant } from './check/checker.ts';
import { countWebhooks } from './check/count-webhooks.ts';
import type { ClientRequest, Event, Setting } from './check/history.ts';
import { readRun } from './check/run-record.ts';

export type Verdict = Setting & {
  faultSeconds: number;
  settledSecondsAfterLastFault: number;
  /** The number of responses for each operation and status. */
  responses: Record<string, Record<string, number>>;
  kills: { atSeconds: number; target: string; signal: string; upAgainSeconds: number | null }[];
  /** Faults other than kills. */
  faults: { atSeconds: number; kind: string; target: string; lastedSeconds: number; count: number | null }[];
  endedByThemselves: Record<string, number>;
  violationCount: number;
  invariants: Invariant[];
};

const violationsShown = 20;

/** The command that repeats a run. */
export function formatCommand({
  variant,
  storage,
  seed,
  part,
}: Pick<Setting, 'variant' | 'storage' | 'seed' | 'part'>) {
  return [
    'pnpm chaos',
    variant === 'full' ? '' : ` --${variant}`,
    storage === 's3' ? ' --storage s3' : '',
    ` --seed ${seed}`,
    part.count > 1 ? ` --part ${part.number}` : '',
  ].join('');
}

/** Judges a recorded history, which contains the run's settings. */
export function judge(events: Event[]): Verdict {
  const setting = events.find((event) => event.op === 'setting')?.setting;
  if (!setting) throw new Error('the history does not say what was run');
  const invariants = check(events);
  const run = readRun(events);
  const { clientRecords, end, lastFaultMillis } = run;
  const lastEnd = Math.max(...end.submissions.map(({ endedAtMillis }) => endedAtMillis ?? Number.POSITIVE_INFINITY));
  const firstFault = events.find((event) => event.op === 'phase' && event.name === 'faults')?.atMillis ?? 0;
  const acknowledged = clientRecords.filter(({ created }) => created);
  return {
    ...setting,
    faultSeconds: toSeconds(lastFaultMillis - firstFault),
    settledSecondsAfterLastFault: toSeconds(Math.max(0, lastEnd - lastFaultMillis)),
    counts: {
      'clients that requested a submission': clientRecords.filter(({ asked }) =>
        asked.some(({ op }) => op === 'create'),
      ).length,
      'submissions acknowledged': acknowledged.length,
      'of these live': acknowledged.filter(({ mode }) => mode === 'live').length,
      'submissions in the database at the end': end.submissions.length,
      'live assets charged': end.credits.length,
      'given up by their client': events.filter(({ op }) => op === 'give up').length,
      ...setting.counts,
      ...(end.webhooks && countWebhooks(end.webhooks, run)),
    },
    responses: countResponses(events),
    kills: killsOf(events),
    faults: events.flatMap((event) =>
      event.op === 'fault'
        ? {
            atSeconds: toSeconds(event.atMillis),
            kind: event.kind,
            target: event.target ?? '',
            lastedSeconds: toSeconds(event.millis),
            count: event.count ?? null,
          }
        : [],
    ),
    endedByThemselves: countBy(events.flatMap((event) => (event.op === 'ended by itself' ? event.target : []))),
    violationCount: invariants.reduce((sum, { violations }) => sum + violations.length, 0),
    invariants: invariants.map((one) => ({ ...one, violations: one.violations.slice(0, violationsShown) })),
  };
}

export function formatVerdict(verdict: Verdict): string {
  const statuses = [...new Set(Object.values(verdict.responses).flatMap(Object.keys))].sort();
  const responseRows = Object.entries(verdict.responses).map(([operation, counts]) => ({
    operation,
    ...Object.fromEntries(statuses.map((status) => [`→${status}`, String(counts[status] ?? '')])),
  }));
  const killRows = verdict.kills.map(({ atSeconds, target, signal, upAgainSeconds }) => ({
    'at s': String(atSeconds),
    target,
    signal,
    'up again after s': String(upAgainSeconds ?? 'never'),
  }));
  const faultRows = verdict.faults.map(({ atSeconds, kind, target, lastedSeconds, count }) => ({
    'at s': String(atSeconds),
    kind: count === null ? kind : `${count} ${kind}`,
    target,
    'lasted s': String(lastedSeconds),
  }));
  const violations = verdict.invariants.flatMap(({ name, violations }) => violations.map((one) => `- ${name}: ${one}`));
  const { live, sandbox } = verdict;
  const { planned, done } = verdict.strikes;
  const isCutShort = done < planned;
  return [
    `# Chaos: ${verdict.violationCount} violations`,
    '',
    `\`${formatCommand(verdict)}\`, ${verdict.date}. Machine: ${verdict.machine}.`,
    '',
    `At most ${live.perSecond} real files and ${sandbox.perSecond} sandbox submissions per second were submitted, and none while ${live.unsettledMax} or ${sandbox.unsettledMax} of their kind were not settled. Meanwhile ${done} strikes killed ${verdict.kills.length} processes and caused ${verdict.faults.length} other faults within ${verdict.faultSeconds} s. The last submission finished ${verdict.settledSecondsAfterLastFault} s after the last fault.`,
    ...(isCutShort
      ? [
          '',
          `Not in full: ${planned} strikes were planned, and the run was interrupted or slower than expected. What happened is checked as usual.`,
        ]
      : []),
    '',
    formatTable(
      verdict.invariants.map(({ name, checked, violations }) => ({
        invariant: name,
        checked: String(checked),
        violations: String(violations.length),
      })),
    ),
    ...(violations.length > 0 ? ['', '## Violations', '', ...violations] : []),
    '',
    '## Counts',
    '',
    formatTable(Object.entries(verdict.counts).map(([what, count]) => ({ what, count: String(count) }))),
    '',
    '## Responses',
    '',
    'By status; `none` is a request without a response. Reads with an unchanged result are counted too.',
    '',
    formatTable(responseRows),
    '',
    '## Kills',
    '',
    formatTable(killRows),
    '',
    ...(faultRows.length > 0 ? ['## Other faults', '', formatTable(faultRows), ''] : []),
    `Total kills: ${formatCounts(countBy(verdict.kills.map(({ target }) => target)))}.`,
    `Exited by themselves and were restarted: ${formatCounts(verdict.endedByThemselves)}.`,
  ].join('\n');
}

const formatCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count} times`)
    .join(', ') || 'none';

function countResponses(events: Event[]): Verdict['responses'] {
  const asked = events.filter((event): event is ClientRequest => 'millis' in event && 'client' in event);
  const counts: Verdict['responses'] = {};
  const lastRead = new Map<number, string>();
  const add = (op: string, status: string, count: number) => {
    const row = counts[op] ?? {};
    counts[op] = row;
    row[status] = (row[status] ?? 0) + count;
  };
  for (const one of asked) {
    const status = one.status === 0 ? 'none' : String(one.status);
    if (one.op === 'read') {
      if (one.sameBefore) add('read', lastRead.get(one.client) ?? status, one.sameBefore);
      lastRead.set(one.client, status);
    }
    add(one.op, status, 1);
  }
  return counts;
}

function killsOf(events: Event[]): Verdict['kills'] {
  return events.flatMap((event, i) => {
    if (event.op !== 'kill') return [];
    const up = events.slice(i).find((later) => later.op === 'up' && later.target === event.target);
    return {
      atSeconds: toSeconds(event.atMillis),
      target: event.target,
      signal: event.signal,
      upAgainSeconds: up ? toSeconds(up.atMillis - event.atMillis) : null,
    };
  });
}

const toSeconds = (millis: number) => Math.round(millis / 100) / 10;

function countBy(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
