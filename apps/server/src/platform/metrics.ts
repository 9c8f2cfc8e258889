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

/** A declared metric: called with the registry of a process, it returns the metric there and creates it if necessary. */
export type Declared<Metric> = (metrics: Metrics) => Metric;

export function declareCounter<Label extends string = never>(
  definition: CounterConfiguration<Label>,
): Declared<Counter<Label>> {
  return (metrics) => find<Counter<Label>>(metrics, definition) ?? new Counter({ ...definition, registers: [metrics] });
}

export function declareGauge<Label extends string = never>(
  definition: GaugeConfiguration<Label>,
): Declared<Gauge<Label>> {
  return (metrics) => find<Gauge<Label>>(metrics, definition) ?? new Gauge({ ...definition, registers: [metrics] });
}

export function declareHistogram<Label extends string = never>(
  definition: HistogramConfiguration<Label>,
): Declared<Histogram<Label>> {
  return (metrics) =>
    find<Histogram<Label>>(metrics, definition) ?? new Histogram({ ...definition, registers: [metrics] });
}

function find<Metric>(metrics: Metrics, { name }: { name: string }): Metric | undefined {
  return metrics.getSingleMetric(name) as Metric | undefined;
}
