import { openLog } from '@assay/server/platform/log.ts';
import { openDb } from '@assay/server/platform/postgres/db.ts';
import type pg from 'pg';

export type Cost = {
  /** Pages that the statements read, in memory or not. */
  buffers: number;
  /** Descents of indexes: by scans, and by each row that is written. */
  descents: number;
  /** Duration of the slowest statement. */
  millis: number;
  statements: number;
};

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  Operation?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
};

/** Has PostgreSQL report the plan of each statement of the service, with what it really read, to the connection. */
export async function reportPlans(superuser: pg.Client, database: string): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    client_min_messages: 'log',
  };
  for (const [name, value] of Object.entries(settings))
    await superuser.query(`alter database ${database} set ${name} = '${value}'`);
}

/** A connection as the service opens it. `costOf` runs the work and returns what its statements cost. */
export function openMeasuredDb(url: string, indexesOf: Map<string, number>) {
  const { db, pool } = openDb(url, 1, openLog('silent'));
  let plans: { plan: PlanNode; millis: number }[] = [];
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const [, millis, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? [];
      if (json) plans.push({ plan: JSON.parse(json).Plan, millis: Number(millis) });
    });
  });
  return {
    db,
    close: () => db.destroy(),
    async costOf(work: () => Promise<unknown>): Promise<Cost> {
      plans = [];
      await work();
      return {
        buffers: sum(plans.map(({ plan }) => buffersOf(plan))),
        descents: sum(plans.map(({ plan }) => descentsOf(plan, indexesOf))),
        millis: Math.max(0, ...plans.map(({ millis }) => millis)),
        statements: plans.length,
      };
    },
  };
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** A node's figures include those of the nodes below it. */
const buffersOf = (plan: PlanNode) => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);

function descentsOf(node: PlanNode, indexesOf: Map<string, number>): number {
  const loops = node['Actual Loops'] ?? 0;
  const own = /^(Index Scan|Index Only Scan|Bitmap Index Scan)$/.test(node['Node Type']) ? loops : 0;
  return own + writtenIndexes(node, indexesOf) + sum((node.Plans ?? []).map((one) => descentsOf(one, indexesOf)));
}

function writtenIndexes(node: PlanNode, indexesOf: Map<string, number>): number {
  if (node['Node Type'] !== 'ModifyTable' || node.Operation === 'Delete') return 0;
  const rows = sum((node.Plans ?? []).map((one) => (one['Actual Rows'] ?? 0) * (one['Actual Loops'] ?? 0)));
  return rows * (indexesOf.get(node['Relation Name'] ?? '') ?? 0);
}

/** How many indexes each table has. */
export async function countIndexes(superuser: pg.Client): Promise<Map<string, number>> {
  const { rows } = await superuser.query<{ name: string; count: number }>(
    'select indrelid::regclass::text as name, count(*)::int as count from pg_index group by 1',
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
