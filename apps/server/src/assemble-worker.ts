import { createExamining, createSettling } from './analysis/analysis.activities.ts';
import { openCage } from './analysis/open-cage.ts';
import { openTrying } from './analysis/open-trying.ts';
import { reconcileRuns } from './analysis/reconcile-runs.ts';
import { listen, openHandles, openWebhooks, type Running } from './assemble.ts';
import { type Config, ConfigError } from './config.ts';
import { addBacklogGauges } from './handles/backlog-gauges.ts';
import { askClock, byDatabaseTime, readDatabaseTime } from './handles/database-time.ts';
import { askDb } from './handles/db.ts';
import { askDisk } from './handles/disk.ts';
import type { Handles } from './handles/handles.ts';
import { readQueueStats } from './handles/queue-stats.ts';
import { repeat } from './handles/repeat.ts';
import { openWorkers, type Queue } from './handles/workers.ts';
import { askWorkflows } from './handles/workflows.ts';
import { createOperationsServer, type Readiness, serveHealth, serveMetrics } from './http/operations.ts';
import { createRehearsing } from './sandbox/sandbox.activities.ts';
import { type Backlog, readBacklog } from './submissions/backlog-store.ts';
import { lookAfterBlobs } from './submissions/look-after-blobs.ts';
import { makeMonths } from './submissions/retention-store.ts';
import { sweepRuns } from './submissions/sweep-runs.ts';
import { tidyUp } from './submissions/tidy-up.ts';
import { createDelivering } from './webhooks/delivery.activities.ts';
import { forgetEvents } from './webhooks/forget-events.ts';
import { sweepDeliveries } from './webhooks/sweep-deliveries.ts';
import { createTurns } from './webhooks/turns.ts';

const tidyUpSeconds = 3600;
const monthsAhead = 4;

const backlogGauges: Record<keyof Backlog, [name: string, help: string]> = {
  unfinishedSubmissions: ['assay_submissions_unfinished', 'Submissions that are not finished'],
  oldestUnfinishedSeconds: ['assay_submissions_oldest_unfinished_seconds', 'Age of the oldest of them'],
  runsToStart: ['assay_runs_to_start', 'Runs that were committed and not yet handed to the engine'],
  blobsDue: ['assay_blobs_due', 'Stored files that are to be looked at, and perhaps deleted'],
  monthsAhead: ['assay_months_ahead', 'Monthly tables that are ready for months to come'],
  pendingDeliveries: ['assay_webhook_deliveries_pending', 'Webhook deliveries that are to be tried, now or later'],
  oldestDueDeliverySeconds: ['assay_webhook_delivery_overdue_seconds', 'How long the oldest of them is overdue'],
};

/** Tells the stories and examines the assets of the queues that it is told to serve, and sweeps up what was left behind. */
export async function startWorker(config: Config): Promise<Running & { ended: Promise<void> }> {
  const { handles, close } = openHandles(config);
  const { log } = handles;
  const { cage, ask: askCage } = await openCage(config.TOOL_CAGE, log).catch(async (cause: Error) => {
    await close();
    throw new ConfigError([`TOOL_CAGE: ${cause.message}`], { cause });
  });
  const readiness: Readiness = { isStopping: false };
  const server = createOperationsServer();
  serveHealth(
    server,
    {
      temporal: { ask: () => askWorkflows(handles.workflows), isRequired: true },
      postgres: { ask: () => askDb(handles.db), isRequired: true },
      blobs: { ask: () => handles.blobs.ask(), isRequired: true },
      disk: { ask: askDisk, isRequired: true },
      clock: { ask: () => askClock(handles), isRequired: false },
      cage: askCage ? { ask: askCage, isRequired: true } : 'off',
    },
    readiness,
  );
  serveMetrics(server, handles.metrics);
  addBacklogGauges(
    handles.metrics,
    backlogGauges,
    () => readBacklog(handles.db),
    () =>
      readQueueStats(
        handles.workflows,
        config.WORKER_QUEUES.map(({ name }) => name),
      ),
  );
  const metricsUrl = await listen(server, config.METRICS_HOST, config.WORKER_METRICS_PORT);
  const webhooks = openWebhooks(config);
  const delivering = createDelivering(handles, {
    ...webhooks,
    turns: createTurns(handles),
    waitsSeconds: config.WEBHOOK_WAITS_SECONDS,
    disableAfterMillis: config.WEBHOOK_DISABLE_AFTER_HOURS * 3_600_000,
  });
  const trying = openTrying(cage, {
    heapMegabytes: config.EXAMINATION_HEAP_MB,
    secondsMin: config.EXAMINATION_SECONDS_MIN,
  });
  const queues = queuesOf(config, handles, createExamining(handles, trying), delivering);
  const workers = await openWorkers(config.TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE, queues, log);
  const retention = {
    unsubmittedHours: config.KEEP_UNSUBMITTED_HOURS,
    mediaDays: config.KEEP_MEDIA_DAYS,
    resultsDays: config.KEEP_RESULTS_DAYS,
  };
  const stopJobs = [
    repeat('sweep', config.SWEEP_SECONDS, () => sweepRuns(handles), handles),
    repeat('reconcile', config.SWEEP_SECONDS, () => reconcileRuns(handles, config.RECONCILE_SECONDS), handles),
    repeat('sweep deliveries', config.SWEEP_SECONDS, () => sweepDeliveries(handles), handles),
    repeat(
      'look after blobs',
      config.SWEEP_SECONDS,
      untilFalse(byDatabaseTime(handles, (timed, signal) => lookAfterBlobs(timed, retention, signal))),
      handles,
    ),
    // Whatever the clock of this machine says: it deletes nothing, and without a month nothing can be stored.
    repeat(
      'make months',
      tidyUpSeconds,
      async () => makeMonths(handles.db, await readDatabaseTime(handles.db), monthsAhead),
      handles,
    ),
    repeat(
      'tidy up',
      tidyUpSeconds,
      byDatabaseTime(handles, (timed, signal) => tidyUp(timed, retention, signal)),
      handles,
    ),
    repeat(
      'forget events',
      tidyUpSeconds,
      byDatabaseTime(handles, (timed, signal) => forgetEvents(timed, config.KEEP_DELIVERIES_DAYS, signal)),
      handles,
    ),
  ];
  log.info({ metricsUrl, queues: config.WORKER_QUEUES }, 'worker is up');

  const stop = async () => {
    readiness.isStopping = true;
    await Promise.all([workers.stop(), ...stopJobs.map((stopJob) => stopJob())]);
    await trying.close();
    await webhooks.outbound.close();
    await server.close();
    await close();
  };
  return { metricsUrl, stop, ended: workers.ended };
}

/** One turn after another, as long as a turn says that there is more. */
function untilFalse(turn: (signal: AbortSignal) => Promise<boolean | undefined>) {
  return async (signal: AbortSignal) => {
    while (await turn(signal));
  };
}

/** Each kind of work has a queue of its own, so that none stands in another's way. */
function queuesOf(config: Config, handles: Handles, examining: object, delivering: object): Queue[] {
  const stories: Record<string, object> = { control: createSettling(handles), sandbox: createRehearsing(handles) };
  const activities: Record<string, object> = { ...stories, webhook: delivering };
  return config.WORKER_QUEUES.map(({ name, atOnceMax }) => ({
    name: config.TEMPORAL_QUEUE_PREFIX + name,
    atOnceMax,
    hasWorkflows: name in stories,
    activities: activities[name] ?? examining,
  }));
}
