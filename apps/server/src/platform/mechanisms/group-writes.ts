import { Outage } from '../outage.ts';

type WaitingRow<Row> = { row: Row; resolve(): void; reject(error: unknown): void };

/**
 * Rows that arrive during a write are written together by the next statement: under load one commit serves many rows; a
 * single row does not wait. Each promise resolves once its row is committed.
 */
export function groupWrites<Row>(write: (rows: Row[]) => Promise<unknown>, atOnceMax: number) {
  let waiting: WaitingRow<Row>[] = [];
  let isScheduled = false;
  let writingCount = 0;

  const schedule = () => {
    if (isScheduled || waiting.length === 0 || writingCount >= atOnceMax) return;
    isScheduled = true;
    setImmediate(async () => {
      isScheduled = false;
      const group = waiting;
      waiting = [];
      writingCount++;
      await writeGroup(group, write);
      writingCount--;
      schedule();
    });
  };
  return (row: Row): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      schedule();
    });
}

async function writeGroup<Row>(group: WaitingRow<Row>[], write: (rows: Row[]) => Promise<unknown>): Promise<void> {
  try {
    await write(group.map(({ row }) => row));
    for (const { resolve } of group) resolve();
  } catch (error) {
    // An outage concerns every row. Any other error concerns one row, so the others are retried without it.
    if (error instanceof Outage || group.length === 1) for (const { reject } of group) reject(error);
    else await Promise.all(group.map(({ row, resolve, reject }) => write([row]).then(resolve, reject)));
  }
}
