import { declareCounter } from '../metrics.ts';

export const jobFailures = declareCounter({
  name: 'assay_job_failures_total',
  help: 'Failed runs of repeated worker jobs, or of items in them; they are retried',
  labelNames: ['job'],
});
