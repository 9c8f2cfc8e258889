import Fastify, { type FastifyInstance } from 'fastify';
import { sharedFor } from '#platform/mechanisms/shared-for.ts';
import type { Metrics } from '#platform/metrics.ts';

/** The server for operators, separate from the API server. */
export function createOperationsServer(): FastifyInstance {
  return Fastify({ requestTimeout: 10_000, http: { requestTimeout: 10_000, headersTimeout: 10_000 } });
}

/** The health check of each dependency. `off`: disabled by the operator. `not needed`: not used by this process. */
export type HealthChecks = Record<
  string,
  { check: () => Promise<unknown>; isRequired: boolean } | 'off' | 'not needed'
>;

export type Readiness = { isStopping: boolean };

const checkIntervalMillis = 1000;

/**
 * /healthz: the process is alive. /readyz: it can serve, or which dependency is down. Neither needs a key.
 *
 * @param facts further information about this process for an operator
 */
export function serveHealth(
  server: FastifyInstance,
  healthChecks: HealthChecks,
  readiness: Readiness,
  facts: Record<string, string> = {},
): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  const runAll = sharedFor(checkIntervalMillis, () => Promise.all(Object.entries(healthChecks).map(runHealthCheck)));
  server.get('/readyz', async (_request, reply) => {
    const results = await runAll();
    const isReady = !readiness.isStopping && results.every(({ state, isRequired }) => state === 'up' || !isRequired);
    const parts = Object.fromEntries(results.map(({ part, state }) => [part, state]));
    const status = readiness.isStopping ? 'stopping' : isReady ? 'ready' : 'not ready';
    return reply.code(isReady ? 200 : 503).send({ status, parts, ...facts });
  });
}

export function serveMetrics(server: FastifyInstance, metrics: Metrics): void {
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

async function runHealthCheck([part, healthCheck]: [string, HealthChecks[string]]) {
  if (typeof healthCheck === 'string') return { part, state: healthCheck, isRequired: false };
  const state = await withTimeout(2500, healthCheck.check()).then(
    () => 'up',
    () => 'down',
  );
  return { part, state, isRequired: healthCheck.isRequired };
}

async function withTimeout<T>(millis: number, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${millis} ms`)), millis);
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
