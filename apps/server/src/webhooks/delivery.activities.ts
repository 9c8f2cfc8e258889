import { Refusal } from '@assay/contract/refusals.ts';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Handles } from '../handles/handles.ts';
import { type DeliveryTools, deliver } from './deliver.ts';
import type { DueDelivery } from './delivery-store.ts';

export type Delivering = { deliver(due: Pick<DueDelivery, 'workspaceId' | 'deliveryId'>): Promise<void> };

const heartbeatMillis = 2000;
const outageMillis = 5000;

/** The engine's own retries are the schedule: each attempt that is not the last fails with the time of the next. */
export function createDelivering(handles: Handles, tools: DeliveryTools): Delivering {
  return {
    async deliver(due) {
      const context = Context.current();
      const timer = setInterval(() => context.heartbeat(), heartbeatMillis);
      try {
        const waitMillis = await deliver(due, handles, tools);
        if (waitMillis !== undefined) throw comeBack('waiting', waitMillis);
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error;
        handles.log.warn({ err: error, ...due }, 'a delivery could not be attempted; it is tried again');
        throw comeBack(error instanceof Refusal ? error.code : 'internal_error', outageMillis);
      } finally {
        clearInterval(timer);
      }
    },
  };
}

// Nothing of the error goes to the engine: it keeps what it is told.
function comeBack(type: string, millis: number): ApplicationFailure {
  const failure = ApplicationFailure.create({ type, message: type, nextRetryDelay: Math.max(1, Math.round(millis)) });
  failure.stack = '';
  return failure;
}
