import { Refusal } from '@assay/contract/refusals.ts';
import type { ApplicationFailure } from '@temporalio/common';
import { withHeartbeat, withoutTrace } from '../handles/as-activity.ts';
import type { Handles } from '../handles/handles.ts';
import { type DeliveryTools, deliver } from './deliver.ts';
import type { DueDelivery } from './delivery-store.ts';

export type Delivering = { deliver(due: Pick<DueDelivery, 'workspaceId' | 'deliveryId'>): Promise<void> };

const outageMillis = 5000;

/** The engine's own retries are the schedule: each attempt that is not the last fails with the time of the next. */
export function createDelivering(handles: Handles, tools: DeliveryTools): Delivering {
  return {
    async deliver(due) {
      const waitMillis = await withHeartbeat(() => deliver(due, handles, tools)).catch((error) => {
        handles.log.warn({ err: error, ...due }, 'a delivery could not be attempted; it is tried again');
        throw comeBack(error instanceof Refusal ? error.code : 'internal_error', outageMillis);
      });
      if (waitMillis !== undefined) throw comeBack('waiting', waitMillis);
    },
  };
}

function comeBack(type: string, millis: number): ApplicationFailure {
  return withoutTrace(type, { nextRetryDelay: Math.max(1, Math.round(millis)) });
}
