import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#platform/metrics.ts';
import { activeRequests, requestDuration } from './metrics.ts';

/** Counts the requests in progress, and records the duration of each by method, route and status. */
export function measureRequests(api: FastifyInstance, metrics: Metrics): void {
  const active = activeRequests(metrics);
  const duration = requestDuration(metrics);
  // Looking up a series by its labels costs more than the observation, so the series are cached.
  const seriesByLabels = new Map<string, { observe(seconds: number): void }>();

  api.addHook('onRequest', (_request, reply, done) => {
    active.inc();
    reply.raw.once('close', () => active.dec()); // also when the client leaves early
    done();
  });
  api.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const route = routeOptions.url ?? '';
    const name = `${method} ${reply.statusCode} ${route}`;
    let series = seriesByLabels.get(name);
    if (!series) {
      series = duration.labels({
        http_request_method: method,
        http_route: route,
        http_response_status_code: reply.statusCode,
      });
      seriesByLabels.set(name, series);
    }
    series.observe(reply.elapsedTime / 1000);
    done();
  });
}
