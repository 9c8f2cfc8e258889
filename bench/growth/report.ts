import { formatTable } from '@assay/testing/measure/table.ts';
import { formatHead } from '../measure/report.ts';
import { contents } from './fill.ts';
import type { Costs } from './measure-operations.ts';
import type { MigrationResult } from './migrations.ts';
import { exceptions } from './operations/all.ts';
import type { Cost } from './plans.ts';
import type { Sizes } from './sizes.ts';

export type Grown = { submissions: number; migrations: MigrationResult[]; costs: Costs; sizes: Sizes };

const ratioMax = 1.3;
const lockMillisMax = 1000;

export function formatReport(
  small: Grown,
  large: Grown,
  { postgres, command }: Record<'postgres' | 'command', string>,
) {
  const rows = [...large.costs].map(([name, cost]) => compare(name, small.costs.get(name), cost));
  const slow = large.migrations.filter(({ load, lock }) => load.failures.length > 0 || lock.millis > lockMillisMax);
  const complaints = [
    ...rows
      .filter(({ isTooMuch }) => isTooMuch)
      .map(({ row }) => `${row.operation}: ${row.large}${row.allowed && ' pages'}`),
    ...slow.map(({ name, load, lock }) => `${name}: ${load.failures[0] ?? `a lock for ${lock.millis.toFixed(0)} ms`}`),
  ];
  const text = [
    formatHead({
      title: 'What grows with the database',
      command,
      settings: `${format(small.submissions)} and ${format(large.submissions)} submissions over ${contents.months} months, ${format(contents.workspaces)} workspaces, the first of which owns a fifth`,
      versions: { PostgreSQL: postgres },
    }),
    `The databases have ${(small.sizes.databaseBytes / 1e9).toFixed(1)} and ${(large.sizes.databaseBytes / 1e9).toFixed(1)} GB. Issues, events and deliveries are of the newest ${contents.newestMonths} months.`,
    complaints.length === 0 ? 'Reached.' : `Not reached: ${complaints.join('; ')}.`,
    '## Operations',
    `Pages that the statements of each function of the stores read, with the plans that the service uses, on rows of the largest workspace. Allowed are ${ratioMax} × those of the small database, and one for each descent of an index. Time: the slowest statement of four runs, the first of which reads from disk. An operation fails if a statement takes longer than 2,500 ms, as in the service.`,
    formatTable(rows.map(({ row }) => row)),
    ...describeExceptions(),
    ...describeMigrations(small, large),
  ].join('\n\n');
  return { text, isReached: complaints.length === 0 };
}

function describeMigrations(small: Grown, large: Grown): string[] {
  if (large.migrations.length === 0) return [];
  return [
    '## Migrations',
    'Each migration from the schema of the first version on, then the indexes, while three connections read, create and settle submissions with statements of the first version. The lock is the one on an existing table that held back other statements longest, sampled every 20 ms.',
    formatTable(
      large.migrations.map(({ name, seconds, lock, load }, i) => ({
        migration: name,
        'small, s': small.migrations[i]?.seconds.toFixed(1) ?? '',
        'large, s': seconds.toFixed(1),
        'longest lock, ms': lock.millis === 0 ? '<20' : `${lock.millis.toFixed(0)} (${lock.table}, ${lock.mode})`,
        requests: String(load.requests),
        failed: String(load.failures.length),
        'slowest request, ms': load.slowestMillis.toFixed(0),
      })),
    ),
  ];
}

/** One line for each reason. */
function describeExceptions(): string[] {
  const byReason = Map.groupBy(Object.entries(exceptions), ([, { reason }]) => reason);
  return [...byReason].map(([reason, named]) => `\\* ${named.map(([name]) => name).join(', ')}: ${reason}.`);
}

function compare(name: string, small: Cost | Error | undefined, large: Cost | Error) {
  if (small instanceof Error || large instanceof Error || !small) return failed(name, small, large);
  const exception = exceptions[name];
  const allowed = exception ? (exception.pagesMax ?? Infinity) : ratioMax * small.buffers + large.descents;
  return {
    isTooMuch: large.buffers > allowed,
    row: {
      operation: exception ? `${name}\\*` : name,
      small: String(small.buffers),
      large: String(large.buffers),
      allowed: Number.isFinite(allowed) ? allowed.toFixed(0) : '',
      'slowest, ms': large.millis.toFixed(1),
    },
  };
}

const failed = (name: string, small: Cost | Error | undefined, large: Cost | Error) => ({
  isTooMuch: true,
  row: {
    operation: name,
    small: small instanceof Error ? small.message : String(small?.buffers),
    large: large instanceof Error ? large.message : String(large.buffers),
    allowed: '',
    'slowest, ms': '',
  },
});

const format = (count: number) => count.toLocaleString('en');
