import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/** Names and units follow OpenTelemetry's semantic conventions, in Prometheus notation. */
export function openMetrics(pool: pg.Pool) {
  const registry = new Registry();
  const registers = [registry];

  const requestDuration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP server requests',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    registers,
  });
  const activeRequests = new Gauge({
    name: 'http_server_active_requests',
    help: 'HTTP server requests being answered',
    registers,
  });
  const limiterFallbacks = new Counter({
    name: 'assay_rate_limit_fallbacks_total',
    help: 'Requests counted in this process because Redis did not answer',
    registers,
  });

  const deliveryDuration = new Histogram({
    name: 'assay_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver a webhook event, by outcome',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers,
  });
  const observeDelivery = (outcome: string, seconds: number) => deliveryDuration.observe({ outcome }, seconds);

  const jobFailures = new Counter({
    name: 'assay_job_failures_total',
    help: 'Failed runs of repeated worker jobs, or of items in them; they are retried',
    labelNames: ['job'],
    registers,
  });
  const assetsSettled = new Counter({
    name: 'assay_assets_settled_total',
    help: 'Finished assets, by outcome: complete, or the errorType of the failure',
    labelNames: ['outcome'],
    registers,
  });
  const runsRestarted = new Counter({
    name: 'assay_runs_restarted_total',
    help: 'Runs that the engine had lost and that were restarted',
    registers,
  });
  const sidekickDuration = new Histogram({
    name: 'assay_sidekick_duration_seconds',
    help: 'Time that a sidekick took for an asset, including decoding shared with others',
    labelNames: ['sidekick'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
    registers,
  });
  const clockSkew = new Gauge({
    name: 'assay_clock_skew_seconds',
    help: 'How far the clock of this machine is ahead of the database; beyond one minute nothing is deleted',
    registers,
  });
  const toolJail = new Gauge({
    name: 'assay_tool_jail_info',
    help: 'Always 1; the label is the jail of media tools in this worker: bubblewrap, landlock, off or not needed',
    labelNames: ['level'],
    registers,
  });

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
  // Looking up a series by its labels costs more than the observation, so the series are cached.
  const seriesByLabels = new Map<string, { observe(seconds: number): void }>();
  const observeRequest = (method: string, route: string, status: number, seconds: number) => {
    const name = `${method} ${status} ${route}`;
    let series = seriesByLabels.get(name);
    if (!series) {
      series = requestDuration.labels({
        http_request_method: method,
        http_route: route,
        http_response_status_code: status,
      });
      seriesByLabels.set(name, series);
    }
    series.observe(seconds);
  };
  return {
    registry,
    requestDuration,
    observeRequest,
    activeRequests,
    limiterFallbacks,
    observeDelivery,
    jobFailures,
    toolJail,
    assetsSettled,
    runsRestarted,
    sidekickDuration,
    clockSkew,
  };
}
