import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const fileKinds = ['text', 'image', 'document', 'audio', 'video'] as const;
export type FileKind = (typeof fileKinds)[number];

/** What is measured of a submission or a request, with its heading in the report and the unit there. */
export const resources = {
  statements: { heading: 'SQL', per: 1 },
  engineStatements: { heading: 'engine SQL', per: 1 },
  commits: { heading: 'commits', per: 1 },
  walBytes: { heading: 'WAL kB', per: 1000 },
  pageImageBytes: { heading: 'page images kB', per: 1000 },
  statementWalBytes: { heading: 'WAL of SQL kB', per: 1000 },
  engineStatementWalBytes: { heading: 'WAL of engine SQL kB', per: 1000 },
  sqlMillis: { heading: 'SQL ms', per: 1 },
  engineSqlMillis: { heading: 'engine SQL ms', per: 1 },
  apiMillis: { heading: 'api ms', per: 1 },
  workerMillis: { heading: 'worker ms', per: 1 },
  postgresMillis: { heading: 'postgres ms', per: 1 },
  temporalMillis: { heading: 'temporal ms', per: 1 },
  storageMillis: { heading: 'storage ms', per: 1 },
  redisMillis: { heading: 'redis ms', per: 1 },
} as const;
export type Resource = keyof typeof resources;
/**
 * CPU time is in milliseconds. `sqlMillis` is the time in which statements ran, which includes waits. `walBytes` is the
 * log of the server without images of pages; what statements wrote includes images, but no commits.
 */
export type Cost = Record<Resource, number>;

export type MeasuredCase = {
  name: string;
  mode: 'live' | 'sandbox';
  kind: FileKind;
  /** What each file is. */
  what: string;
  assetCount: number;
  /** Which checks ran: all that run by default, or only File safety. */
  checks: 'default' | 'File safety';
  /** Deliveries of webhooks for each submission. */
  deliveryCount: number;
  fileBytes: number;
  fileSeconds?: number;
  submissionCount: number;
  /** The median of the time from the request until the submission is complete. */
  millis: number;
  historyEvents: number;
  historyBytes: number;
  /** Stills and measurements in the database. */
  evidenceBytes: number;
  cost: Cost;
};

/** What `pnpm bench cost --write` writes and `pnpm scale` reads. */
export type Measured = {
  date: string;
  command: string;
  machine: string;
  /** In `bubblewrap`, the CPU time of tools is missing from the worker's. */
  toolJail: 'landlock' | 'bubblewrap';
  versions: Record<string, string>;
  cases: MeasuredCase[];
  /** Costs of single requests. */
  requests: Record<'uploadUrl' | 'readSubmission', Cost>;
};

export const measuredFile = join(import.meta.dirname, 'measured.json');

export function readMeasured(): Measured {
  return JSON.parse(readFileSync(measuredFile, 'utf8'));
}

export const mapCost = (cost: Cost, change: (value: number, resource: Resource) => number): Cost =>
  Object.fromEntries(Object.entries(cost).map(([name, value]) => [name, change(value, name as Resource)])) as Cost;
