import { declareCounter } from '#platform/metrics.ts';

export const limiterFallbacks = declareCounter({
  name: 'assay_rate_limit_fallbacks_total',
  help: 'Requests counted in this process because Redis did not answer',
});
