import { type Config, ConfigError } from '#config/config.ts';
import {
  createOperationsServer,
  type HealthChecks,
  type Readiness,
  serveHealth,
  serveMetrics,
} from '#http/operations.ts';
import { createExaminationActivities, createSettlementActivities } from '#modules/analysis/analysis.activities.ts';
import { toolJailInfo } from '#modules/analysis/metrics.ts';
import { needsJail, openJail } from '#modules/analysis/open-jail.ts';
import { openTryTools } from '#modules/analysis/open-try-tools.ts';
import { reconcileRuns } from '#modules/analysis/reconcile-runs.ts';
import { createExaminationShare, type ExaminationShare } from '#modules/analysis/share/examination-share.ts';
import { createWorkspaceLimit } from '#modules/analysis/share/workspace-limit.ts';
import { deleteUnusedRevisions } from '#modules/profiles/revisions/delete-unused-revisions.ts';
import { correctVerdicts, storeMissingVerdicts } from '#modules/results/store-missing-verdicts.ts';
import { createSimulationActivities } from '#modules/sandbox/sandbox.activities.ts';
import { deleteExpired } from '#modules/submissions/retention/delete-expired.ts';
import { makeMonths } from '#modules/submissions/retention/month-store.ts';
import { addBacklogGauges } from '#modules/submissions/runs/backlog-store.ts';
import { dueAfterMillisOf, sweepRuns } from '#modules/submissions/runs/sweep-runs.ts';
import { measureUploads } from '#modules/uploads/quota/measure-uploads.ts';
import { purgeMedia } from '#modules/uploads/retention/purge-media.ts';
import { createDeliveryActivities } from '#modules/webhooks/deliveries/delivery.activities.ts';
import { createDeliveryPermits } from '#modules/webhooks/deliveries/delivery-permits.ts';
import { sweepDeliveries } from '#modules/webhooks/deliveries/sweep-deliveries.ts';
import { deleteOldEvents } from '#modules/webhooks/events/delete-old-events.ts';
import { logFailures } from '#platform/connections/log-failures.ts';
import { checkDisk } from '#platform/disk.ts';
import type { Handles } from '#platform/handles.ts';
import type { Log } from '#platform/log.ts';
import { repeat } from '#platform/mechanisms/repeat.ts';
import {
  checkClock,
  deletingByDatabaseTime,
  readDatabaseTime,
  withDatabaseTime,
} from '#platform/postgres/database-time.ts';
import { checkDb } from '#platform/postgres/db.ts';
import { logStores } from '#platform/storage/log-stores.ts';
import { addQueueGauges } from '#platform/temporal/queue-gauges.ts';
import { createGate, type Gate } from '#platform/temporal/slots.ts';
import { openWorkers, type Queue } from '#platform/temporal/workers.ts';
import { checkWorkflows } from '#platform/temporal/workflows.ts';
import { listen, type RunningProcess } from './listen.ts';
import { engineSecurityOf, openHandles } from './open-platform.ts';
import { openWebhooks } from './open-webhooks.ts';
import { rowRemovers } from './row-removers.ts';

const maintenanceIntervalSeconds = 3600;
/** How often a worker checks whether it can examine files. */
const partsCheckSeconds = 5;
const partitionMonthsAhead = 4;

/** Runs the workflows and activities of the configured queues, and the periodic jobs. */
export async function startWorker(config: Config): Promise<RunningProcess & { ended: Promise<void> }> {
  const { handles, close } = openHandles(config);
  const { log } = handles;
  const opened = needsJail(config.WORKER_QUEUES)
    ? await openJail(config.TOOL_JAIL, log).catch(async (cause: Error) => {
        await close();
        throw new ConfigError([`TOOL_JAIL: ${cause.message}`], { cause });
      })
    : null;
  const readiness: Readiness = { isStopping: false };
  const server = createOperationsServer();
  const healthChecks = logFailures(
    {
      temporal: { check: () => checkWorkflows(handles.workflows), isRequired: true },
      postgres: { check: () => checkDb(handles.db), isRequired: true },
      blobs: { check: () => handles.blobs.checkHealth(), isRequired: true },
      disk: { check: checkDisk, isRequired: true },
      clock: { check: () => checkClock(handles), isRequired: false },
      jail: opened?.checkHealth ? { check: opened.checkHealth, isRequired: true } : opened ? 'off' : 'not needed',
    } satisfies HealthChecks,
    log,
  );
  const toolJail = opened?.jail === 'none' ? 'off' : (opened?.jail ?? 'not needed');
  toolJailInfo(handles.metrics).set({ level: toolJail }, 1);
  serveHealth(server, healthChecks, readiness, { toolJail });
  serveMetrics(server, handles.metrics);
  addBacklogGauges(handles);
  addQueueGauges(
    handles.metrics,
    handles.workflows,
    config.WORKER_QUEUES.map(({ name }) => name),
  );
  const metricsUrl = await listen(server, config.METRICS_HOST, config.WORKER_METRICS_PORT);
  const webhooks = openWebhooks(config);
  const deliveriesAtOnceMax = config.WORKER_QUEUES.find(({ name }) => name === 'webhook')?.atOnceMax ?? 0;
  const deliveryActivities = createDeliveryActivities(handles, {
    ...webhooks,
    permits: createDeliveryPermits(handles, deliveriesAtOnceMax),
    waitsSeconds: config.WEBHOOK_WAITS_SECONDS,
    disableAfterMillis: config.WEBHOOK_DISABLE_AFTER_HOURS * 3_600_000,
  });
  const share = createExaminationShare(
    config.WORKER_QUEUES.map(({ name, atOnceMax }) => ({ name: config.TEMPORAL_QUEUE_PREFIX + name, atOnceMax })),
    createWorkspaceLimit(handles, { free: config.EXAMINATIONS_AT_ONCE.starter, ...config.EXAMINATIONS_AT_ONCE }),
    config.EXAMINATION_LONG_SECONDS,
  );
  const tryTools =
    opened &&
    openTryTools(
      opened,
      {
        heapMegabytes: config.EXAMINATION_HEAP_MB,
        secondsMin: config.EXAMINATION_SECONDS_MIN,
        toolMemoryMegabytes: config.TOOL_MEMORY_MB,
      },
      config.EXAMINATION_SPARE_PROCESSES,
      config.MEMORY_RETRY_SECONDS,
      share,
    );
  const examinationActivities = tryTools ? createExaminationActivities(handles, tryTools) : {};
  const examinationGate = createGate();
  const checkParts = () =>
    setGate(examinationGate, [healthChecks.postgres, healthChecks.blobs, healthChecks.disk], log);
  await checkParts();
  const examinations = { activities: examinationActivities, gate: examinationGate, share };
  const queues = queuesOf(config, handles, examinations, deliveryActivities);
  const workers = await openWorkers(
    config.TEMPORAL_ADDRESS,
    config.TEMPORAL_NAMESPACE,
    queues,
    log,
    engineSecurityOf(config),
  );
  const retention = {
    unsubmittedHours: config.KEEP_UNSUBMITTED_HOURS,
    mediaDays: config.KEEP_MEDIA_DAYS,
    resultsDays: config.KEEP_RESULTS_DAYS,
  };
  const dueAfterMillis = dueAfterMillisOf(config.SWEEP_SECONDS);
  const stopJobs = [
    repeat('check-parts', partsCheckSeconds, checkParts, handles),
    repeat(
      'sweep-runs',
      config.SWEEP_SECONDS,
      withDatabaseTime(handles, (timed, signal) => sweepRuns(timed, dueAfterMillis, signal)),
      handles,
    ),
    repeat(
      'reconcile-runs',
      config.SWEEP_SECONDS,
      (signal) => reconcileRuns(handles, config.RECONCILE_SECONDS, signal),
      handles,
    ),
    repeat('sweep-deliveries', config.SWEEP_SECONDS, withDatabaseTime(handles, sweepDeliveries), handles),
    repeat(
      'purge-media',
      config.SWEEP_SECONDS,
      deletingByDatabaseTime(handles, (timed, signal) => purgeMedia(timed, retention, signal)),
      handles,
    ),
    repeat('measure-uploads', config.SWEEP_SECONDS, withDatabaseTime(handles, measureUploads), handles),
    repeat('correct-verdicts', config.SWEEP_SECONDS, (signal) => correctVerdicts(handles, signal), handles),
    repeat('store-verdicts', config.SWEEP_SECONDS, (signal) => storeMissingVerdicts(handles, signal), handles),
    // Runs even if this host's clock is wrong, because this job deletes nothing, and no row can be stored without a
    // partition.
    repeat(
      'create-partitions',
      maintenanceIntervalSeconds,
      async () => makeMonths(handles.db, await readDatabaseTime(handles.db), partitionMonthsAhead),
      handles,
    ),
    repeat(
      'delete-expired-submissions',
      maintenanceIntervalSeconds,
      deletingByDatabaseTime(handles, (timed, signal) => deleteExpired(timed, retention, rowRemovers, signal)),
      handles,
    ),
    repeat(
      'delete-unused-revisions',
      maintenanceIntervalSeconds,
      deletingByDatabaseTime(handles, deleteUnusedRevisions),
      handles,
    ),
    repeat(
      'delete-old-events',
      maintenanceIntervalSeconds,
      deletingByDatabaseTime(handles, (timed, signal) => deleteOldEvents(timed, config.KEEP_DELIVERIES_DAYS, signal)),
      handles,
    ),
  ];
  log.info({ metricsUrl, queues: config.WORKER_QUEUES }, 'worker is up');
  void logStores(handles.blobs, log);

  const stop = async () => {
    readiness.isStopping = true;
    await Promise.all([workers.stop(), ...stopJobs.map((stopJob) => stopJob())]);
    await tryTools?.close();
    await webhooks.outbound.close();
    await server.close();
    await close();
  };
  return { metricsUrl, stop, ended: workers.ended };
}

/** Opens the gate if all these parts work, and closes it otherwise. */
async function setGate(gate: ReturnType<typeof createGate>, parts: { check(): Promise<unknown> }[], log: Log) {
  const results = await Promise.allSettled(parts.map(({ check }) => check()));
  const areUp = results.every(({ status }) => status === 'fulfilled');
  if (areUp !== gate.isOpen())
    log.warn(areUp ? 'examines files again' : 'examines no more files: a part that it needs does not work');
  gate.set(areUp);
}

/** Each kind of work has its own queue, so that none delays another. */
function queuesOf(
  config: Config,
  handles: Handles,
  examinations: { activities: object; gate: Gate; share: ExaminationShare },
  deliveryActivities: object,
): Queue[] {
  const workflowQueues: Record<string, object> = {
    control: createSettlementActivities(handles),
    sandbox: createSimulationActivities(handles),
  };
  const activities: Record<string, object> = { ...workflowQueues, webhook: deliveryActivities };
  return config.WORKER_QUEUES.map(({ name: kind, atOnceMax }) => {
    const name = config.TEMPORAL_QUEUE_PREFIX + kind;
    const queue = { name, atOnceMax, hasWorkflows: kind in workflowQueues };
    if (activities[kind]) return { ...queue, activities: activities[kind] };
    const { share, ...examining } = examinations;
    return { ...queue, ...examining, extraSlots: share.laneOf(name).extraSlots };
  });
}
