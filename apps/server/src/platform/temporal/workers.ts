import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DefaultLogger,
  type LogLevel,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { explainFailure } from '../connections/explain-failure.ts';
import type { Log } from '../log.ts';
import { findTransportFailure } from './find-transport-failure.ts';
import type { EngineSecurity } from './security.ts';
import { alwaysOpen, type ExtraSlots, type Gate, tunerOf } from './slots.ts';

export const workflowBundlePath = join(import.meta.dirname, '..', '..', '..', 'dist', 'workflows.js');

/** A task queue: its activities, whether it also runs workflows, its concurrency limit, and when it takes more work. */
export type Queue = {
  name: string;
  activities: object;
  hasWorkflows: boolean;
  atOnceMax: number;
  gate?: Gate;
  extraSlots?: ExtraSlots;
};

export type Workers = {
  /** Rejects when a worker fails permanently. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

export async function openWorkers(
  address: string,
  namespace: string,
  queues: Queue[],
  log: Log,
  security: EngineSecurity = {},
): Promise<Workers> {
  if (!existsSync(workflowBundlePath)) throw new Error('the workflow bundle is missing: run `pnpm bundle` first');
  installRuntime(log);
  const connection = await NativeConnection.connect({ address, ...security }).catch(async (cause) => {
    const reason = explainFailure((await findTransportFailure(address, security)) ?? cause);
    throw new Error(`cannot connect to Temporal at ${address}: ${reason}`, { cause });
  });
  const workers = await Promise.all(
    queues.map(({ name, activities, hasWorkflows, atOnceMax, gate = alwaysOpen, extraSlots }) => {
      const options: WorkerOptions = {
        connection,
        namespace,
        taskQueue: name,
        activities,
        shutdownGraceTime: '5 seconds',
        shutdownForceTime: '20 seconds',
        // Tasks that a worker has fetched no longer take part in the engine's fair scheduling, so a worker fetches few.
        tuner: tunerOf({ activities: atOnceMax, workflows: Math.max(2, atOnceMax) }, gate, extraSlots),
        maxHeartbeatThrottleInterval: '200 ms', // less than the heartbeat interval, so that no heartbeat is delayed
        // A workflow is first offered to the worker that ran it last; this limits the delay if that worker died.
        stickyQueueScheduleToStartTimeout: '3 seconds',
        ...(hasWorkflows && { workflowBundle: { codePath: workflowBundlePath }, workflowThreadPoolSize: 1 }),
      };
      return Worker.create(options);
    }),
  );
  const running = workers.map((worker) => worker.run());
  return {
    ended: Promise.all(running).then(() => undefined),
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(running);
      await connection.close();
    },
  };
}

// The engine's runtime is a singleton per process; a second worker in the process shares it.
let isInstalled = false;

function installRuntime(log: Log): void {
  if (isInstalled) return;
  isInstalled = true;
  const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'debug', // routine messages are of no use to an operator
    WARN: 'warn',
    ERROR: 'error',
  };
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    // Examination queues have no workflows by design, and we log failed activities in more detail.
    const isUseful = !/^(No workflows registered|Activity failed)/.test(message);
    log[isUseful ? levels[level] : 'debug']({ engine: meta }, message);
  });
  Runtime.install({
    logger,
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
    shutdownSignals: [],
  });
}
