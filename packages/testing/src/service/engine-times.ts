/**
 * The engine's times for tests of recovery: short, so that nobody waits long for a dead worker or for the next try.
 * `PRODUCTION_TIMES=1`, in the nightly run, keeps those of production.
 */
export const hasProductionTimes = process.env.PRODUCTION_TIMES === '1';

/** After this time without a heartbeat a worker counts as dead. */
export const lostAfterSeconds = hasProductionTimes ? 10 : 3;

export const engineTimes: Record<string, string> = hasProductionTimes
  ? {}
  : { WORKER_LOST_AFTER_SECONDS: String(lostAfterSeconds), RETRY_SECONDS_MAX: '2', MEMORY_RETRY_SECONDS: '2' };
