import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type Registry,
} from 'prom-client';

/** The metrics of one process. Names and units follow OpenTelemetry's semantic conventions, in Prometheus notation. */
export type Metrics = Registry;

/** Returns the declared metric from the registry of a process, and creates it there if necessary. */
export type DeclaredMetric<Metric> = (metrics: Metrics) => Metric;

export function declareCounter<Label extends string = never>(
  definition: CounterConfiguration<Label>,
): DeclaredMetric<Counter<Label>> {
  return (metrics) =>
    findMetric<Counter<Label>>(metrics, definition) ?? new Counter({ ...definition, registers: [metrics] });
}

export function declareGauge<Label extends string = never>(
  definition: GaugeConfiguration<Label>,
): DeclaredMetric<Gauge<Label>> {
  return (metrics) =>
    findMetric<Gauge<Label>>(metrics, definition) ?? new Gauge({ ...definition, registers: [metrics] });
}

export function declareHistogram<Label extends string = never>(
  definition: HistogramConfiguration<Label>,
): DeclaredMetric<Histogram<Label>> {
  return (metrics) =>
    findMetric<Histogram<Label>>(metrics, definition) ?? new Histogram({ ...definition, registers: [metrics] });
}

function findMetric<Metric>(metrics: Metrics, { name }: { name: string }): Metric | undefined {
  return metrics.getSingleMetric(name) as Metric | undefined;
}
