import type { Measured } from '#bench/cost/measured.ts';
import type { Assumptions } from './assumptions.ts';
import { type SubmissionCost, submissionCost } from './submission-cost.ts';

/** What `pnpm growth` measures: bytes of rows and indexes in the database of the service, by table. */
export type Growth = {
  date: string;
  command: string;
  submissions: number;
  bytesPerSubmission: Record<string, number>;
  /** Of tables whose rows are only of the newest months. */
  bytesPerNewSubmission: Record<string, number>;
};

/** What one cell has only once, or of which a process or machine is added. */
export type Limit = {
  name: string;
  /** What is needed in all, and what one carries, in this unit. */
  unit: string;
  needed: number;
  carries: number;
  /** At this many submissions a day, one is full. */
  reachedPerDay: number;
  /** Whether another cell is needed then; otherwise another machine or process is added to the cell. */
  needsCell: boolean;
};

export type Plan = {
  chosen: Assumptions;
  each: SubmissionCost;
  rates: Record<'submissionsPerSecond' | 'peakPerSecond' | 'webhooksPerSecond' | 'storageRequestsPerSecond', number>;
  /** Cores at the peak, for the assumed utilisation. */
  cores: Record<'worker' | 'api' | 'postgres' | 'temporal' | 'redis', number>;
  processes: Record<'worker' | 'api' | 'connections', number>;
  database: {
    commitsPerSecond: number;
    walBytesPerSecond: number;
    walBytesPerDay: number;
    /** Temporal's share of the statements and of the log. */
    engineStatementShare: number;
    engineWalShare: number;
    /** `undefined` without a measurement of the tables. */
    tableBytes: number | undefined;
    evidenceBytes: number;
    historyBytes: number;
  };
  temporal: Record<'startsPerSecond' | 'eventsPerSecond', number>;
  storage: Record<'objects' | 'bytes' | 'inBitsPerSecond' | 'outBitsPerSecond', number>;
  /** In the order in which they are reached. */
  limits: Limit[];
  cells: number;
  machines: Record<'worker' | 'api' | 'temporal' | 'postgresServers' | 'redisServers', number>;
};

const secondsPerDay = 86_400;
/** Tables whose rows are deleted before the submission's, and how long they are kept. */
const keptDays: Record<string, (chosen: Assumptions) => number> = {
  events: (chosen) => chosen['deliveries-days'],
  deliveries: (chosen) => chosen['deliveries-days'],
  idempotency_keys: () => 1,
  // Deleted within seconds or minutes.
  examinations: () => 0,
  runs_to_start: () => 0,
  runs_to_cancel: () => 0,
  // Counted by kind of file, as evidence.
  stills: () => 0,
  measurements: () => 0,
};

/** What a number of submissions needs, from measured costs and assumptions. A pure function. */
export function planScale(measured: Measured, chosen: Assumptions, growth?: Growth): Plan {
  const each = submissionCost(measured, chosen);
  const perSecond = chosen['per-day'] / secondsPerDay;
  const peakPerSecond = perSecond * chosen.peak;
  const { cost } = each;
  const coresFor = (millis: number) => (peakPerSecond * millis) / 1000 / chosen.utilisation;
  const cores = {
    worker: coresFor(cost.workerMillis),
    api: coresFor(cost.apiMillis),
    postgres: coresFor(cost.postgresMillis),
    temporal: coresFor(cost.temporalMillis),
    redis: coresFor(cost.redisMillis),
  };
  const workers = Math.ceil(cores.worker / chosen['worker-cores']);
  const apis = Math.ceil(cores.api);
  const processes = { worker: workers, api: apis, connections: (workers + apis) * chosen.connections };
  const rates = {
    submissionsPerSecond: perSecond,
    peakPerSecond,
    webhooksPerSecond: peakPerSecond * chosen.assets * chosen.webhooks,
    storageRequestsPerSecond: peakPerSecond * chosen.assets * chosen['storage-requests'],
  };
  const bitsPerSecond = peakPerSecond * each.mediaBytes * 8;
  const storage = {
    objects: chosen['per-day'] * chosen.assets * chosen['media-days'],
    bytes: chosen['per-day'] * each.mediaBytes * chosen['media-days'],
    inBitsPerSecond: bitsPerSecond,
    outBitsPerSecond: bitsPerSecond, // each file is read once, to examine it
  };
  const database = {
    commitsPerSecond: peakPerSecond * cost.commits,
    walBytesPerSecond: peakPerSecond * cost.walBytes,
    walBytesPerDay: chosen['per-day'] * cost.walBytes,
    engineStatementShare: cost.engineStatements / (cost.engineStatements + cost.statements),
    engineWalShare: cost.engineStatementWalBytes / (cost.engineStatementWalBytes + cost.statementWalBytes),
    tableBytes: growth && tableBytes(growth, chosen),
    evidenceBytes: chosen['per-day'] * each.evidenceBytes * chosen['results-days'],
    historyBytes: chosen['per-day'] * each.historyBytes * chosen['history-days'] * chosen['history-factor'],
  };
  const limits = findLimits({ chosen, cores, processes, database, storage, rates });
  const cells = Math.max(
    1,
    ...limits.filter(({ needsCell }) => needsCell).map(({ needed, carries }) => Math.ceil(needed / carries)),
  );
  const machinesFor = (needed: number) => Math.ceil(needed / chosen['machine-cores']);
  return {
    chosen,
    each,
    rates,
    cores,
    processes,
    database,
    temporal: { startsPerSecond: peakPerSecond, eventsPerSecond: peakPerSecond * each.historyEvents },
    storage,
    limits,
    cells,
    machines: {
      worker: machinesFor(cores.worker),
      api: machinesFor(cores.api),
      temporal: machinesFor(cores.temporal),
      postgresServers: cells * 2, // each with a standby
      redisServers: cells,
    },
  };
}

function tableBytes({ bytesPerSubmission, bytesPerNewSubmission }: Growth, chosen: Assumptions): number {
  const perSubmission = { ...bytesPerSubmission, ...bytesPerNewSubmission };
  const daysOf = (table: string) => keptDays[table]?.(chosen) ?? chosen['results-days'];
  return Object.entries(perSubmission).reduce(
    (sum, [table, bytes]) => sum + bytes * chosen.assets * chosen['per-day'] * daysOf(table),
    0,
  );
}

type Needs = Pick<Plan, 'chosen' | 'cores' | 'processes' | 'database' | 'storage' | 'rates'>;

function findLimits({ chosen, cores, processes, database, storage, rates }: Needs): Limit[] {
  const { utilisation } = chosen;
  const limit = (name: string, unit: string, needed: number, carries: number, needsCell = true): Limit => ({
    name,
    unit,
    needed,
    carries,
    reachedPerDay: (chosen['per-day'] * carries) / needed,
    needsCell,
  });
  const bytes = (database.tableBytes ?? 0) + database.evidenceBytes + database.historyBytes;
  return [
    limit('CPU of a worker machine', 'cores', cores.worker, chosen['machine-cores'], false),
    limit('CPU of an API process', 'cores', cores.api, 1, false),
    limit('CPU of a Temporal machine', 'cores', cores.temporal, chosen['machine-cores'], false),
    limit('CPU of Redis', 'cores', cores.redis, 1),
    limit('CPU of PostgreSQL', 'cores', cores.postgres, chosen['postgres-cores']),
    limit('commits of PostgreSQL', 'commits/s', database.commitsPerSecond / utilisation, chosen['postgres-commits']),
    limit('log of PostgreSQL', 'MB/s', database.walBytesPerSecond / 1e6 / utilisation, chosen['postgres-wal']),
    limit('data in PostgreSQL', 'TB', bytes / 1e12, chosen['postgres-disk']),
    limit('connections of PostgreSQL', 'connections', processes.connections, chosen['postgres-connections']),
    limit('deletion of expired submissions', 'submissions/s', rates.submissionsPerSecond, chosen.removals),
    limit(
      'requests to a storage account',
      'requests/s',
      rates.storageRequestsPerSecond / utilisation,
      chosen['storage-rate'],
    ),
    limit('data into a storage account', 'Gb/s', storage.inBitsPerSecond / 1e9 / utilisation, chosen['storage-in']),
    limit('data out of a storage account', 'Gb/s', storage.outBitsPerSecond / 1e9 / utilisation, chosen['storage-out']),
  ].toSorted((a, b) => a.reachedPerDay - b.reachedPerDay);
}
