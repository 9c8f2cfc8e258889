import { type FileKind, fileKinds } from '#bench/cost/measured.ts';

type Assumption = { value: number; unit: string; meaning: string };

/** Everything that the plan assumes, with its option of `pnpm scale`. No value is measured. */
export const assumptions = {
  'per-day': { value: 10_000_000, unit: 'submissions', meaning: 'submissions a day' },
  peak: { value: 3, unit: 'times', meaning: 'the busiest hour, compared with the mean of the day' },
  utilisation: { value: 0.6, unit: 'share', meaning: 'how busy a core, a database or a store may be at the peak' },

  assets: { value: 1, unit: 'files', meaning: 'files in a submission' },
  image: { value: 55, unit: '%', meaning: 'share of files that are photos' },
  document: { value: 10, unit: '%', meaning: 'share of files that are PDFs' },
  audio: { value: 10, unit: '%', meaning: 'share of files that are sound' },
  video: { value: 20, unit: '%', meaning: 'share of files that are video' },
  text: { value: 5, unit: '%', meaning: 'share of files that are plain text' },
  'audio-seconds': { value: 60, unit: 's', meaning: 'duration of a sound' },
  'video-seconds': { value: 30, unit: 's', meaning: 'duration of a video' },
  reads: { value: 3, unit: 'requests', meaning: 'requests for the status or result of a submission' },
  webhooks: { value: 1, unit: 'deliveries', meaning: 'webhook deliveries for each file' },

  'results-days': { value: 365, unit: 'days', meaning: 'KEEP_RESULTS_DAYS' },
  'media-days': { value: 30, unit: 'days', meaning: 'KEEP_MEDIA_DAYS' },
  'deliveries-days': { value: 30, unit: 'days', meaning: 'KEEP_DELIVERIES_DAYS' },
  'history-days': { value: 1, unit: 'days', meaning: 'how long Temporal keeps finished runs' },
  'history-factor': { value: 3, unit: 'times', meaning: 'database bytes of Temporal for each byte of history' },
  'storage-requests': { value: 5, unit: 'requests', meaning: 'for a file: write, inspect, read, list and delete' },

  'machine-cores': { value: 16, unit: 'cores', meaning: 'cores of a machine' },
  'worker-cores': { value: 4, unit: 'cores', meaning: 'cores that one worker process keeps busy' },
  connections: { value: 10, unit: 'connections', meaning: 'DATABASE_CONNECTIONS_MAX, of each process' },

  'postgres-cores': { value: 64, unit: 'cores', meaning: 'cores of one PostgreSQL server' },
  'postgres-commits': {
    value: 10_000,
    unit: 'commits/s',
    meaning: 'what its log device flushes; test yours with pgbench',
  },
  'postgres-wal': { value: 200, unit: 'MB/s', meaning: 'log that can be archived and replicated' },
  'postgres-disk': { value: 16, unit: 'TB', meaning: 'data that can be restored in an acceptable time' },
  'postgres-connections': { value: 1000, unit: 'connections', meaning: 'max_connections' },
  removals: { value: 100, unit: 'submissions/s', meaning: 'expired submissions that are deleted; see bench/retention' },
  'storage-rate': { value: 20_000, unit: 'requests/s', meaning: 'of one storage account' },
  'storage-in': { value: 25, unit: 'Gb/s', meaning: 'into one storage account' },
  'storage-out': { value: 50, unit: 'Gb/s', meaning: 'out of one storage account' },
} as const satisfies Record<string, Assumption>;

export type AssumptionName = keyof typeof assumptions;
export type Assumptions = Record<AssumptionName, number>;
export const assumptionNames = Object.keys(assumptions) as AssumptionName[];

/** A mistake in what the caller entered; only its message is printed. */
export class ScaleMistake extends Error {
  override readonly name = 'ScaleMistake';
}

const mayBeZero: readonly string[] = [...fileKinds, 'reads', 'webhooks', 'history-days'];

/** The assumptions with these changes, given as text. */
export function readAssumptions(changes: Partial<Record<AssumptionName, string>> = {}): Assumptions {
  const values = assumptionNames.map((name): [AssumptionName, number] => {
    const value = changes[name] === undefined ? assumptions[name].value : Number(changes[name]);
    const isValid = Number.isFinite(value) && (mayBeZero.includes(name) ? value >= 0 : value > 0);
    if (!isValid)
      throw new ScaleMistake(`--${name}: ${changes[name]} is not a valid number of ${assumptions[name].unit}.`);
    return [name, value];
  });
  const chosen = Object.fromEntries(values) as Assumptions;
  if (chosen.utilisation > 1) throw new ScaleMistake('--utilisation: must be at most 1.');
  const total = fileKinds.reduce((sum, kind) => sum + chosen[kind], 0);
  if (Math.abs(total - 100) > 1e-9) {
    throw new ScaleMistake(
      `The shares of ${fileKinds.join(', ')} add up to ${total} %. Change them so that they add up to 100 %.`,
    );
  }
  return chosen;
}

export const shareOf = (chosen: Assumptions, kind: FileKind): number => chosen[kind] / 100;
