import { Gauge } from 'prom-client';
import { sharedFor } from './mechanisms/shared-for.ts';
import type { Metrics } from './metrics.ts';
import type { QueueStats } from './temporal/queue-stats.ts';

/** Name and help text of each gauge, by figure. */
type Table<Figures> = Record<keyof Figures & string, [name: string, help: string]>;

const cacheMillis = 5000;

/**
 * Gauges of waiting work, read when scraped and cached for a few seconds. If a dependency does not answer, its gauges
 * are left out; readiness shows which one it is.
 */
export function addBacklogGauges<Figures extends Record<string, number>>(
  { registry }: Metrics,
  table: Table<Figures>,
  readFigures: () => Promise<Figures>,
  readQueues: () => Promise<QueueStats[]>,
): void {
  const registers = [registry];
  const figures = sharedFor(cacheMillis, () => readFigures().catch(() => undefined));
  const queues = sharedFor(cacheMillis, () => readQueues().catch(() => []));
  for (const [figure, [name, help]] of Object.entries(table)) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const values = await figures();
        if (values) this.set(values[figure] as number);
        else this.remove();
      },
    });
  }
  const perQueue: [string, string, (stats: QueueStats) => number][] = [
    ['assay_queue_waiting', 'Tasks waiting for a worker, by queue', ({ waiting }) => waiting],
    ['assay_queue_oldest_seconds', 'How long the oldest waiting task has waited', ({ oldestSeconds }) => oldestSeconds],
  ];
  for (const [name, help, read] of perQueue) {
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers,
      async collect() {
        this.reset();
        for (const stats of await queues()) this.set({ queue: stats.queue }, read(stats));
      },
    });
  }
}
