import { declareHistogram } from '#platform/metrics.ts';

export const attemptDuration = declareHistogram({
  name: 'assay_webhook_attempt_duration_seconds',
  help: 'Attempts to deliver a webhook event, by outcome',
  labelNames: ['outcome'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
});
