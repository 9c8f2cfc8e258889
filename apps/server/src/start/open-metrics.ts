import type pg from 'pg';
import { Registry } from 'prom-client';
import * as limits from '#http/limits/metrics.ts';
import * as requests from '#http/metrics.ts';
import * as analysis from '#modules/analysis/metrics.ts';
import * as deliveries from '#modules/webhooks/deliveries/metrics.ts';
import * as jobs from '#platform/mechanisms/metrics.ts';
import type { DeclaredMetric, Metrics } from '#platform/metrics.ts';
import * as clock from '#platform/postgres/metrics.ts';
import { addPoolMetrics } from '#platform/postgres/pool-metrics.ts';
import { addProcessMetrics } from '#platform/process-metrics.ts';

/** The files that declare metrics. A metric that is added to one of them needs no entry here. */
const declarations: Record<string, DeclaredMetric<unknown>>[] = [requests, limits, deliveries, jobs, analysis, clock];

export function openMetrics(pool: pg.Pool): Metrics {
  const metrics = new Registry();
  // All metrics are created at start; otherwise a scrape would not show them before their first use.
  for (const declare of declarations.flatMap((file) => Object.values(file))) declare(metrics);
  addProcessMetrics(metrics);
  addPoolMetrics(metrics, pool);
  return metrics;
}
