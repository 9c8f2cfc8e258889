import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import manifest from '../../../package.json' with { type: 'json' };
import { moveCommand, rotateCommand, runAdmin } from './access/admin.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { getMe } from './access/get-me.ts';
import { countKeysByPepper } from './access/store.ts';
import { createTickets, type Tickets } from './access/ticket.ts';
import type { Config } from './config.ts';
import { openBlobs } from './handles/blobs/blobs.ts';
import { logStores } from './handles/blobs/log-stores.ts';
import { systemClock } from './handles/clock.ts';
import { logFailures } from './handles/connections/log-failures.ts';
import { readTlsFiles, type Tls } from './handles/connections/tls-files.ts';
import { checkDb, openDb } from './handles/db.ts';
import { createEngineSecurity, type EngineSecurity } from './handles/engine/security.ts';
import { checkWorkflows, openWorkflows } from './handles/engine/workflows.ts';
import type { Handles } from './handles/handles.ts';
import { idOfSecret } from './handles/key-ring.ts';
import { openLog } from './handles/log.ts';
import { openMetrics } from './handles/metrics.ts';
import { migrate } from './handles/migrate.ts';
import { openRealtime } from './handles/realtime.ts';
import { openRedis } from './handles/redis.ts';
import { createApi, type Handlers } from './http/api.ts';
import { createAuthorizer } from './http/authorize.ts';
import { serveDocs } from './http/docs.ts';
import {
  createOperationsServer,
  type HealthChecks,
  type Readiness,
  serveHealth,
  serveMetrics,
} from './http/operations.ts';
import { getAsset } from './issues/get-asset.ts';
import { getChanges } from './issues/get-changes.ts';
import { getEvidence } from './issues/get-evidence.ts';
import { getIssue } from './issues/get-issue.ts';
import { getMeasurements } from './issues/get-measurements.ts';
import { getTopics } from './issues/get-topics.ts';
import { listIssues } from './issues/list-issues.ts';
import { updateIssue } from './issues/update-issue.ts';
import { compareProfiles } from './profiles/compare-profiles.ts';
import { createProfile } from './profiles/create-profile.ts';
import { deleteProfile } from './profiles/delete-profile.ts';
import { getProfile } from './profiles/get-profile.ts';
import { listProfiles } from './profiles/list-profiles.ts';
import { updateProfile } from './profiles/update-profile.ts';
import { fireEvents } from './sandbox/fire-events.ts';
import { getSidekick } from './sidekicks/get-sidekick.ts';
import { listSidekicks } from './sidekicks/list-sidekicks.ts';
import { storeSettingsOf } from './store-settings.ts';
import { cancelSubmission } from './submissions/cancel-submission.ts';
import { createSubmission } from './submissions/create-submission.ts';
import { deleteSubmission } from './submissions/delete-submission.ts';
import { getSubmission } from './submissions/get-submission.ts';
import { listSubmissions } from './submissions/list-submissions.ts';
import { createTicket } from './submissions/realtime/create-ticket.ts';
import { openRealtime as followChannel } from './submissions/realtime/open-realtime.ts';
import { retryAsset } from './submissions/retry-asset.ts';
import { listVersions } from './submissions/versions/list-versions.ts';
import { completeUploadParts } from './uploads/complete-upload-parts.ts';
import { createUploadParts } from './uploads/create-upload-parts.ts';
import { createUploadUrl } from './uploads/create-upload-url.ts';
import { runMove } from './uploads/move/move-command.ts';
import { renewUploadUrl } from './uploads/renew-upload-url.ts';
import { uploadDirect } from './uploads/upload-direct.ts';
import { getDelivery } from './webhooks/deliveries/get-delivery.ts';
import { listDeliveries } from './webhooks/deliveries/list-deliveries.ts';
import { replayDeliveries } from './webhooks/deliveries/replay-deliveries.ts';
import { replayDelivery } from './webhooks/deliveries/replay-delivery.ts';
import { testSubscription } from './webhooks/deliveries/test-subscription.ts';
import { parseNetwork } from './webhooks/outbound/address-rules.ts';
import { openOutbound } from './webhooks/outbound/outbound.ts';
import { createSubscription } from './webhooks/subscriptions/create-subscription.ts';
import { deleteSubscription } from './webhooks/subscriptions/delete-subscription.ts';
import { getSubscription } from './webhooks/subscriptions/get-subscription.ts';
import { listEventTypes } from './webhooks/subscriptions/list-event-types.ts';
import { listSubscriptions } from './webhooks/subscriptions/list-subscriptions.ts';
import { resealSecrets } from './webhooks/subscriptions/reseal-secrets.ts';
import { rotateSecret } from './webhooks/subscriptions/rotate-secret.ts';
import { createSeal } from './webhooks/subscriptions/secret.ts';
import { updateSubscription } from './webhooks/subscriptions/update-subscription.ts';

/** Handlers by route. Those that send webhooks, or that handle webhook secrets or tickets, get the tools for it. */
function handlersOf(webhooks: WebhookTools, tickets: Tickets): Handlers {
  return {
    createUploadUrl,
    renewUploadUrl,
    createUploadParts,
    completeUploadParts,
    uploadDirect,
    createSubmission,
    listSubmissions,
    getSubmission,
    deleteSubmission,
    cancelSubmission,
    retryAsset,
    listVersions,
    getAsset,
    listIssues,
    getIssue,
    updateIssue,
    getEvidence,
    getMeasurements,
    getTopics,
    getChanges,
    listSidekicks,
    getSidekick,
    listProfiles,
    createProfile,
    getProfile,
    updateProfile,
    deleteProfile,
    compareProfiles,
    getMe,
    openRealtime: followChannel,
    createTicket: (call, handles) => createTicket(call, handles, tickets),
    createSubscription: (call, handles) => createSubscription(call, handles, webhooks),
    listSubscriptions,
    getSubscription,
    updateSubscription: (call, handles) => updateSubscription(call, handles, webhooks),
    deleteSubscription,
    rotateSecret: (call, handles) => rotateSecret(call, handles, webhooks),
    testSubscription: (call, handles) => testSubscription(call, handles, webhooks),
    listDeliveries,
    getDelivery,
    replayDelivery,
    replayDeliveries,
    listEventTypes,
    fireEvents,
  };
}

type WebhookTools = ReturnType<typeof openWebhooks>;

export function openWebhooks(config: Config) {
  const timeoutMillis = config.WEBHOOK_TIMEOUT_SECONDS * 1000;
  const outbound = openOutbound({
    allowedNetworks: config.WEBHOOK_ALLOWED_CIDRS.map(parseNetwork),
    isLoopbackAllowed: config.ASSAY_MODE === 'development',
    timeoutMillis,
  });
  return { outbound, seal: createSeal(config.WEBHOOK_SECRETS_KEY), timeoutMillis };
}

export type Running = { metricsUrl: string; stop(): Promise<void> };

export async function startApi(
  config: Config,
): Promise<Running & { url: string; api: FastifyInstance; handles: Handles }> {
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
  const api = createApi(handles, authorizer, handlersOf(webhooks, tickets), settings, readiness);
  const healthChecks: HealthChecks = {
    postgres: { check: () => checkDb(handles.db), isRequired: true },
    blobs: { check: () => handles.blobs.checkHealth(), isRequired: true },
    // Without Redis each process counts rate limits on its own; without the engine accepted work waits.
    temporal: { check: () => checkWorkflows(handles.workflows), isRequired: false },
  };
  // Why Redis is down is known only to its connection, which logs it.
  const redisCheck = { check: () => handles.redis.ping(), isRequired: false };
  serveHealth(api, { ...logFailures(healthChecks, handles.log), redis: redisCheck }, readiness, {
    version: manifest.version,
  });
  serveDocs(api, config.DOCS_DIR, handles.log);
  const metrics = createOperationsServer();
  serveMetrics(metrics, handles.metrics);
  const url = await listen(api, config.API_HOST, config.API_PORT);
  const metricsUrl = await listen(metrics, config.METRICS_HOST, config.API_METRICS_PORT);
  handles.log.info({ url, metricsUrl }, 'api is up');
  void logStores(handles.blobs, handles.log);

  const stop = async () => {
    readiness.isStopping = true;
    await sleep(config.DRAIN_SECONDS * 1000); // until the load balancer has seen that /readyz fails
    await api.close();
    await metrics.close();
    await webhooks.outbound.close();
    await close();
  };
  return { url, metricsUrl, stop, api, handles };
}

export async function migrateDatabase(config: Config): Promise<void> {
  await migrate(config.DATABASE_URL);
}

export async function administer(config: Config, args: string[]): Promise<unknown> {
  const { handles, close } = openHandles({ ...config, LOG_LEVEL: 'error' });
  try {
    if (args.join(' ') === rotateCommand) return await rotateSecrets(config, handles);
    if (args.slice(0, 2).join(' ') === moveCommand) return await runMove(args.slice(2), handles, process.stderr);
    return await runAdmin(args, handles, config.KEY_PEPPER);
  } finally {
    await close();
  }
}

/** Reseals webhook secrets. Of an API key only the HMAC is stored: it is replaced when the key is used next. */
async function rotateSecrets(config: Config, handles: Handles): Promise<unknown> {
  const seal = createSeal(config.WEBHOOK_SECRETS_KEY);
  return {
    webhookSecrets: await resealSecrets(handles, seal),
    apiKeys: await countKeysByPepper(handles.db, idOfSecret(config.KEY_PEPPER[0])),
  };
}

export function openHandles(config: Config): { handles: Handles; close(): Promise<void> } {
  const log = openLog(config.LOG_LEVEL);
  for (const warning of config.warnings) log.warn(warning);
  const { db, pool } = openDb(config.DATABASE_URL, config.DATABASE_CONNECTIONS_MAX, log);
  const redis = openRedis(config.REDIS_URL, config.REDIS_KEY_PREFIX, log, redisTlsOf(config));
  const workflows = openWorkflows(
    config.TEMPORAL_ADDRESS,
    config.TEMPORAL_NAMESPACE,
    config.TEMPORAL_QUEUE_PREFIX,
    { lostAfterSeconds: config.WORKER_LOST_AFTER_SECONDS, retrySecondsMax: config.RETRY_SECONDS_MAX },
    engineSecurityOf(config),
  );
  const blobs = openBlobs(...storeSettingsOf(config));
  const realtime = openRealtime(redis, config.REDIS_KEY_PREFIX);
  const handles = { db, redis, realtime, blobs, workflows, log, clock: systemClock, metrics: openMetrics(pool) };
  const close = async () => {
    realtime.close();
    redis.disconnect();
    await Promise.all([db.destroy(), workflows.connection.close()]);
  };
  return { handles, close };
}

function redisTlsOf(config: Config): Tls | undefined {
  if (!config.REDIS_URL.startsWith('rediss:')) return undefined;
  return readTlsFiles({
    caFile: config.REDIS_CA_FILE,
    certFile: config.REDIS_CERT_FILE,
    keyFile: config.REDIS_KEY_FILE,
  });
}

/** For the client and for the workers. */
export function engineSecurityOf(config: Config): EngineSecurity {
  return createEngineSecurity({
    usesTls: config.TEMPORAL_TLS,
    caFile: config.TEMPORAL_TLS_CA_FILE,
    certFile: config.TEMPORAL_TLS_CERT_FILE,
    keyFile: config.TEMPORAL_TLS_KEY_FILE,
    serverName: config.TEMPORAL_TLS_SERVER_NAME,
    apiKey: config.TEMPORAL_API_KEY,
  });
}

export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port });
  const { address, family, port: actual } = server.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`;
}
