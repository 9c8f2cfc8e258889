import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#config/config.ts';
import { createApi } from '#http/api.ts';
import { createAuthorizer } from '#http/authorize.ts';
import {
  createOperationsServer,
  type HealthChecks,
  type Readiness,
  serveHealth,
  serveMetrics,
} from '#http/operations.ts';
import { serveDocs } from '#http/static/docs.ts';
import { serveHome } from '#http/static/home.ts';
import { createAuthenticate } from '#modules/identity/keys/authenticate.ts';
import { createTickets } from '#modules/identity/tickets/ticket.ts';
import { logFailures } from '#platform/connections/log-failures.ts';
import type { Handles } from '#platform/handles.ts';
import { checkDb } from '#platform/postgres/db.ts';
import { logStores } from '#platform/storage/log-stores.ts';
import { checkWorkflows } from '#platform/temporal/workflows.ts';
import manifest from '../../../../package.json' with { type: 'json' };
import { handlersOf } from './handlers.ts';
import { listen, type RunningProcess } from './listen.ts';
import { openHandles } from './open-platform.ts';
import { openWebhooks } from './open-webhooks.ts';

export async function startApi(
  config: Config,
): Promise<RunningProcess & { url: string; api: FastifyInstance; handles: Handles }> {
  const { handles, close } = openHandles(config);
  const readiness: Readiness = { isStopping: false };
  const tickets = createTickets(config.KEY_PEPPER, handles.clock);
  const authenticate = createAuthenticate(handles, config.KEY_PEPPER);
  const authorizer = createAuthorizer(handles, authenticate, tickets, config.RATE_LIMITS);
  const settings = {
    trustedProxies: config.TRUSTED_PROXIES,
    corsOrigins: config.CORS_ORIGINS,
    requestTimeoutSeconds: config.REQUEST_TIMEOUT_SECONDS,
    streams: {
      perKeyMax: config.REALTIME_STREAMS_PER_KEY_MAX,
      perProcessMax: config.REALTIME_STREAMS_MAX,
      ageMillisMax: config.REALTIME_STREAM_MINUTES_MAX * 60_000,
      recheckMillis: config.REALTIME_RECHECK_SECONDS * 1000,
    },
  };
  const webhooks = openWebhooks(config);
  const api = createApi(handles, authorizer, handlersOf(webhooks, tickets, config), settings, readiness);
  const healthChecks: HealthChecks = {
    postgres: { check: () => checkDb(handles.db), isRequired: true },
    blobs: { check: () => handles.blobs.checkHealth(), isRequired: true },
    // Redis and the engine are not required: without Redis each process counts rate limits alone; without the engine,
    // accepted work waits.
    temporal: { check: () => checkWorkflows(handles.workflows), isRequired: false },
  };
  // Only the connection knows why Redis is down, and it logs the reason.
  const redisCheck = { check: () => handles.redis.ping(), isRequired: false };
  serveHealth(api, { ...logFailures(healthChecks, handles.log), redis: redisCheck }, readiness, {
    version: manifest.version,
  });
  serveHome(api);
  serveDocs(api, config.DOCS_DIR, handles.log);
  const metrics = createOperationsServer();
  serveMetrics(metrics, handles.metrics);
  const url = await listen(api, config.API_HOST, config.API_PORT);
  const metricsUrl = await listen(metrics, config.METRICS_HOST, config.API_METRICS_PORT);
  handles.log.info({ url, metricsUrl }, 'api is up');
  void logStores(handles.blobs, handles.log);

  const stop = async () => {
    readiness.isStopping = true;
    await sleep(config.DRAIN_SECONDS * 1000); // waits until the load balancer has noticed that /readyz fails
    await api.close();
    await metrics.close();
    await webhooks.outbound.close();
    await close();
  };
  return { url, metricsUrl, stop, api, handles };
}
