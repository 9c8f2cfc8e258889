import type { Handles } from '../handles.ts';
import { jobFailures } from './metrics.ts';
import { runForEach } from './semaphore.ts';

/** A job over rows that are due: how they are claimed, and what is done with each. */
export type RowJob<Row> = {
  /** As the log and `assay_job_failures_total` name the job. */
  name: string;
  batchSize: number;
  atOnceMax: number;
  /**
   * The next rows; fewer than `limit` if there are no more. Several workers share a job: the query skips rows that another
   * one has locked, and sets the time at which each is due again, strictly in the future. A job without such a time
   * continues after the last row of the batch before.
   */
  claim(limit: number, last: Row | undefined): Promise<Row[]>;
  act(row: Row): Promise<unknown>;
  /** What the log says about a row whose action failed. */
  describe(row: Row): object;
  /** Sets when a row is due again whose action failed, if that is not the time of its claim. */
  postpone?(row: Row): Promise<unknown>;
  /** Whether a failure concerns this row alone, and so says nothing about the others. */
  failsAlone?(row: Row): boolean;
};

/** So many failures in a row suggest that a part is down: the rows that are left wait for the next run of the job. */
export const failuresInRowMax = 5;

/**
 * Acts on all rows that are due. A failure is counted and does not stop the others. Ends after the current rows when the
 * signal is aborted.
 */
export async function processRows<Row>(
  { log, metrics }: Pick<Handles, 'log' | 'metrics'>,
  job: RowJob<Row>,
  signal?: AbortSignal,
): Promise<void> {
  let failuresInRow = 0;
  const isOver = () => signal?.aborted || failuresInRow >= failuresInRowMax;
  const actOn = async (row: Row) => {
    if (isOver()) return;
    try {
      await job.act(row);
      failuresInRow = 0;
    } catch (error) {
      if (!job.failsAlone?.(row)) failuresInRow++;
      jobFailures(metrics).inc({ job: job.name });
      log.warn(
        { err: error, job: job.name, ...job.describe(row) },
        'a row of a repeated job failed; it is tried again',
      );
      await job.postpone?.(row);
    }
  };
  let last: Row | undefined;
  while (!isOver()) {
    const rows = await job.claim(job.batchSize, last);
    await runForEach(rows, job.atOnceMax, actOn);
    if (rows.length < job.batchSize) return;
    last = rows.at(-1);
  }
}
