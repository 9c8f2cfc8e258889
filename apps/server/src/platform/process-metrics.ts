import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

export function addProcessMetrics(metrics: Metrics): void {
  const registers = [metrics];
  const loopDelay = monitorEventLoopDelay({ resolution: 20 });
  loopDelay.enable();
  new Gauge({
    name: 'nodejs_eventloop_delay_p99_seconds',
    help: 'Event loop delay since the last scrape, 99th percentile',
    registers,
    collect() {
      this.set(loopDelay.percentile(99) / 1e9);
      loopDelay.reset();
    },
  });
  new Gauge({
    name: 'process_memory_usage_bytes',
    help: 'Resident memory',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_time_seconds_total',
    help: 'CPU time spent',
    labelNames: ['cpu_mode'],
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc({ cpu_mode: 'user' }, user / 1e6);
      this.inc({ cpu_mode: 'system' }, system / 1e6);
    },
  });
}
