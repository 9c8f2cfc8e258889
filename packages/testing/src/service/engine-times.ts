/**
 * Timeouts for recovery tests: short, so that a test waits only briefly for the detection of a dead worker and for the
 * next try. With `PRODUCTION_TIMES=1`, as in the nightly run, those of production apply.
 */
export const hasProductionTimes = process.env.PRODUCTION_TIMES === '1';

/** A worker without a heartbeat for this time counts as dead. */
export const lostAfterSeconds = hasProductionTimes ? 10 : 3;

export const engineTimes: Record<string, string> = hasProductionTimes
  ? {}
  : { WORKER_LOST_AFTER_SECONDS: String(lostAfterSeconds), RETRY_SECONDS_MAX: '2', MEMORY_RETRY_SECONDS: '2' };
