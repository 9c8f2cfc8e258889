import type { Counts } from './move-media.ts';

/** The output for progress: one line that is updated on a terminal, otherwise JSON lines for a log. */
export type Screen = { isTTY?: boolean; write(text: string): unknown };

const lineMillis = { terminal: 200, log: 10_000 };
const failuresInRowMax = 20;

export type MoveTotals = { moved: number; movedBytes: number; records: number; deletedCopies: number; failed: number };

/** Too many failures in a row: a store is unavailable. */
export class MoveStopped extends Error {
  override readonly name = 'MoveStopped';
}

/** Counts the results of a move, and writes its progress. */
export function createReport(screen: Screen, planned: Counts) {
  const totals: MoveTotals = { moved: 0, movedBytes: 0, records: 0, deletedCopies: 0, failed: 0 };
  const wait = screen.isTTY ? lineMillis.terminal : lineMillis.log;
  let failuresInRow = 0;
  let writtenAt = 0;

  const writeEntry = (entry: object) =>
    screen.write(`${JSON.stringify({ level: 'info', time: new Date().toISOString(), ...entry })}\n`);
  const writeProgress = (isLast = false) => {
    const now = performance.now();
    if (!isLast && now - writtenAt < wait) return;
    writtenAt = now;
    if (screen.isTTY) screen.write(`\r\u001b[K${formatProgress(totals, planned)}${isLast ? '\n' : ''}`);
    else writeEntry({ msg: 'storage move', toMove: planned.ready, ...totals });
  };
  const succeeded = () => {
    failuresInRow = 0;
    writeProgress();
  };

  return {
    totals,
    writeProgress,
    moved(sizeBytes: number) {
      totals.moved++;
      totals.movedBytes += sizeBytes;
      succeeded();
    },
    movedRecords(count: number) {
      totals.records += count;
    },
    deletedCopy() {
      totals.deletedCopies++;
      succeeded();
    },
    skipped: succeeded,
    failed(blobId: string, error: unknown) {
      totals.failed++;
      const reason = reasonOf(error);
      if (screen.isTTY) screen.write(`\r\u001b[KNot moved: ${blobId}: ${reason}\n`);
      else writeEntry({ level: 'error', msg: 'storage move: an object was not moved', blobId, reason });
      if (++failuresInRow >= failuresInRowMax)
        throw new MoveStopped(`${failuresInRow} objects in a row failed, the last with: ${reason}.`);
    },
  };
}

export type Report = ReturnType<typeof createReport>;

function formatProgress({ moved, movedBytes, deletedCopies, failed }: MoveTotals, planned: Counts): string {
  const megabytes = (movedBytes / 1e6).toFixed(1);
  const deleted = deletedCopies > 0 ? `, ${deletedCopies} old copies deleted` : '';
  return `Moved ${moved} of ${planned.ready} objects (${megabytes} MB)${deleted}, ${failed} failed`;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message} (${cause.message})` : message;
}
