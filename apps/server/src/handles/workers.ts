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
import type { Log } from './log.ts';

export const workflowBundlePath = join(import.meta.dirname, '..', '..', 'dist', 'workflows.js');

/** One queue of the engine: what is done there, and how much of it at a time. */
export type Queue = { name: string; activities: object; hasWorkflows: boolean; atOnceMax: number };

export type Workers = {
  /** Rejects when one of them fails for good. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

export async function openWorkers(address: string, namespace: string, queues: Queue[], log: Log): Promise<Workers> {
  if (!existsSync(workflowBundlePath)) throw new Error('the workflow bundle is missing: run `pnpm bundle` first');
  installRuntime(log);
  const connection = await NativeConnection.connect({ address });
  const workers = await Promise.all(
    queues.map(({ name, activities, hasWorkflows, atOnceMax }) => {
      const options: WorkerOptions = {
        connection,
        namespace,
        taskQueue: name,
        activities,
        shutdownGraceTime: '5 seconds',
        shutdownForceTime: '20 seconds',
        maxConcurrentActivityTaskExecutions: atOnceMax,
        // No more than it can tell at a time: what it holds is out of the engine's hands, and so of its fairness.
        maxConcurrentWorkflowTaskExecutions: Math.max(2, atOnceMax),
        maxConcurrentLocalActivityExecutions: atOnceMax,
        maxHeartbeatThrottleInterval: '2 seconds', // how soon a cancelled examination hears of it
        // A story first goes back to the worker that told it last; how long that one, if it died, holds it up.
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

// The engine's runtime is one per process by its own design; a second worker in the process shares it.
let isInstalled = false;

function installRuntime(log: Log): void {
  if (isInstalled) return;
  isInstalled = true;
  const levels: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'debug', // what it does all day is no news to an operator
    WARN: 'warn',
    ERROR: 'error',
  };
  const logger = new DefaultLogger('INFO', ({ level, message, meta }) => {
    // A queue of examinations alone is meant to have no workflows, and of what fails an activity itself says more.
    const isNews = !/^(No workflows registered|Activity failed)/.test(message);
    log[isNews ? levels[level] : 'debug']({ engine: meta }, message);
  });
  Runtime.install({
    logger,
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } },
    shutdownSignals: [],
  });
}
