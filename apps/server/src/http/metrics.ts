import { declareGauge, declareHistogram } from '#platform/metrics.ts';

export const requestDuration = declareHistogram({
  name: 'http_server_request_duration_seconds',
  help: 'Duration of HTTP server requests',
  labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
});

export const activeRequests = declareGauge({
  name: 'http_server_active_requests',
  help: 'HTTP server requests being answered',
});
