import { Context } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { Handles } from '#platform/handles.ts';
import { Outage } from '#platform/outage.ts';
import { withHeartbeat, withoutTrace } from '#platform/temporal/as-activity.ts';
import { type DeliveryTools, deliver } from './deliver.ts';
import type { DueDelivery } from './delivery-store.ts';

export type DeliveryActivities = { deliver(due: Pick<DueDelivery, 'workspaceId' | 'deliveryId'>): Promise<void> };

const outageRetryMillis = 5000;

/** The engine's retries implement the schedule: each attempt but the last fails with the delay until the next one. */
export function createDeliveryActivities(handles: Handles, tools: DeliveryTools): DeliveryActivities {
  return {
    async deliver(due) {
      // A receiver that hangs must not keep a worker from stopping: another worker repeats the attempt.
      const { cancellationSignal } = Context.current();
      const waitMillis = await withHeartbeat(() => deliver(due, handles, tools, cancellationSignal)).catch((error) => {
        if (cancellationSignal.aborted) throw retryIn(0, 'stopped');
        handles.log.warn({ err: error, ...due }, 'a delivery could not be attempted; it is tried again in 5 s');
        throw retryIn(outageRetryMillis, error instanceof Outage ? error.code : 'internal_error');
      });
      if (waitMillis !== undefined) throw retryIn(waitMillis, 'waiting');
    },
  };
}

function retryIn(millis: number, type: string): ApplicationFailure {
  return withoutTrace(type, { nextRetryDelay: Math.max(1, Math.round(millis)) });
}
