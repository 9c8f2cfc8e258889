import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { peakBytesOf } from '../chaos/process-table.ts';

/**
 * Resident memory of a worker, of which this process does the part, and makes the files beside it. So what counts is
 * what it had at the beginning, and the most that one examination adds.
 */
export function openMemory() {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const firstBytes = process.memoryUsage.rss();
  let beforeBytes = 0;
  let addedBytes = 0;
  return {
    begin(): void {
      collectGarbage(); // else an examination could use what is left of making the file
      writeFileSync('/proc/self/clear_refs', '5'); // the peak is counted from here
      beforeBytes = process.memoryUsage.rss();
    },
    end(): void {
      addedBytes = Math.max(addedBytes, peakBytesOf(process.pid) - beforeBytes);
    },
    residentBytes: () => firstBytes + addedBytes,
  };
}
