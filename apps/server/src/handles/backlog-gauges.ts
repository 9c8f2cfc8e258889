import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';
import type { QueueStats } from './queue-stats.ts';
import { sharedFor } from './shared-for.ts';

/** Name and help of a gauge, by the figure that it shows. */
type Table<Figures> = Record<keyof Figures & string, [name: string, help: string]>;

const readAgainAfterMillis = 5000;

/**
 * Figures of what waits: read when they are asked for, and at most every few seconds. A part that does not answer leaves
 * them out; readiness says which it is.
 */
export function addBacklogGauges<Figures extends Record<string, number>>(
  { registry }: Metrics,
  table: Table<Figures>,
  readFigures: () => Promise<Figures>,
  readQueues: () => Promise<QueueStats[]>,
): void {
  const registers = [registry];
  const figures = sharedFor(readAgainAfterMillis, () => readFigures().catch(() => undefined));
  const queues = sharedFor(readAgainAfterMillis, () => readQueues().catch(() => []));
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
    ['assay_queue_waiting', 'Tasks that wait for a worker, by queue', ({ waiting }) => waiting],
    ['assay_queue_oldest_seconds', 'How long the oldest of them waits', ({ oldestSeconds }) => oldestSeconds],
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
