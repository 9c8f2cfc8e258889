import type pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.ts';

export function addPoolMetrics(metrics: Metrics, pool: pg.Pool): void {
  const registers = [metrics];
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Database connections',
    labelNames: ['db_client_connection_state'],
    registers,
    collect() {
      this.set({ db_client_connection_state: 'idle' }, pool.idleCount);
      this.set({ db_client_connection_state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'db_client_connection_pending_requests',
    help: 'Requests waiting for a database connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
